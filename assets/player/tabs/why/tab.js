/**
 * tab.js: When is it faster? What a pass over more tokens costs on this machine and what bounds it, what
 * temperature and text do to acceptance, and what textbooks say beside it. It opens on what was measured
 * before; what is measured here of a run stays until another takes the stage.
 */

import { tell } from '../../words/words.js';
import { el, set } from '../../base/dom.js';
import { createMeasuringHead, isOf, runName } from '../head.js';
import { createCharts, lock, lockable } from '../parts.js';
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
  const on = { measure: () => start('machine'), running, progress, over };
  const { head, measuring } = createMeasuringHead({ ask, stop }, texts.question, on);
  const views = createViews(start);
  let measured = {}; // of this run, here, by job
  let story = null; // the run on stage
  let record = null; // what was measured before, its answers also by job
  head.body.append(...views.nodes);
  recorded.then((lab) => {
    record = lab && { ...lab, byJob: byJob(lab) };
    draw();
  });

  function start(job) {
    if (!story) return;
    const { run, info } = story.trace;
    const { over: cells, names } = SWEEPS[job]?.(info.config) ?? {};
    const question = cells ? { run, job: 'sweep', over: cells } : { run, job };
    measuring.start([{ question, waits: texts.waiting, name: job, names }]);
  }

  function over({ name, names }, { machine, cells, error }, cancelled) {
    if (machine) measured = { ...measured, machine };
    if (cells.length) measured = { ...measured, [name]: { names, cells } };
    if (cancelled) return texts.cancelled;
    return error === undefined ? '' : texts.refused({ why: tell(error) });
  }

  function running(job) {
    const name = job && job.name;
    views.running(name);
    set(head.node, { 'data-job': name });
    if (!job) draw();
  }

  function draw() {
    if (!story) return;
    head.answer(...views.draw(story, measured, record));
    sayOrigin(head, story.trace, measured, record);
  }

  return {
    node: head.node,
    look(onStage) {
      if (story === onStage) return;
      story = onStage;
      draw();
    },
    onReport: measuring.onReport,
    open() {
      story = null;
      measuring.settle('');
      measured = {};
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
  const charts = createCharts('roofline', 'textbook', 'passes', 'batch', 'temperature', 'genre');
  const asks = Object.keys(SWEEPS).map((job) =>
    lockable({ 'data-sv': 'reason-ask', 'data-job': job }, () => start(job), texts.ask[job]),
  );
  const nodesOf = (...names) => names.map((name) => charts[name].node);
  charts.textbook.draw(textbook());
  return {
    nodes: [
      section('machine', ...nodesOf('passes', 'roofline', 'batch', 'textbook')),
      section('text', el('div', { 'data-sv': 'reason-ways' }, ...asks), ...nodesOf('temperature', 'genre')),
      section('worked', createWorked().node),
    ],
    /** What is being measured anew is grey; null when nothing is. */
    running(job) {
      asks.forEach((each) => lock(each, job));
      for (const [each, names] of Object.entries(DRAWN)) {
        names.forEach((name) => set(charts[name].node, { 'data-stale': job === each }));
      }
    },
    /** Draws what was measured here, or else before; the answer that it gives. */
    draw(story, measured, record) {
      const before = record?.byJob ?? {};
      const { machine, temperature: hot, genre: kinds } = { ...before, ...measured };
      const strange = record && !measured.machine && !isOf(record, story.trace);
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
  const look = { id: `sv-reason-${name}`, 'data-sv': name === 'machine' && 'unseen' };
  const title = el('h3', look, words.reason.sections[name]);
  return el('section', { 'data-section': name, 'aria-labelledby': title.id }, title, ...inside);
}

function swept(figure, { names, cells }) {
  return figure(grouped(names, cells), cells, cells[0].config);
}

/** Says where the figures come from. */
function sayOrigin(head, trace, measured, record) {
  if (measured.machine || (!record && Object.keys(measured).length))
    head.from('here', words.reason.hereOf({ run: runName(trace.info.config) }));
  else if (record) head.fromRecord(record, trace);
  else head.from('none');
  const shown = (name) => (measured[name] ? 'here' : record?.byJob[name] ? 'recorded' : 'none');
  set(head.node, {
    'data-machine': shown('machine'),
    'data-temperature': shown('temperature'),
    'data-genre': shown('genre'),
  });
}

/** A record's answers as this tab holds them. */
function byJob({ config, answers: { machine, temperature: hot, genre: kinds } }) {
  const of = (job, reports) => ({ names: SWEEPS[job](config).names, cells: reports.map(({ cell }) => cell) });
  return { machine: machine[0].machine, temperature: of('temperature', hot), genre: of('genre', kinds) };
}

/** α of the cells at a run's temperature. */
function alphaIn({ cells }, { temperature: usual }) {
  return added(cells.filter(({ config }) => config.temperature === usual)).alpha;
}
