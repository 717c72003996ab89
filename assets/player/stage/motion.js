/**
 * motion.js: how a beat arrives. Animations run on top of a stage that already shows the beat and leave no trace in it,
 * so cutting one short, or never starting it, shows the same still.
 */

const EASE = 'cubic-bezier(.2, .8, .2, 1)';
const running = new Set();

/** Ends whatever still moves. */
export function settle() {
  running.forEach((animation) => animation.cancel());
  running.clear();
}

/** Moves what is new at this beat into place within `time` milliseconds; 0 cuts. */
export function arrive(parts, { kind, focus, slots, ruler }, time) {
  settle();
  if (!time) return;
  const move = (node, frames, options = {}) => {
    if (!node) return;
    const animation = node.animate(frames, { duration: time, easing: EASE, fill: 'backwards', ...options });
    running.add(animation);
    animation.onfinish = () => running.delete(animation);
  };
  const slot = parts.lane.children[focus];
  const [chip, , p, strip] = slot?.children ?? [];
  const fall = [{ transform: 'translateY(-26px)', opacity: 0 }, { transform: 'none', opacity: 1 }];
  const pop = [{ transform: 'scale(1.18)' }, { transform: 'none' }];
  const fresh = [...parts.ribbon.querySelectorAll('[data-fresh]')];
  if (kind === 'draft') {
    move(chip, fall);
    move(fresh.at(-1), fall);
  }
  if (kind === 'verify') {
    move(parts.sweep, [{ opacity: 1, transform: 'translateY(0)' }, { opacity: 1, transform: `translateY(${parts.lane.clientHeight}px)`, offset: 0.9 }, { opacity: 0 }]);
    [...parts.lane.children].forEach(({ children }) => move(children[2], [{ opacity: 0 }, { opacity: 1 }]));
  }
  if (kind === 'dart') {
    [strip?.lastElementChild, parts.dart, ...parts.bars.querySelectorAll('[data-sv="bar"] b:not([hidden])')].forEach((dart) => move(dart, fall));
  }
  if (kind === 'verdict') {
    move(chip, pop);
    const later = [...parts.lane.children].slice(focus + 1).filter((_, index) => slots[focus + 1 + index].state === 'untested');
    later.forEach((node, index) => move(node, [{ opacity: 0.2 }, { opacity: 1 }], { duration: Math.min(time, 300), delay: (Math.min(time, 300) * index) / later.length }));
  }
  if (kind === 'residual' || kind === 'bonus') {
    move(parts.segments, [{ transform: `scaleX(${ruler.mass})` }, { transform: 'none' }], { duration: time * 0.6 });
    move(parts.dart, fall, { duration: time * 0.3, delay: time * 0.6 });
    parts.bars.querySelectorAll('td[data-kind="residual"] i').forEach((bar) => move(bar, [{ transform: `scaleX(${ruler.mass})` }, { transform: 'none' }], { duration: time * 0.6 }));
    move(kind === 'bonus' ? chip : slot?.children[5], pop, { duration: time * 0.4, delay: time * 0.6 });
    move(fresh.at(-1), fall, { duration: time * 0.4, delay: time * 0.6 });
  }
  if (kind === 'trim') {
    fresh.forEach((node) => move(node, [{ transform: 'translateY(30px)', opacity: 0.3 }, { transform: 'none', opacity: 1 }], { duration: Math.min(time, 400) }));
    parts.caches.querySelectorAll('[data-cell="rolled-back"], [data-cell="owed"]').forEach((cell) => move(cell, [{ transform: 'translateY(-14px)' }, { transform: 'none' }]));
  }
}
