/**
 * branches.js: where the nodes of a tree stand in a field: columns are depths, and no edge crosses another.
 * Pure: sizes in, boxes out, both in pixels. A node is { parent, column, wide, rank }: an index or -1 for
 * the text so far, its depth from 1, how wide its chip is at full type, and how much it matters, by which
 * chips are given out.
 */

/**
 * Type, as a share of the full, and the gap between columns, in heights of a chip; the first that fits is
 * taken.
 */
const FITS = [
  [1, 1.1],
  [1, 0.8],
  [0.93, 0.8],
  [0.93, 0.6],
];
const WIDEST_GAP = 3.4;
/** The height of a dot, in heights of a chip: preferred and least. */
const DOT = { full: 0.52, least: 0.17 };
/** This many nodes of a column stay chips, however little room there is. */
const FEWEST = 3;

/** Nodes in tree order: a node, then its descendants. */
export function treeOrder(nodes) {
  const under = (parent) =>
    nodes.flatMap((node, index) => (node.parent === parent ? [index, ...under(index)] : []));
  return under(-1);
}

/**
 * { boxes, columns, type }: a box { left, top, width, height, dot } for each node and, last, for the text
 * so far; columns are { left, width } by depth; type is the share of full type it takes.
 */
export function place(nodes, { width, height, chip }, root) {
  const order = treeOrder(nodes);
  const depths = Math.max(0, ...nodes.map(({ column }) => column));
  const levels = Array.from({ length: depths }, (_, at) =>
    order.filter((index) => nodes[index].column === at + 1),
  );
  const tall = heights(nodes, levels, height, chip);
  const middles = down(nodes, order, levels, tall, height);
  const across = columnsOf(nodes, levels, tall, root, width, chip);
  const box = (column, wide, middle, high, dot) => ({
    left: across.columns[column].left,
    top: middle - high / 2,
    width: Math.min(across.columns[column].width, across.type * wide),
    height: high,
    dot,
  });
  const boxes = nodes.map(({ column, wide }, index) => {
    const dot = tall[index] < chip;
    return box(
      column,
      dot ? Math.min(0.5 * chip, tall[index]) / across.type : wide,
      middles[index],
      dot ? 0.8 * tall[index] : 0.89 * chip,
      dot,
    );
  });
  const top = levels[0]?.length ? (middles[levels[0][0]] + middles[levels[0].at(-1)]) / 2 : height / 2;
  return {
    boxes: [...boxes, box(0, root, top, 0.89 * chip, false)],
    columns: across.columns,
    type: across.type,
  };
}

/**
 * How much of a column each node takes: a chip where there is room for one, most important first, else a
 * dot.
 */
function heights(nodes, levels, height, chip) {
  const tall = nodes.map(() => chip);
  for (const level of levels) {
    const dots = (chips) => (height - chips * chip) / (level.length - chips);
    let chips = level.length;
    while (chips > FEWEST && chips * chip + (level.length - chips) * DOT.least * chip > height) chips -= 1;
    const few = level.length > chips;
    if (few && chips > FEWEST) while (chips > FEWEST && dots(chips) < DOT.least * chip) chips -= 1;
    if (!few) continue;
    const high = Math.min(DOT.full * chip, Math.max(1, dots(chips)));
    for (const index of [...level].sort((a, b) => nodes[b].rank - nodes[a].rank || a - b).slice(chips))
      tall[index] = high;
  }
  return tall;
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

/** Columns as wide as their widest chip; if they do not all fit, the widest shrink. */
function columnsOf(nodes, levels, tall, root, width, chip) {
  const widest = [
    root,
    ...levels.map((level) =>
      Math.max(
        0.5 * chip,
        ...level.filter((index) => tall[index] === chip).map((index) => nodes[index].wide),
      ),
    ),
  ];
  const gaps = widest.length - 1;
  const all = (type) => type * widest.reduce((sum, each) => sum + each, 0);
  const [type, gap] =
    FITS.find(([share, between]) => all(share) + gaps * between * chip <= width) ?? FITS.at(-1);
  const room = width - gaps * gap * chip;
  const wides = capped(
    widest.map((wide) => type * wide),
    room,
  );
  const spare = gaps
    ? Math.min(
        WIDEST_GAP * chip - gap * chip,
        (width - gaps * gap * chip - wides.reduce((sum, each) => sum + each, 0)) / gaps,
      )
    : 0;
  let left = 0;
  const columns = wides.map((wide) => {
    const column = { left, width: wide };
    left += wide + gap * chip + Math.max(0, spare);
    return column;
  });
  return { columns, type };
}

/** Widths that fit the room: all that exceed a common limit are cut to it. */
function capped(widths, room) {
  const sorted = [...widths].sort((a, b) => a - b);
  let left = room;
  for (const [at, wide] of sorted.entries()) {
    const cap = left / (sorted.length - at);
    if (wide > cap) return widths.map((each) => Math.min(each, Math.max(1, cap)));
    left -= wide;
  }
  return widths;
}

/**
 * The same tree as a list of paths, one row for each leaf: what a row shares with the row above is a line,
 * not said again. Same answer as place(), with the row of each node.
 */
export function paths(nodes, { chip, row }) {
  const order = treeOrder(nodes);
  const boxes = [];
  let rows = 0;
  let last = null;
  for (const index of order) {
    const { parent, wide } = nodes[index];
    if (last !== null && parent !== last) rows += 1;
    const before = boxes[parent];
    boxes[index] = {
      left: before ? before.left + before.width + 0.3 * chip : 0,
      top: rows * row + (row - chip) / 2,
      width: wide,
      height: chip,
      dot: false,
      row: rows,
    };
    last = index;
  }
  return {
    boxes,
    rows: rows + (order.length ? 1 : 0),
    width: Math.max(0, ...boxes.map(({ left, width }) => left + width)),
  };
}
