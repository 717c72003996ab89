/**
 * motion.js: how a beat arrives, cause before effect. It plays over what draw(scene) already shows and leaves no trace:
 * to stop is to see the still.
 */

import { el } from '../base/dom.js';
import { slotOf } from './draw-lane.js';
import { EASE, FALL, createFilm } from './motion-film.js';
import { residual } from './motion-residual.js';
import { gather, rollBack } from './motion-trim.js';

/** root: the element that holds the stage and its foot. Returns { play(scene, speed): milliseconds it takes, stop() }. */
export function createMotion(root, parts) {
  const layer = el('div', { 'data-sv': 'fly', 'aria-hidden': 'true' });
  root.append(layer);
  const film = createFilm(layer);
  return {
    play(scene, speed = 1) {
      film.stop();
      const act = ACTS[scene.kind];
      const here = scene.tree.shape === 'tree' ? { ...parts, lane: parts.branches, cols: parts.branches, edges: parts.branchEdges, sweep: parts.branchSweep } : parts;
      if (!act || !(speed > 0) || !here.lane.offsetWidth) return 0;
      film.start(speed);
      return act({ film, parts: here, scene, root }) / speed;
    },
    stop: film.stop,
  };
}

const ACTS = {
  draft({ film, parts, scene }) {
    const land = throwNumber(film, parts, scene, 120, 520);
    reveal(film, parts, land);
    const end = lift(film, parts, scene, land + 160, 520);
    spread(film, parts, scene);
    under(film, focusOf(parts, scene), end - 80);
    return end + 120;
  },

  verify({ film, parts }) {
    const height = parts.lane.clientHeight;
    film.move(parts.sweep, [{ opacity: 0, transform: 'translateY(-1.6rem)' }, { opacity: 1, offset: 0.15 }, { opacity: 1, offset: 0.85 }, { opacity: 0, transform: `translateY(${height - 20}px)` }],
      { duration: 800, easing: 'cubic-bezier(.4, 0, .6, 1)' });
    for (const p of parts.cols.querySelectorAll('[data-sv="numbers"] [data-kind="p"]')) {
      film.move(p, [{ opacity: 0, transform: 'translateY(-.4rem)' }, { opacity: 1, transform: 'none' }], { delay: 520, duration: 260 });
    }
    for (const part of parts.cols.querySelectorAll('[data-sv="strip"] i')) film.appear(part, 560, 300);
    for (const bar of parts.bars.querySelectorAll('[data-sv="bar"] :is([data-kind="overlap"], [data-kind="p"])')) grow(film, bar, 480);
    for (const segment of parts.segments.children) film.appear(segment, 560, 340);
    return 900;
  },

  dart({ film, parts, scene }) {
    const node = scene.tree.nodes[scene.tree.focus];
    const land = throwNumber(film, parts, scene, node.p >= node.q ? 60 : 420, 640);
    reveal(film, parts, land, false);
    const marks = [...parts.bars.querySelectorAll('[data-sv="bar"] > b:not([hidden])'), focusOf(parts, scene)?.querySelector('[data-sv="strip"] > b')];
    for (const mark of marks) film.move(mark, [{ opacity: 0, transform: 'translateY(-.6rem)' }, { opacity: 1, transform: 'none' }], { delay: land, duration: 180 });
    return land + 180;
  },

  verdict({ film, parts, scene }) {
    const slot = focusOf(parts, scene);
    const chip = slot?.firstElementChild;
    if (!chip) return 0;
    film.appear(parts.sum.querySelector('[data-sv="term-verdict"]'), 200);
    if (scene.tree.shape === 'tree') passOver(film, parts, scene, slot);
    return slot.dataset.state === 'accepted' ? accept(film, parts, slot, chip) : reject(film, parts, scene, chip);
  },

  adjust({ film, parts, scene }) {
    const mass = scene.ruler.bracket?.was ?? 1;
    for (const bar of parts.bars.querySelectorAll('[data-sv="bar"] :is([data-kind="overlap"], [data-kind="p"])')) {
      film.move(bar, [{ transform: `scaleX(${mass})`, transformOrigin: 'left' }, { transform: 'none', transformOrigin: 'left' }], { delay: 120, duration: 580 });
    }
    for (const was of parts.bars.querySelectorAll('[data-kind="was"]')) film.appear(was, 0, 120);
    for (const segment of parts.segments.children) film.appear(segment, 300, 400);
    film.appear(parts.frame, 620);
    return 700;
  },

  residual,

  replace({ film, parts, scene }) {
    const land = throwNumber(film, parts, scene, 350, 640);
    reveal(film, parts, land);
    const own = scene.tree.nodes[scene.tree.focus];
    const fallen = scene.tree.shape === 'tree' ? -1 : scene.tree.nodes.findIndex(({ state, column }) => state === 'rejected' && column === own.column);
    const chip = slotOf(parts.lane, fallen)?.firstElementChild;
    film.move(chip, [{ transform: 'translateY(-2.7rem) rotate(-3.5deg) scale(1.3)' }, { transform: 'none' }], { delay: land + 250, duration: 380, easing: FALL });
    for (const path of edgesTo(parts, fallen)) film.appear(path, land + 500);
    return lift(film, parts, scene, land + 500, 560);
  },

  bonus({ film, parts, scene }) {
    const land = throwNumber(film, parts, scene, 350, 640);
    reveal(film, parts, land);
    for (const bar of parts.bars.querySelectorAll('[data-sv="bar"] [data-kind="p"]')) grow(film, bar, 0);
    under(film, focusOf(parts, scene), land + 700);
    return lift(film, parts, scene, land + 300, 560);
  },

  gather,
  trim: rollBack,
};

