/**
 * draw.js: a scene on the page. Builds its elements once, then makes them show any scene, whatever was there before.
 * Colour, border and glyph come from the style sheet by data-state and data-kind; the numbers drawn stand in data-*.
 */

import { el, fill, set, write, writeMath } from '../base/dom.js';
import { drawFigure, figureParts } from './draw-figure.js';
import { drawCaches, drawLanes, lanesPart } from './draw-strips.js';
import { drawRibbon } from './draw-ribbon.js';
import { number } from '../base/format.js';
import { createTip } from './tip.js';
import { words } from './words.js';

const part = (name, tag = 'div', attributes = {}) => el(tag, { 'data-sv': name, ...attributes });

/**
 * Puts the stage's elements into root; returns { parts, draw(scene), drawLanes(lanes) }. want has redraw(), pick(slot, node,
 * onToken), ask(topic, node) and jump(lane, x): clicks on slots, on the small questions and on the lanes.
 */
export function createStage(root, want) {
  const question = (topic) => {
    const node = part('ask', 'button', { type: 'button', 'data-topic': topic, 'aria-label': words.topics[topic][0], title: words.topics[topic][0] });
    node.textContent = '?';
    node.addEventListener('click', () => want.ask(topic, node));
    return node;
  };
  const parts = {
    about: part('about', 'p'),
    source: part('source', 'span'),
    ahead: part('ahead', 'span', { hidden: true }),
    note: part('note', 'span', { role: 'status' }),
    meanwhile: el('button', { type: 'button', 'data-sv': 'meanwhile', hidden: true }, words.meanwhile),
    refusal: part('refusal', 'div', { role: 'alert', hidden: true }),
    ribbon: part('ribbon', 'div', { role: 'list', 'aria-label': words.output, tabindex: 0 }),
    title: part('title', 'h2'),
    phase: part('phase', 'span'),
    rate: part('rate', 'span'),
    lane: part('lane', 'div', { role: 'listbox', 'aria-label': words.slots }),
    sweep: part('sweep', 'i', { 'aria-hidden': 'true' }),
    equation: part('equation', 'p'),
    rulerTitle: part('ruler-title', 'p'),
    ruler: part('ruler', 'div', { 'aria-hidden': 'true' }),
    segments: part('segments'),
    dart: part('dart', 'b'),
    algorithm: part('algorithm', 'ol'),
    caches: part('caches', 'section', { 'aria-label': words.caches }),
    caption: part('caption', 'p', { 'aria-live': 'polite' }),
    ...figureParts(want.redraw),
  };
  parts.ruler.append(parts.segments, parts.dart);
  parts.lane.addEventListener('click', (event) => {
    const slot = event.target.closest('[data-sv="slot"]');
    if (slot) want.pick([...parts.lane.children].indexOf(slot), slot, event.target.matches('[data-sv="chip"]'));
  });
  const lanes = lanesPart(want.jump);
  const whole = el('div', { 'data-sv': 'whole' }, parts.caches, lanes.node);
  const tell = createTip(whole);
  parts.owes = question('owes');
  write(parts.about, words.about);
  root.replaceChildren(
    el('header', { 'data-sv': 'head' }, parts.source, parts.ahead, parts.note, parts.meanwhile, parts.about),
    parts.refusal,
    el('div', { 'data-sv': 'tape' }, parts.ribbon),
    el('div', { 'data-sv': 'main' },
      el('section', { 'data-sv': 'card', 'data-card': 'round', 'aria-label': words.slots },
        el('div', { 'data-sv': 'heading' }, parts.title, parts.phase, question('rows'), parts.rate),
        el('div', { 'data-sv': 'field' }, parts.lane, parts.sweep), parts.equation, parts.rulerTitle, parts.ruler),
      el('section', { 'data-sv': 'card', 'data-card': 'figure', 'aria-label': words.figure },
        el('div', { 'data-sv': 'heading' }, el('h2', {}, words.figure), question('temperature'), parts.overlap, parts.left),
        parts.legend, parts.table, parts.noFigure),
      el('section', { 'data-sv': 'card', 'data-card': 'algorithm', 'aria-label': words.algorithm.title },
        el('div', { 'data-sv': 'heading' }, el('h2', {}, words.algorithm.title)), parts.algorithm)),
    whole,
  );
  return {
    parts,
    draw: (scene) => {
      draw(parts, lanes, scene);
      tell(scene.cellTitle);
    },
    drawLanes: (list) => drawLanes(lanes, list),
  };
}

