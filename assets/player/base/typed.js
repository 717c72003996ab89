/**
 * typed.js: several short texts as a person types them, one a line, \\n for a newline in one. Pure.
 * specviz/config/typed.py reads them as `textsIn` does.
 */

/** The texts of these lines; an empty line is none. */
export function textsIn(lines) {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/\\([n\\])/g, (_, letter) => (letter === 'n' ? '\n' : letter)));
}

/** The lines of these texts. */
export function linesOf(texts) {
  return texts.map((text) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')).join('\n');
}