function focusOf(parts, { tree }) {
  return slotOf(parts.lane, tree.focus);
}

function edgesTo({ edges }, index) {
  return edges.querySelectorAll(`[data-to="${index}"]`);
}

function grow(film, bar, delay) {
  film.move(bar, [{ transform: 'scaleX(0)', transformOrigin: 'left' }, { transform: 'none', transformOrigin: 'left' }], { delay, duration: 420 });
}

/** The other guesses of a level slide out of their parents. */
function spread(film, parts, { tree }) {
  const { column } = tree.nodes[tree.focus];
  if (tree.shape !== 'tree') return;
  tree.nodes.forEach((node, index) => {
    if (index === tree.focus || node.column !== column || node.state === null) return;
    const delay = 120 + 30 * Math.min(8, node.order);
    film.move(slotOf(parts.lane, index), [{ opacity: 0, transform: 'translateX(-1.5rem)' }, { opacity: 1, transform: 'none' }], { delay, duration: 260 });
    for (const path of edgesTo(parts, index)) film.appear(path, delay, 260);
  });
}

/** What a verdict leaves behind goes dotted, top to bottom: what hangs on a refused guess, or stands beside a kept one. */
function passOver(film, parts, { tree }, slot) {
  const kept = slot.dataset.state === 'accepted';
  const gone = (index) => {
    const { parent } = tree.nodes[index];
    return parent === tree.focus ? !kept : (kept && index !== tree.focus && parent === tree.nodes[tree.focus].parent) || (parent >= 0 && gone(parent));
  };
  const list = tree.nodes.flatMap(({ state, kind }, index) => (state === 'untested' && kind === 'guess' && gone(index) ? [index] : []));
  list.forEach((index, at) => {
    const delay = 200 + (260 * at) / list.length;
    film.appear(slotOf(parts.lane, index), delay, 200);
    for (const path of edgesTo(parts, index)) film.appear(path, delay, 200);
  });
}

/** What stands under a chip comes after it. */
function under(film, slot, delay) {
  for (const part of [...(slot?.children ?? [])].slice(1)) film.appear(part, delay);
}

/**
 * The number leaves the counter beside the figure and falls on its place of the ruler; only there it reads what it is.
 * Returns when it lands.
 */