function draw(parts, lanes, scene) {
  write(parts.title, scene.title);
  write(parts.phase, scene.phase);
  write(parts.rate, scene.rate);
  drawRibbon(parts.ribbon, scene.ribbon);
  fill(parts.lane, scene.slots, createSlot, paintSlot);
  requestAnimationFrame(() => { // measuring now would cost a layout of its own
    centre(parts.lane, parts.lane.children[scene.focus]);
    reach(parts.algorithm, parts.algorithm.querySelector('[data-lit]'));
  });
  fill(parts.equation, scene.equation, () => el('span', {}, el('span'), el('strong')), ({ children }, pair) => {
    pair.forEach((text, index) => write(children[index], text));
  });
  drawRuler(parts, scene.ruler);
  drawFigure(parts, scene.figure, scene.settled);
  const current = scene.algorithm.findIndex(({ lit }) => lit);
  fill(parts.algorithm, scene.algorithm, () => el('li', { tabindex: -1 }, el('span', { 'data-says': 'plain' }), el('span', { 'data-says': 'live' })),
    (node, line, index) => paintLine(node, line, index === current));
  drawCaches(parts, scene.caches, scene.cellTitle);
  lanes.place(scene.playhead);
  lanes.tell = scene.laneTitle;
  write(parts.caption, scene.caption);
}

function createSlot() {
  const seen = (name, ...children) => el('span', { 'data-sv': name, dir: 'ltr', 'aria-hidden': 'true' }, ...children);
  return el('div', { 'data-sv': 'slot', role: 'option', tabindex: -1 }, seen('chip'), seen('number'), seen('number'), seen('strip', el('i'), el('b')),
    seen('verdict'), seen('chip'), el('span', { 'data-sv': 'said' }));
}

function paintSlot(node, slot) {
  const [token, q, p, strip, note, second, said] = node.children;
  set(node, {
    'data-state': slot.state, 'data-token-id': slot.token && slot.token.id, 'data-p': slot.p, 'data-q': slot.q, 'data-a': slot.keep,
    'data-u': slot.u, 'aria-selected': String(slot.focused),
  });
  node.tabIndex = slot.focused ? 0 : -1; // set() may take attributes off first, and without this one the focus is gone
  paintChip(token, slot.token);
  write(q, `q ${number(slot.q)}`);
  write(p, `p ${slot.p === null && slot.state === 'draft' ? '?' : number(slot.p)}`);
  set(strip, { 'data-kind': slot.strip ? (slot.strip.known ? 'known' : 'unknown') : 'none' });
  set(strip.firstElementChild, { style: `width: ${percent(slot.strip?.accept ?? 0)}` });
  paintDart(strip.lastElementChild, slot.strip?.dart ?? null);
  write(note, slot.note);
  paintChip(second, slot.second);
  write(said, slot.label);
}

function paintChip(node, token) {
  const text = token?.text ?? '';
  write(node, text);
  set(node, { 'data-look': token?.state ?? 'empty', style: `--letters: ${text.length}` });
}

function drawRuler(parts, ruler) {
  write(parts.rulerTitle, ruler.title);
  set(parts.ruler, { 'data-kind': ruler.kind });
  fill(parts.segments, ruler.segments, () => el('span', { dir: 'ltr' }), (node, { label, share, hit, refuse }) => {
    write(node, share > 0.09 || hit ? label : '');
    set(node, { style: `width: ${percent(share)}`, 'data-share': share, 'data-hit': hit, 'data-refuse': Boolean(refuse) });
  });
  set(parts.dart, { 'data-u': ruler.dart });
  paintDart(parts.dart, ruler.dart);
}

function paintLine(node, { plain, live, lit, indent, note }, current) {
  const [paper, numbers] = node.children;
  writeMath(paper, plain);
  writeMath(numbers, live);
  set(node, { 'data-lit': lit, 'data-note': note, style: `--indent: ${indent}`, 'aria-current': current ? 'step' : null });
  node.tabIndex = current ? 0 : -1;
}

/** A share as a CSS length. */
export function percent(share) {
  return `${100 * share}%`;
}

/** Puts a dart at a share of its box; null hides it. */
export function paintDart(node, at) {
  set(node, { style: `left: ${percent(at ?? 0)}`, hidden: at === null });
}

/** Keeps the lit line in view where the pane is lower than its lines. */
function reach(pane, line) {
  if (pane.scrollHeight > pane.clientHeight && line) pane.scrollTop = line.offsetTop - pane.clientHeight / 3;
}

/** Keeps the focused slot in view where the lane is narrower than its slots. */
function centre(lane, slot) {
  if (lane.scrollWidth > lane.clientWidth && slot) {
    lane.scrollLeft = slot.offsetLeft - (lane.clientWidth - slot.offsetWidth) / 2;
  }
}
