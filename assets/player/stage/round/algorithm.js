/**
 * algorithm.js: the algorithm of a round in its paper's notation, line by line, and the lines at work in this round's
 * numbers, as its rule has them. Pure.
 */

import { ruleIn } from '../../rules/rules.js';
import { saidAll } from '../../words/words.js';

/**
 * live: the line in numbers, null where it is not at work or has none; late: it tells where a number lands;
 * note: a comment of the paper.
 * @typedef {{ plain: Piece[], live: ?Piece[], late: boolean, lit: boolean, indent: number, note: boolean }} Line
 * @typedef {string | { sub: string }} Piece
 */

/**
 * The algorithm at a moment.
 * @returns {{ title: string, source: string, lines: Line[] }}
 */
export function algorithm(round, moment) {
  const { info, kind } = moment;
  const { title, source, code, lines } = ruleIn(info, round).code(round);
  const notation = saidAll(code, { ...info.threshold, ...info.ensemble, ...info.relaxation });
  return {
    title,
    source,
    lines: lines.map(({ beats, live, indent }, at) => {
      const lit = beats.includes(kind);
      return {
        plain: math(notation[at]),
        live: lit ? live(round, moment) : null,
        late: Boolean(live.lands?.includes(kind)),
        lit,
        indent,
        note: notation[at].startsWith('▷'),
      };
    }),
  };
}

/** Notation as pieces: _{...} is a subscript. Takes only the paper's own lines. */
function math(source) {
  return source
    .split(/_\{([^}]*)\}/)
    .map((piece, index) => (index % 2 ? { sub: piece } : piece))
    .filter((piece) => piece !== '');
}
