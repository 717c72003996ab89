/**
 * motion-residual.js: shows that what is left of p is the blue parts of the bars: they leave their rows,
 * line up in the ruler at their true width, and then stretch together until the ruler is full.
 */

const [LEAVE, LINED, HELD, FULL] = [250, 1130, 1510, 2350];

/** Plays it; returns when it is over, in milliseconds. */
export function residual({ film, parts, scene }) {
  const { segments, mass } = scene.ruler;
  const ruler = parts.segments.getBoundingClientRect();
  const colours = [...parts.segments.children].map((node) => getComputedStyle(node).backgroundColor);
  const faded = parts.bars.querySelectorAll('[data-sv="bar"] :is([data-kind="overlap"], [data-kind="q"])');
  for (const part of faded) film.move(part, [{ opacity: 1 }, {}], { duration: 350 });
  for (const { from, start, share, segment } of pieces(parts, segments, mass)) {
    const box = (scale) => ({
      left: ruler.left + start * scale * ruler.width,
      top: ruler.top,
      width: Math.max(1, share * scale * ruler.width),
      height: ruler.height,
    });
    film.ghost(
      [
        { box: from, at: 0 },
        { box: from, at: LEAVE, ease: 'cubic-bezier(.45, 0, .2, 1)' },
        { box: box(mass), at: LINED },
        { box: box(mass), at: HELD, ease: 'cubic-bezier(.45, 0, .2, 1)' },
        { box: box(1), at: FULL },
      ],
      { background: colours[segment] },
      'part',
    );
  }
  for (const node of parts.segments.children) {
    film.hide(node, FULL);
    film.appear(node.lastElementChild, FULL, 250);
  }
  const [, , , , bracket, was] = parts.rulerUnder.children;
  film.appear(bracket, LINED, 200);
  film.appear(was, LINED, 200);
  film.appear(was.lastElementChild, FULL, 200);
  return FULL + 250;
}

/**
 * The parts of p that are left, each with where it is and where in the full ruler it goes: a named
 * segment takes its token's part, the others share what the other rows have.
 */
function pieces({ bars }, segments, mass) {
  const rows = [...bars.children].map((row) => ({
    row,
    id: row.dataset.tokenId,
    residual: Number(row.dataset.residual ?? 0),
    part: row.querySelector('[data-sv="bar"] [data-kind="p"]'),
  }));
  const boxed = ({ part }) => part.getBoundingClientRect();
  const rest = rows.find(({ row }) => row.dataset.rest);
  const list = [];
  const named = new Set();
  segments.forEach(({ token, start, share }, segment) => {
    const row = rows.find(({ id }) => id !== undefined && id === String(token));
    if (!row) return;
    named.add(row);
    list.push({ from: boxed(row), start, share, segment });
  });
  segments.forEach((each, segment) => {
    if ([...named].some(({ id }) => id === String(each.token))) return;
    let { start } = each;
    const end = each.start + each.share;
    for (const row of rows) {
      if (named.has(row) || row === rest || row.residual <= 0) continue;
      const share = Math.min(row.residual / mass, end - start);
      if (share <= 0) continue;
      list.push({ from: boxed(row), start, share, segment });
      named.add(row);
      start += share;
    }
    if (rest && end - start > 1e-5) list.push({ from: boxed(rest), start, share: end - start, segment });
  });
  return list.filter(({ from }) => from.width > 0);
}