function throwNumber(film, parts, { ruler }, wait, fall) {
  if (ruler.dart === null || ruler.dart === undefined) return wait;
  const land = wait + fall;
  const real = parts.dart;
  const counter = parts.sum.querySelector('[data-sv="equation"][data-number]')?.getBoundingClientRect();
  const box = real.getBoundingClientRect();
  const copy = film.clone(real, land);
  const [label] = copy.children;
  film.hide(real, land);
  film.spin(label.lastElementChild, label.lastElementChild.textContent, land);
  const from = counter?.width ? [counter.left + 60 - box.left, Math.min(-24, counter.top - box.top)] : [0, -70];
  film.move(copy, [{ translate: `${from[0]}px 0` }, { translate: '0 0' }], { delay: wait, duration: fall, easing: 'linear' });
  film.move(copy, [{ transform: `translateY(${from[1]}px)` }, { transform: 'none' }], { delay: wait, duration: fall, easing: FALL });
  film.move(copy, [{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
  film.move(real.lastElementChild, [{ transform: 'none' }, { transform: 'scaleY(.8)', transformOrigin: 'bottom' }, { transform: 'none' }], { delay: land, duration: 220 });
  return land;
}

/** All that would give the answer away appears when the number has landed; `late` says the sum does, too. */
function reveal(film, parts, land, late = true) {
  const blank = getComputedStyle(parts.tape).getPropertyValue('--sv-tint2');
  for (const piece of parts.headline.querySelectorAll('[data-late]')) {
    const covered = { color: 'transparent', backgroundColor: blank, borderRadius: '.3em' };
    film.move(piece, [covered, { ...covered, offset: 0.01 }, { backgroundColor: 'transparent' }], { delay: land + 40, duration: 220 });
  }
  for (const { children: [label, formula, verdict] } of parts.sum.firstElementChild.children) {
    const number = formula.matches('[data-number]');
    if (!number && late) [label, formula].forEach((part) => film.appear(part, land));
    if (number) film.appear(formula, land);
    film.appear(verdict, land);
  }
  if (late) film.appear(parts.rulerTitle, land);
  film.appear(parts.frame, land);
  film.appear(parts.rulerUnder.lastElementChild, land);
  if (parts.ruler.matches('[data-found]')) {
    for (const segment of parts.segments.children) if (!segment.matches('[data-hit]')) film.move(segment, [{ opacity: 1 }, {}], { delay: land, duration: 220 });
  }
  for (const row of parts.bars.querySelectorAll('[data-focus]')) {
    if (late && row.nextElementSibling?.dataset.rest) for (const part of row.children) film.appear(part, land); // too small for a row but for what comes
    film.move(row, [{ opacity: 0 }, { opacity: 1 }], { delay: land, duration: 180, pseudoElement: '::before' });
    film.move(row.firstElementChild, [{ fontWeight: 400 }, { fontWeight: 700 }], { delay: land, duration: 1 });
  }
}

/** The segment the number fell on leaves the ruler, widens and becomes the chip. Returns when it has. */
function lift(film, parts, scene, delay, duration) {
  const chip = focusOf(parts, scene)?.firstElementChild;
  const segment = parts.segments.querySelector('[data-hit]');
  for (const path of edgesTo(parts, scene.tree.focus)) film.appear(path, delay + 0.7 * duration);
  if (!chip) return delay;
  if (!segment) {
    film.move(chip, [{ opacity: 0, transform: 'translateY(-1.5rem)' }, { opacity: 1, transform: 'none' }], { delay, duration });
    return delay + duration;
  }
  const { left, top, width, height } = segment.getBoundingClientRect();
  const look = getComputedStyle(chip);
  film.ghost([{ box: { left, top, width: Math.max(4, width), height }, at: delay }, { box: chip.getBoundingClientRect(), at: delay + duration }],
    { background: look.backgroundColor, borderRadius: look.borderRadius });
  film.move(chip, [{ opacity: 0 }, { opacity: 0, offset: 0.86 }, { opacity: 1 }], { delay, duration: duration + 40 });
  return delay + duration + 40;
}

function accept(film, parts, slot, chip) {
  const look = getComputedStyle(chip);
  const guess = getComputedStyle(parts.tape);
  const fill = { backgroundImage: `linear-gradient(${look.backgroundColor}, ${look.backgroundColor})`, backgroundRepeat: 'no-repeat', backgroundColor: guess.getPropertyValue('--sv-draft-fill') };
  film.move(chip, [{ ...fill, backgroundSize: '0% 100%', color: guess.getPropertyValue('--sv-draft-ink') }, { ...fill, backgroundSize: '100% 100%', color: look.color }], { duration: 320 });
  film.move(chip, [{ scale: 1 }, { scale: 1.09 }, { scale: 1 }], { delay: 260, duration: 320 });
  for (const path of edgesTo(parts, slot.dataset.node)) film.appear(path, 120, 300);
  return 580;
}

function reject(film, parts, { tree }, chip) {
  const text = chip.lastElementChild;
  const { left, top, width, height } = text.getBoundingClientRect();
  const strike = { left, top: top + height / 2, height: 2 };
  film.move(text, [{ textDecorationColor: 'transparent' }, { textDecorationColor: 'transparent' }], { duration: 220 });
  film.ghost([{ box: { ...strike, width: 0 }, at: 0 }, { box: { ...strike, width }, at: 220 }], { background: getComputedStyle(chip).color });
  film.move(chip, [{ transform: 'none', easing: EASE }, { transform: 'none', offset: 0.4 }, { transform: 'rotate(-7deg) translateY(.6rem)', offset: 0.75 }, {}], { duration: 560 });
  let end = 560;
  tree.nodes.forEach(({ state, tier }, index) => {
    if (state !== 'untested' || !(tier >= 2)) return;
    const delay = end === 560 ? 420 : end - 340;
    film.move(slotOf(parts.lane, index).firstElementChild, [{ transform: 'translateY(-2.7rem)', easing: FALL }, { transform: 'translateY(.25rem)', offset: 0.8 }, { transform: 'none' }], { delay, duration: 380 });
    for (const path of edgesTo(parts, index)) film.appear(path, delay + 200);
    end = delay + 380;
  });
  return end;
}
