/**
 * draw-words.js: how tokens, formulas and sentences get into elements. Everything goes in as text.
 */

import { el } from '../../base/dom.js';

/** Makes a node hold what make(key) builds, unless it holds that already. */
export function hold(node, key, make) {
  const text = JSON.stringify(key);
  if (node.shows === text) return;
  node.shows = text;
  node.replaceChildren(...make());
}

/** A token, its leading spaces faint. */
export function writeToken(node, text) {
  hold(node, text, () => {
    const spaces = /^·*/.exec(text)[0];
    const lead = spaces.length < text.length ? spaces : '';
    return [...(lead ? [el('small', {}, lead)] : []), text.slice(lead.length)];
  });
}

/**
 * Pieces of mathematics: text, { var } in serif italics, { sub }, { frac: [top, bottom] }, { role, pieces }
 * or { role, text }, { long: pieces } where there is room for them, { short: pieces } where there is none.
 */
export function maths(pieces) {
  return [pieces].flat().map((piece) => {
    if (typeof piece === 'string') return piece;
    if (piece.var !== undefined) return el('i', { 'data-sv': 'var', 'data-var': piece.var }, piece.var);
    if (piece.sub !== undefined) return el('sub', {}, ...maths(piece.sub));
    if (piece.frac)
      return el(
        'span',
        { 'data-sv': 'frac', 'data-limit': piece.frac[0][0] === 'argmax' },
        ...piece.frac.map((part) => el('span', { 'data-many': part.length > 1 }, ...maths(part))),
      );
    if (piece.short) return el('span', { 'data-short': '' }, ...maths(piece.short));
    if (piece.long) return el('span', { 'data-long': '' }, ...maths(piece.long));
    return el(
      'span',
      { 'data-role': piece.role ?? null, 'data-late': Boolean(piece.late) },
      ...(piece.pieces ? maths(piece.pieces) : [piece.text]),
    );
  });
}

export function writeMaths(node, pieces) {
  hold(node, pieces ?? [], () => maths(pieces ?? []));
}

/** A sentence with its letters p, q, u, γ, α, T and r in the maths face. */
export function rich(text) {
  return text
    .split(/(?<![\p{L}„“·…])([pquγαTr])(?![\p{L}”“])/u)
    .map((piece, index) => (index % 2 ? { var: piece } : piece))
    .filter((piece) => piece !== '');
}
