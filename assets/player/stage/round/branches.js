/**
 * branches.js: where the nodes of a tree are in a field: columns are depths, and no edge crosses another.
 * Pure: sizes in, boxes out, both in pixels. A node is { parent, column, wide, rank }: an index or -1 for
 * the text so far, its depth from 1, how wide its chip is at full type, and how much it matters, by which
 * chips are given out.
 */

/**
 * The height of a chip and its type, as shares of the full, and the gap between columns, in heights of a
 * chip; the first by which every node is a chip is taken, else the last.
 */
const FITS = [
  { high: 1, type: 1, gap: 0.9 },
  { high: 0.82, type: 1, gap: 0.8 },
  { high: 0.7, type: 1, gap: 0.7 },
  { high: 0.7, type: 0.93, gap: 0.5 },
];
/** Heights of a chip: its box, between the lanes of a column, and a dot, as it should be and at least. */
const BOX = 0.91;
const LANE_GAP = 0.3;
const DOT = { full: 0.32, least: 0.1 };
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
 * so far; columns are { left, width } by depth; type is the share of full type it takes. A column too high
 * for its chips puts them in several lanes, in turns, so that the edge to a chip passes between those before
 * it. The columns share the whole width; no chip is narrower than one of full size is high.
 */
export function place(nodes, { width, height, chip }, root) {
  const order = treeOrder(nodes);
  const depths = Math.max(0, ...nodes.map(({ column }) => column));
  const levels = Array.from({ length: depths }, (_, at) =>
    order.filter((index) => nodes[index].column === at + 1),
  );
  const field = { nodes, levels, width, height, chip, root };
  const roomy = FITS.map((fit) => withLanes(field, fit, lanesFor(field, fit)));
  const { fit, lanes, chips, wides } = roomy.find(({ spare }) => spare >= 0) ?? crowded(field, FITS.at(-1));
  const high = fit.high * chip;
  const tall = heights(nodes, levels, { height, high, lanes, chips });
  const middles = down(nodes, order, levels, tall, { height, high, lanes });
  const columns = columnsOf(wides, width, fit.gap * chip, LANE_GAP * high);
  const box = (lane, wide, middle, tall_, dot) => ({
    left: lane.left,
    top: middle - tall_ / 2,
    width: Math.min(lane.width, wide),
    height: tall_,
    dot,
  });
  const boxes = [];
  levels.forEach((level, at) => {
    let turn = 0;
    const { dots, ways } = columns[at + 1];
    for (const index of level)
      boxes[index] = chips[at].has(index)
        ? box(ways[turn++ % ways.length], wideOf(nodes[index], fit, chip), middles[index], BOX * high, false)
        : box(dots, DOT.full * chip, middles[index], 0.8 * tall[index], true);
  });
  const [first, last] = [levels[0]?.[0], levels[0]?.at(-1)];
  const middle = levels[0]?.length ? (middles[first] + middles[last]) / 2 : height / 2;
  boxes.push(box(columns[0].ways[0], fit.type * root, middle, BOX * high, false));
  return { boxes, columns: columns.map(({ left, width: wide }) => ({ left, width: wide })), type: fit.type };
}

const wideOf = ({ wide }, { type }, chip) => Math.max(BOX * chip, type * wide);

/** How many lanes each level needs for all its nodes to be chips: one less than a chip's height is shared. */
function lanesFor({ levels, height, chip }, { high }) {
  const tall = high * chip;
  return levels.map(({ length }) =>
    Math.max(1, Math.ceil(((length - 1) * tall) / Math.max(1, height - tall) - 1e-9)),
  );
}

/** The chips of each level in that many lanes, how wide these are, and the width that is left; it may be none. */
function withLanes(field, fit, lanes) {
  const { nodes, levels, width, chip, root } = field;
  const high = fit.high * chip;
  const chips = levels.map((level, at) => chipsOf(field, level, high, lanes[at]));
  const wides = levels.map((level, at) => {
    const ways = Array.from({ length: lanes[at] }, () => BOX * chip);
    level
      .filter((index) => chips[at].has(index))
      .forEach((index, turn) => {
        ways[turn % lanes[at]] = Math.max(ways[turn % lanes[at]], wideOf(nodes[index], fit, chip));
      });
    return { dots: chips[at].size < level.length ? DOT.full * chip : 0, ways };
  });
  wides.unshift({ dots: 0, ways: [fit.type * root] });
  return { fit, lanes, chips, wides, spare: width - least(wides, fit.gap * chip, LANE_GAP * high) };
}

const least = (wides, gap, between) =>
  (wides.length - 1) * gap + wides.reduce((sum, { dots, ways }) => sum + across({ dots, ways }, between), 0);

