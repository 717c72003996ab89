/**
 * table.js: a run as a table, a row for each guess and for each token of the target's own. Pure.
 */

const COLUMNS = [
  'round',
  'position',
  'node',
  'parent',
  'token',
  'text',
  'became',
  'p',
  'q',
  'accept_prob',
  'random',
];

/**
 * { columns, rows }, as base/figure.js writes them as CSV. Rounds are counted from 1, positions from the
 * first token of the prompt, 0.
 */
export function tableOf({ rounds }) {
  return {
    columns: COLUMNS,
    rows: rounds.flatMap((round, index) => [...guesses(round, index + 1), ...targetRow(round, index + 1)]),
  };
}

function guesses({ position, verdicts }, number) {
  return verdicts.map(({ node, parent, depth, token, text, verdict, p, q, accept_prob: chance, u }) => [
    number,
    position + depth,
    node,
    parent,
    token,
    text,
    verdict,
    p,
    q,
    chance,
    u,
  ]);
}

function targetRow({ position, path, extra }, number) {
  if (!extra) return [];
  return [
    [
      number,
      position + path.length,
      null,
      path.at(-1) ?? -1,
      extra.token,
      extra.text,
      extra.emission,
      extra.p,
      null,
      null,
      extra.u,
    ],
  ];
}
