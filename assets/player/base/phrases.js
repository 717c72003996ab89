/**
 * phrases.js: sentences that come from the server, or stand in a trace, in another language. Pure.
 */

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/**
 * known: { English sentence with # for each part that changes: the same in another language }. What is not
 * known stays.
 */
export function phrases(known) {
  const patterns = Object.entries(known).map(([english, own]) => [
    new RegExp(`^${english.replace(SPECIAL, '\\$&').replaceAll('#', '(.+?)')}$`, 'su'),
    own,
  ]);
  return (text) => {
    for (const [pattern, own] of patterns) {
      const found = pattern.exec(text);
      if (!found) continue;
      const parts = found.slice(1);
      return own.replaceAll('#', () => parts.shift());
    }
    return text;
  };
}