/** The width of a column: its lane of dots, if any, and its lanes of chips. */
function across({ dots, ways }, between) {
  return ways.reduce((sum, way) => sum + way + between, dots ? dots + between : 0) - between;
}

/** Where not every node can be a chip: lanes as long as there is width for one, most dots first. */
function crowded(field, fit) {
  const wanted = lanesFor(field, fit);
  let best = withLanes(
    field,
    fit,
    wanted.map(() => 1),
  );
  const stuck = new Set();
  for (;;) {
    const dots = field.levels.map((level, at) =>
      stuck.has(at) || best.lanes[at] >= wanted[at] ? 0 : level.length - best.chips[at].size,
    );
    const at = dots.indexOf(Math.max(0, ...dots));
    if (at < 0 || !dots[at]) return best;
    const more = withLanes(
      field,
      fit,
      best.lanes.map((many, level) => many + Number(level === at)),
    );
    if (more.spare >= 0) best = more;
    else stuck.add(at);
  }
}

/** Which of a level are chips: the most important ones, as many as there is room for; the others are dots. */
function chipsOf({ nodes, height, chip }, level, high, lanes) {
  const room = height - high + high / lanes;
  const dot = DOT.least * chip;
  const fits = (chips) => (chips * high) / lanes + (level.length - chips) * dot <= room + 1e-6;
  let many = level.length;
  while (many > FEWEST && !fits(many)) many -= 1;
  return new Set([...level].sort((a, b) => nodes[b].rank - nodes[a].rank || a - b).slice(0, many));
}

/** How much of its column each node takes: a chip shares its height with those of the other lanes. */
function heights(nodes, levels, { height, high, lanes, chips }) {
  const tall = [];
  levels.forEach((level, at) => {
    const each = high / lanes[at];
    const many = chips[at].size;
    const left = height - high + each - many * each;
    const dot = Math.min(DOT.full * high, Math.max(1, left / Math.max(1, level.length - many)));
    for (const index of level) tall[index] = chips[at].has(index) ? each : dot;
  });
  return tall;
}

/**
 * The middle of every node: where it would like to be, then the nearest places that keep the order and do
 * not overlap.
 */
function down(nodes, order, levels, tall, { height, high, lanes }) {
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
  levels.forEach((level, depth) => {
    const edge = (high - high / lanes[depth]) / 2; // half a chip stands out of its share
    let offset = edge;
    const offsets = level.map((index) => (offset += tall[index]) - tall[index] / 2);
    const slack = Math.max(0, height - edge - offset);
    nearest(level.map((index, at) => wish[index] - offsets[at])).forEach((value, at) => {
      middles[level[at]] = offsets[at] + Math.max(0, Math.min(slack, value));
    });
  });
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

/**
 * Columns with their lanes, over the whole width: { left, width, dots, ways }, dots and each of ways a lane
 * { left, width }. If they do not all fit, the widest lanes shrink.
 */
function columnsOf(wides, width, gap, between) {
  const gaps = wides.length - 1;
  const over = least(wides, gap, between) - width;
  const lanes = wides.flatMap(({ ways }) => ways);
  const sum = lanes.reduce((all, way) => all + way, 0);
  const cut = over > 0 ? capped(lanes, sum - over) : [...lanes];
  const spare = gaps ? Math.max(0, -over) / gaps : 0;
  let left = 0;
  return wides.map(({ dots, ways }) => {
    const from = left;
    const lane = (wide) => {
      const made = { left, width: wide };
      left += wide + between;
      return made;
    };
    const column = { left: from, dots: dots ? lane(dots) : null, ways: ways.map(() => lane(cut.shift())) };
    column.width = left - between - from;
    left += gap + spare - between;
    return column;
  });
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
 * The same tree as a list of paths, one row for each leaf: what a row shares with the row above is not said
 * again, its first node hangs on an edge from there. Same answer as place(), with the row of each node; the
 * text so far begins the first row.
 */
export function paths(nodes, { chip, row, gap }, root) {
  const order = treeOrder(nodes);
  const placed = (left, wide, at) => ({
    left,
    top: at * row + (row - chip) / 2,
    width: wide,
    height: chip,
    dot: false,
    row: at,
  });
  const stem = placed(0, root, 0);
  const boxes = [];
  let rows = 0;
  let last = -1;
  for (const index of order) {
    const { parent, wide } = nodes[index];
    if (parent !== last) rows += 1;
    const before = boxes[parent] ?? stem;
    boxes[index] = placed(before.left + before.width + gap, Math.max(chip, wide), rows);
    last = index;
  }
  boxes.push(stem);
  return { boxes, rows: rows + 1, width: Math.max(...boxes.map(({ left, width }) => left + width)) };
}
