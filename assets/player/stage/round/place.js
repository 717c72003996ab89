/**
 * place.js: where the nodes of a lane are in its field: columns are depths, and no edge crosses another. Pure: sizes
 * in, boxes out, both in pixels. A node is { parent, column, tier, wide, rank }: an index or -1 for the text so far,
 * its depth from 1, its row where the field has tiers, how wide its chip is at full type, and how much it matters, by
 * which chips are given out.
 */

/** The height of a row as a share of the full; the first by which every node is a chip is taken, else the last. */
const FITS = [1, 0.82, 0.7, 0.6];
/** Heights of a row: a chip, one that fell to the second tier, and a dot, as it should be and at least. */
const BOX = { 1: 0.91, 2: 0.7 };
const DOT = { full: 0.32, least: 0.1 };
/** This many nodes of a column stay chips, however little room there is. */
const FEWEST = 3;

/** Nodes in tree order: a node, then its descendants. */
function treeOrder(nodes) {
  const under = (parent) =>
    nodes.flatMap((node, index) => (node.parent === parent ? [index, ...under(index)] : []));
  return under(-1);
}

/**
 * { boxes, columns, width }: a box { left, top, width, height, dot } for each node and, last, for the text so far,
 * which is as wide as `root`; columns, by depth, are { left, width, from, to }, of which chips take up from `from` to
 * `to`. They share the whole width, and have more than that where they need it. A row is `row` high, a column at least
 * `least` wide and `air` between two of them; tiers: each node's row is its tier.
 */
export function place(nodes, field, root) {
  const { width, height, row, least = 0, air, tiers } = field;
  const order = treeOrder(nodes);
  const depths = Math.max(0, ...nodes.map(({ column }) => column));
  const levels = Array.from({ length: depths }, (_, at) =>
    order.filter((index) => nodes[index].column === at + 1),
  );
  const most = Math.max(1, ...levels.map(({ length }) => length));
  const high = row * (FITS.find((fit) => most * fit * row <= height + 1e-6) ?? FITS.at(-1));
  const chips = new Set(levels.flatMap((level) => chipsOf(nodes, level, height, high)));
  const wideOf = (index) => (chips.has(index) ? Math.max(1.1 * row, nodes[index].wide) : DOT.full * row);
  const columns = columnsOf(
    levels.map((level) => Math.max(least, ...level.map(wideOf))),
    { width, air, root },
  );
  const tall = heights(levels, chips, height, high);
  const middles = tiers
    ? nodes.map(({ tier }) => (tier - 0.5) * row)
    : down(nodes, order, levels, tall, height);
  const boxes = nodes.map(({ column, tier }, index) => {
    const { left, width: room } = columns[column];
    const wide = wideOf(index);
    const tallest = chips.has(index) ? BOX[tiers ? tier : 1] * high : 0.8 * tall[index];
    return {
      left: left + (room - wide) / 2,
      top: middles[index] - tallest / 2,
      width: wide,
      height: tallest,
      dot: !chips.has(index),
    };
  });
  const [first, last] = [levels[0]?.[0], levels[0]?.at(-1)];
  const middle = tiers || !depths ? row / 2 : (middles[first] + middles[last]) / 2;
  boxes.push({ left: 0, top: middle - (BOX[1] * high) / 2, width: root, height: BOX[1] * high, dot: false });
  return { boxes, columns, width: columns.at(-1).left + columns.at(-1).width };
}

/** Which of a level are chips: the most important ones, as many as there is room for; the others are dots. */
function chipsOf(nodes, level, height, high) {
  const fits = (many) => (many + (level.length - many) * DOT.least) * high <= height + 1e-6;
  let many = level.length;
  while (many > FEWEST && !fits(many)) many -= 1;
  return [...level].sort((a, b) => nodes[b].rank - nodes[a].rank || a - b).slice(0, many);
}

/** How much of its column each node takes. */
function heights(levels, chips, height, high) {
  const tall = [];
  for (const level of levels) {
    const many = level.filter((index) => chips.has(index)).length;
    const dot = Math.min(DOT.full * high, (height - many * high) / Math.max(1, level.length - many));
    for (const index of level) tall[index] = chips.has(index) ? high : dot;
  }
  return tall;
}

/** The column of the text so far, then one for each depth; what is left of the width is shared among these. */
function columnsOf(wides, { width, air, root }) {
  const needed = wides.reduce((sum, wide) => sum + wide + air, root);
  const spare = Math.max(0, width - needed) / Math.max(1, wides.length);
  let left = root;
  return [
    { left: 0, width: root, from: 0, to: root },
    ...wides.map((wide) => {
      const room = wide + air + spare;
      const from = left + (room - wide) / 2;
      left += room;
      return { left: left - room, width: room, from, to: from + wide };
    }),
  ];
}

/**
 * The middle of every node: where it would like to be, then the nearest places that keep the order and do
 * not overlap.
 */
function down(nodes, order, levels, tall, height) {
  const below = (index) => order.filter((each) => nodes[each].parent === index);
  const leaves = order.filter((index) => !below(index).length);
  const wish = [];
  for (const index of [...order].reverse()) {
    const children = below(index);
    wish[index] = children.length
      ? (wish[children[0]] + wish[children.at(-1)]) / 2
      : (height * (leaves.indexOf(index) + 0.5)) / leaves.length;
  }
  const middles = [];
  for (const level of levels) {
    let offset = 0;
    const offsets = level.map((index) => (offset += tall[index]) - tall[index] / 2);
    const slack = Math.max(0, height - offset);
    nearest(level.map((index, at) => wish[index] - offsets[at])).forEach((value, at) => {
      middles[level[at]] = offsets[at] + Math.max(0, Math.min(slack, value));
    });
  }
  return middles;
}

/** The nearest values that never fall: pool adjacent violators. */
function nearest(values) {
  const pools = [];
  for (const value of values) {
    pools.push({ sum: value, many: 1 });
    while (pools.length > 1 && pools.at(-2).sum / pools.at(-2).many > pools.at(-1).sum / pools.at(-1).many) {
      const { sum, many } = pools.pop();
      pools.at(-1).sum += sum;
      pools.at(-1).many += many;
    }
  }
  return pools.flatMap(({ sum, many }) => Array.from({ length: many }, () => sum / many));
}
