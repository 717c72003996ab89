/**
 * text.js: a run's whole text, to be read: as it was written, with its spaces and line breaks. Pure.
 */

import { readable } from '../../base/format.js';

/** A line as code has them: indented, ended by a bracket or a semicolon, a fence, or begun by a keyword. */
const CODE = [
  /^(?: {2,}|\t)[^\s*\-\d]/,
  /[;{}]\s*$/,
  /^```/,
  /^\s*(?:def|class|function|import|from|return|const|let|var|#include)\b.*[\w):;'"]$/,
];
/** The share of its lines that makes a text code. */
const SHARE = 1 / 3;

/**
 * { prompt, made, code } of some tokens of a story: what was there before and what the run wrote, without what a chat
 * template put there; where it did, lines stand apart that it parts. code: whether it is to be read line by line.
 */
export function textOf(tokens) {
  const ours = tokens.filter(({ state }) => state === 'prompt');
  const spoken = ours.some(({ template }) => template);
  const parts = [''];
  for (const { template, raw } of ours) {
    if (!template) parts[parts.length - 1] += raw;
    else if (parts.at(-1)) parts.push('');
  }
  // a question is right over its answer
  const turns = parts.filter(Boolean).map((part, turn) => `${part.trim()}${turn % 2 ? '\n\n' : '\n'}`);
  const prompt = (spoken ? turns : parts).join('');
  const made = tokens
    .filter(({ state, template }) => state !== 'prompt' && !template)
    .map(({ raw }) => raw)
    .join('');
  return { prompt: readable(prompt), made: readable(made), code: isCode(prompt + made) };
}

const known = new WeakMap();

/** True if a run writes code; asked at every beat, so it is found out once a round. */
export function writesCode(story) {
  const { length } = story.shown;
  if (known.get(story)?.length !== length) known.set(story, { length, code: textOf(story.shown).code });
  return known.get(story).code;
}

/** True if a text is code rather than prose. */
export function isCode(text) {
  const lines = text.split('\n').filter((line) => line.trim());
  const many = lines.filter((line) => CODE.some((look) => look.test(line))).length;
  return many > 1 && many / lines.length >= SHARE;
}
