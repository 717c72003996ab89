/**
 * pieces.js: the text as it is drawn: token by token, but for what the prompt's chat template put there, which is
 * folded. Pure.
 */

/**
 * A token with its place in the text; or a fold, with the place of its first token, how many it holds, and whether
 * they are shown after it.
 * @typedef {{ at: number, token: import('../../trace/story.js').Token }} Piece
 * @typedef {{ at: number, end: number, many: number, open: boolean }} Fold
 */

/**
 * The last pieces of a text, at most so many, beside the tokens of open folds. Where there are more, the first of them
 * moves on by `page` at once; without a page it is the text's first.
 * @param {import('../../trace/story.js').Token[]} text
 * @param {Set<number>} opened the places where open folds begin
 * @returns {(Piece | Fold)[]}
 */
export function piecesOf(text, opened, most, page) {
  /** @type {(Piece | Fold)[]} */
  const pieces = [];
  let at = 0;
  while (at < text.length) {
    const piece = folds(text[at]) ? foldAt(text, at, opened) : { at, token: text[at] };
    pieces.push(piece);
    at = 'end' in piece ? piece.end : at + 1;
  }
  const first = page ? Math.max(0, Math.ceil((pieces.length - most) / page) * page) : 0;
  return pieces
    .slice(first, first + most)
    .flatMap((piece) => ('open' in piece && piece.open ? [piece, ...insideOf(text, piece)] : [piece]));
}

function foldAt(text, at, opened) {
  let [end, many] = [at, 0];
  while (end < text.length && folds(text[end])) {
    many += text[end].many ?? 1;
    end += 1;
  }
  return { at, end, many, open: opened.has(at) };
}

function insideOf(text, { at, end }) {
  return text.slice(at, end).map((token, index) => ({ at: at + index, token }));
}

/** What a model writes at its end was guessed and checked, so it stays in sight. */
function folds({ template = false, state }) {
  return Boolean(template) && state === 'prompt';
}
