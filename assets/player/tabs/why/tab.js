/**
 * reasoning.js: the Why tab: measures the machine, sweeps temperature and kind of text, and shows what textbooks say beside
 * it. What was measured stays until another run takes the stage.
 */

import { createChart } from '../../page/chart.js';
import { el, set, write } from '../../base/dom.js';
import { createWorked } from './draw-worked.js';
import { clean, count } from '../../base/format.js';
import { alphaOf, genres, grouped, temperatures } from './reason.js';
import { batch, genre, passes, roofline, temperature, textbook } from './figures.js';
import { PROMPTS } from './words-reason.js';
import { words } from './words.js';

/** The part of labs.js. */
export function createReasoning({ ask, stop }) {
  const texts = words.reason;
  const asks = Object.fromEntries(Object.entries(texts.ask).map(([job, text]) => [job, button(job, text, () => start(job))]));
  const cancel = button('cancel', texts.cancel, () => stop() && settle(texts.cancelled));
  const bar = el('progress', { 'aria-label': texts.progress, max: 1, hidden: true });
  const note = el('p', { role: 'status', 'data-sv': 'reason-note' });
  const charts = Object.fromEntries(['roofline', 'textbook', 'passes', 'batch', 'temperature', 'genre'].map((name) => [name, createChart(name)]));
  const none = Object.fromEntries(Object.entries(texts.none).map(([job, text]) => [job, el('p', { 'data-sv': 'reason-none' }, text)]));
  const sections = {
    machine: section('machine', el('p', {}, texts.about), none.machine, charts.roofline.node, charts.textbook.node, charts.passes.node, charts.batch.node),
    text: section('text', none.temperature, charts.temperature.node, none.genre, charts.genre.node),
    worked: section('worked', createWorked().node),
  };
  const node = el('div', { 'data-sv': 'reason' },
    el('div', { 'data-sv': 'reason-bar' }, ...Object.values(asks), cancel, note, bar), ...Object.values(sections));
  let story = null; // the run on stage
  let asked = null; // the job under way, and for a sweep the names of its cells
  let found = {}; // the machine, and cells and names of each sweep
  charts.textbook.draw(textbook());
  settle('');

  function section(name, ...inside) {
    const title = el('h2', { id: `sv-reason-${name}` }, texts.sections[name]);
    return el('section', { 'data-section': name, 'aria-labelledby': title.id }, title, ...inside);
  }

  function start(job) {
    if (asked || !story) return;
    const { config } = story.trace.info;
    const sweep = { temperature: () => temperatures(config), genre: () => genres(config, PROMPTS) }[job]?.();
    asked = { job, names: sweep?.names };
    busy(texts.waiting, null);
    sections[sweep ? 'text' : 'machine'].scrollIntoView({ block: 'nearest' });
    ask({ run: story.trace.run, ...(sweep ? { job: 'sweep', over: sweep.over } : { job }) });
  }

  function busy(text, share) {
    write(note, text);
    set(bar, { hidden: false, value: share });
    Object.values(asks).forEach((each) => set(each, { 'aria-disabled': 'true' }));
    set(cancel, { hidden: false });
    set(node, { 'data-busy': asked.job });
  }

  /** Nothing is asked any more; what was measured stays. */
  function settle(text) {
    const back = document.activeElement === cancel && asks[asked?.job];
    asked = null;
    write(note, clean(text));
    set(bar, { hidden: true });
    Object.values(asks).forEach((each) => set(each, { 'aria-disabled': null }));
    set(cancel, { hidden: true });
    set(node, { 'data-busy': null });
    if (back) back.focus(); // or the keys would lose the tab
  }

  function draw() {
    const { machine, temperature: hot, genre: kinds } = found;
    charts.roofline.draw(machine ? roofline(machine) : null);
    charts.passes.draw(machine ? passes(machine) : null);
    charts.batch.draw(machine ? batch(machine, alphaOf(story), story.trace.info.config.drafter !== 'small-model') : null);
    charts.temperature.draw(hot ? swept(temperature, hot) : null);
    charts.genre.draw(kinds ? swept(genre, kinds) : null);
    Object.entries(none).forEach(([job, text]) => set(text, { hidden: Boolean(found[job]) }));
  }

  function swept(figure, { names, cells }) {
    return figure(grouped(names, cells), cells, cells[0].config);
  }

  return {
    node,
    look(given) {
      story = given;
    },
    hear({ done, of, machine, cell, error }) {
      const { job, names } = asked;
      if (done === undefined) {
        settle(error === undefined ? '' : texts.refused(error));
        return;
      }
      if (machine) found = { ...found, machine };
      else found = { ...found, [job]: { names, cells: done === 1 ? [cell] : [...found[job].cells, cell] } };
      busy(machine ? texts.stages(done, of, texts.next[Math.min(done, texts.next.length - 1)]) : texts.runs(count(done), count(of)), done / of);
      draw();
    },
    open() {
      found = {};
      settle('');
      draw();
    },
    drop: settle,
  };
}

function button(name, text, act) {
  const node = el('button', { type: 'button', 'data-sv': 'reason-ask', 'data-job': name }, text);
  node.addEventListener('click', act);
  return node;
}
