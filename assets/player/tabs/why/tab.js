/**
 * tab.js: When is it faster? What a pass over more tokens costs on this machine and what bounds it, what
 * temperature and text do to acceptance, and what textbooks say beside it. It opens on what was measured
 * before; what is measured here of a run stays until another takes the stage.
 */

import { tell } from '../../words/words.js';
import { createChart } from '../../page/chart.js';
import { el, set } from '../../base/dom.js';
import { createHead, isOf, runName } from '../head.js';
import { createMeasuring } from '../measuring.js';
import { createWorked } from './draw.js';
import { count, number } from '../../base/format.js';
import { added } from '../cells.js';
import { alphaOf, genres, grouped, passesOf, rowsOf, temperatures } from './sums.js';
import { batch, genre, passes, roofline, temperature, textbook } from './figures.js';
import { PROMPTS } from '../prompts.js';
import { words } from '../words.js';

/** The charts that each job draws. */
const DRAWN = { machine: ['roofline', 'passes', 'batch'], temperature: ['temperature'], genre: ['genre'] };
const SWEEPS = { temperature: temperatures, genre: (config) => genres(config, PROMPTS) };

/** The part of labs.js. */
export function createReasoning({ ask, stop, recorded }) {
  const texts = words.reason;
  const head = createHead({ measure: () => start('machine'), cancel: () => measuring.cancel() });
  const views = createViews((job) => start(job));
  const measuring = createMeasuring({ ask, stop }, { busy, idle, progress, over });
  let own = {}; // what was measured of this run here, by job
  let story = null; // the run on stage
  let record = null; // what was measured before, its answers as found here
  head.ask(texts.question);
  head.body.append(...views.nodes);
  recorded.then((found) => {
    record = found && { ...found, found: foundIn(found) };
    if (story) draw();
  });

  function start(job) {
    if (!story) return;
    const { run, info } = story.trace;
    const { over: cells, names } = SWEEPS[job]?.(info.config) ?? {};
    const question = cells ? { run, job: 'sweep', over: cells } : { run, job };
    measuring.start([{ question, waits: texts.waiting, name: job, names }]);
  }

  function over({ name, names }, { machine, cells, error }, cancelled) {
    if (machine) own = { ...own, machine };
    if (cells.length) own = { ...own, [name]: { names, cells } };
    if (cancelled) return texts.cancelled;
    return error === undefined ? '' : texts.refused({ why: tell(error) });
  }

  function busy(text, share, { name }) {
    head.busy(text, share);
    views.running(name);
    set(head.node, { 'data-job': name });
  }

  function idle(text) {
    head.idle(text);
    views.running(null);
    set(head.node, { 'data-job': null });
    if (story) draw();
  }

  function draw() {
    head.answer(...views.draw(story, own, record));
    whence(head, story.trace, own, record);
  }

  return {
    node: head.node,
    look(onStage) {
      const anew = story !== onStage;
      story = onStage;
      if (anew) draw();
    },
    hear: measuring.hear,
    open() {
      story = null;
      measuring.settle('');
      own = {};
    },
    drop: measuring.settle,
  };
}

function progress(job, { done, of, machine }) {
  const texts = words.reason;
  const text = machine
    ? texts.stages({ done, of, next: texts.next[Math.min(done, texts.next.length - 1)] })
    : texts.runs({ done: count(done), of: count(of) });
  return [text, done / of];
}

/** Everything below the head. start(job): what the buttons do. */
function createViews(start) {
  const texts = words.reason;
  const charts = Object.fromEntries(
    ['roofline', 'textbook', 'passes', 'batch', 'temperature', 'genre'].map((name) => [
      name,
      createChart(name),
    ]),
  );
  const asks = Object.keys(SWEEPS).map((job) => button(job, texts.ask[job], () => start(job)));
  charts.textbook.draw(textbook());
  return {
    nodes: [
      section('machine', charts.passes.node, charts.roofline.node, charts.batch.node, charts.textbook.node),
      section(
        'text',
        el('div', { 'data-sv': 'reason-ways' }, ...asks),
        charts.temperature.node,
        charts.genre.node,
      ),
      section('worked', createWorked().node),
    ],
    /** What is being measured anew is grey; null when nothing is. */
    running(job) {
      asks.forEach((each) => set(each, { 'aria-disabled': job && 'true' }));
      for (const [each, names] of Object.entries(DRAWN)) {
        names.forEach((name) => set(charts[name].node, { 'data-stale': job === each }));
      }
    },
    /** Draws what was measured here, or else before; the answer that it gives. */
    draw(story, own, record) {
      const before = record?.found ?? {};
      const { machine, temperature: hot, genre: kinds } = { ...before, ...own };
      const strange = record && !own.machine && !isOf(record, story.trace);
      const { config } = strange ? record : story.trace.info;
      const alpha = strange ? alphaIn(before.temperature, config) : alphaOf(story);
      const rows = machine && (strange ? machine.gamma + 1 : rowsOf(story.trace, machine.gamma));
      charts.roofline.draw(machine ? roofline(machine) : null);
      charts.passes.draw(machine ? passes(machine, rows) : null);
      charts.batch.draw(machine ? batch(machine, alpha, config.drafter !== 'small-model') : null);
      charts.temperature.draw(hot ? swept(temperature, hot) : null);
      charts.genre.draw(kinds ? swept(genre, kinds) : null);
      const taken = machine && passesOf(machine);
      return taken
        ? [texts.times({ value: number(taken.v(rows)) }), texts.answer({ rows })]
        : ['', texts.about];
    },
  };
}

function section(name, ...inside) {
  const title = el('h3', { id: `sv-reason-${name}` }, words.reason.sections[name]);
  return el('section', { 'data-section': name, 'aria-labelledby': title.id }, title, ...inside);
}

function swept(figure, { names, cells }) {
  return figure(grouped(names, cells), cells, cells[0].config);
}

/** Says where the figures come from. */
function whence(head, trace, own, record) {
  if (own.machine || (!record && Object.keys(own).length))
    head.from('here', null, null, words.reason.hereOf({ run: runName(trace.info.config) }));
  else if (record) head.from('recorded', record, trace);
  else head.from('none', null, null, '');
  const shown = (name) => (own[name] ? 'here' : record?.found[name] ? 'recorded' : 'none');
  set(head.node, {
    'data-machine': shown('machine'),
    'data-temperature': shown('temperature'),
    'data-genre': shown('genre'),
  });
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
