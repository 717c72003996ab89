/**
 * tab.js: When is it faster? What a pass over more tokens costs on this machine and what bounds it, what temperature and text do
 * to acceptance, and what textbooks say beside it. It opens on what was measured before; what is measured here of a run stays
 * until another takes the stage.
 */

import { createChart } from '../../page/chart.js';
import { el, set } from '../../base/dom.js';
import { createHead, isOf, runName } from '../head.js';
import { createWorked } from './draw.js';
import { count, number } from '../../base/format.js';
import { added } from '../cells.js';
import { alphaOf, genres, grouped, passesOf, rowsOf, temperatures } from './sums.js';
import { batch, genre, passes, roofline, temperature, textbook } from './figures.js';
import { PROMPTS } from '../words.js';
import { words } from './words.js';

const SWEEPS = { temperature: temperatures, genre: (config) => genres(config, PROMPTS) };

/** The part of labs.js. */
export function createReasoning({ ask, stop, recorded }) {
  const texts = words.reason;
  const head = createHead({ measure: () => start('machine'), cancel: () => stop() && settle(texts.cancelled) });
  const charts = Object.fromEntries(['roofline', 'textbook', 'passes', 'batch', 'temperature', 'genre'].map((name) => [name, createChart(name)]));
  const asks = Object.fromEntries(Object.keys(SWEEPS).map((job) => [job, button(job, texts.ask[job], () => start(job))]));
  const sections = {
    machine: section('machine', charts.passes.node, charts.roofline.node, charts.batch.node, charts.textbook.node),
    text: section('text', el('div', { 'data-sv': 'reason-ways' }, ...Object.values(asks)), charts.temperature.node, charts.genre.node),
    worked: section('worked', createWorked().node),
  };
  const { node } = head;
  let story = null; // the run on stage
  let record = null; // what was measured before, its answers as found here
  let asked = null; // the job under way, and for a sweep the names of its cells
  let coming = null; // what it has brought
  let own = {}; // the machine, and cells and names of each sweep, measured here
  head.ask(texts.question);
  head.body.append(...Object.values(sections));
  charts.textbook.draw(textbook());
  recorded.then((found) => {
    record = found && { ...found, found: foundIn(found) };
    if (story) draw();
  });

  function section(name, ...inside) {
    const title = el('h3', { id: `sv-reason-${name}` }, texts.sections[name]);
    return el('section', { 'data-section': name, 'aria-labelledby': title.id }, title, ...inside);
  }

  function start(job) {
    if (asked || !story) return;
    const { config } = story.trace.info;
    const sweep = SWEEPS[job]?.(config);
    asked = { job, names: sweep?.names };
    coming = null;
    busy(texts.waiting, null);
    ask({ run: story.trace.run, ...(sweep ? { job: 'sweep', over: sweep.over } : { job }) });
  }

  function busy(text, share) {
    head.busy(text, share);
    Object.values(asks).forEach((each) => set(each, { 'aria-disabled': 'true' }));
    set(node, { 'data-job': asked.job });
    stale(true);
  }

  /** What is being measured anew is grey. */
  function stale(yes) {
    for (const [job, names] of Object.entries({ machine: ['roofline', 'passes', 'batch'], temperature: ['temperature'], genre: ['genre'] })) {
      names.forEach((name) => set(charts[name].node, { 'data-stale': yes && asked?.job === job }));
    }
  }

  /** Nothing is asked any more; what was measured is shown, and stays. */
  function settle(text) {
    if (asked && coming) own = { ...own, [asked.job]: coming };
    [asked, coming] = [null, null];
    stale(false);
    head.idle(text);
    Object.values(asks).forEach((each) => set(each, { 'aria-disabled': null }));
    set(node, { 'data-job': null });
    if (story) draw();
  }

  function draw() {
    const before = record?.found ?? {};
    const { machine, temperature: hot, genre: kinds } = { ...before, ...own };
    const { trace } = story;
    const strange = record && !own.machine && !isOf(record, trace);
    const { config } = strange ? record : trace.info;
    const alpha = strange ? alphaIn(before.temperature, config) : alphaOf(story);
    charts.roofline.draw(machine ? roofline(machine) : null);
    const rows = machine && (strange ? machine.gamma + 1 : rowsOf(trace, machine.gamma));
    charts.passes.draw(machine ? passes(machine, rows) : null);
    charts.batch.draw(machine ? batch(machine, alpha, config.drafter !== 'small-model') : null);
    charts.temperature.draw(hot ? swept(temperature, hot) : null);
    charts.genre.draw(kinds ? swept(genre, kinds) : null);
    const taken = machine && passesOf(machine);
    head.answer(...(taken ? [texts.times(number(taken.v(rows))), texts.answer(rows)] : ['', texts.about]));
    if (own.machine || (!record && Object.keys(own).length)) head.from('here', null, null, texts.hereOf(runName(trace.info.config)));
    else if (record) head.from('recorded', record, trace);
    else head.from('none', null, null, '');
    const shown = (name) => (own[name] ? 'here' : before[name] ? 'recorded' : 'none');
    set(node, { 'data-machine': shown('machine'), 'data-temperature': shown('temperature'), 'data-genre': shown('genre') });
  }

  function swept(figure, { names, cells }) {
    return figure(grouped(names, cells), cells, cells[0].config);
  }

  return {
    node,
    look(given) {
      const anew = story !== given;
      story = given;
      if (anew) draw();
    },
    hear({ done, of, machine, cell, error }) {
      const { job, names } = asked;
      if (done === undefined) {
        settle(error === undefined ? '' : texts.refused(error));
        return;
      }
      coming = machine ?? { names, cells: [...(coming?.cells ?? []), cell] };
      busy(machine ? texts.stages(done, of, texts.next[Math.min(done, texts.next.length - 1)]) : texts.runs(count(done), count(of)), done / of);
    },
    open() {
      [own, coming, story] = [{}, null, null];
      settle('');
    },
    drop: settle,
  };
}

/** A record's answers as this tab holds them. */
function foundIn({ config, answers: { machine, temperature: hot, genre: kinds } }) {
  const of = (job, reports) => ({ names: SWEEPS[job](config).names, cells: reports.map(({ cell }) => cell) });
  return { machine: machine[0].machine, temperature: of('temperature', hot), genre: of('genre', kinds) };
}

/** α of the cells at a run's own temperature. */
function alphaIn({ cells }, { temperature: own }) {
  return added(cells.filter(({ config }) => config.temperature === own)).alpha;
}

function button(name, text, act) {
  const node = el('button', { type: 'button', 'data-sv': 'reason-ask', 'data-job': name }, text);
  node.addEventListener('click', () => node.hasAttribute('aria-disabled') || act());
  return node;
}
