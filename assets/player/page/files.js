/**
 * files.js: traces from a person's own files, dropped on the page or picked. A file is read in the browser and
 * sent nowhere, until the person has its numbers checked; what only the server could say about such a run is
 * refused here, with the reason.
 */

import { el, set } from '../base/dom.js';
import { count, named } from '../base/format.js';
import { putDrawerAway } from './gradio.js';
import { adopt } from './widgets.js';
import { gzip } from './packed.js';
import { importTrace, tooLarge } from '../trace/file.js';
import { words } from '../words/words.js';

/** The name of the remark that answers each question. */
const ANSWERS = { prove: 'proof', race: 'race', lab: 'lab' };

/**
 * The port of main.js, which also brings in the runs of files: show(bytes, name) takes one's bytes; open() asks
 * for a file; read() gives their deltas { run, n, trace }, trace.file being what words.file.opened takes: the
 * first of that many files, of which that many parts were left out, the first for the reason in why, and whether
 * its numbers were checked. check(run) sends a file to the server: Promise of { count, first } contradictions,
 * null where it could not. A file that cannot be opened is the remark `unopened`.
 */
export function withFiles(root, port, differ) {
  const runs = new Map(); // the text of each file, by name
  const input = createInput(take);
  let [ours, react] = [null, null]; // the delta on its way to the page, and what the page reads it with
  root.append(input, createZone(take));

  function send(delta) {
    ours = delta;
    react();
    ours = null;
  }

  function remark(run, kind, text) {
    send({ run, n: -1, j: JSON.stringify({ [kind]: text }) });
  }

  async function take([file, ...others]) {
    if (!file || differ.open([file, ...others])) return;
    const of = 1 + others.length;
    const large = tooLarge(file.size);
    // a folder, or a file that is gone by now
    const bytes = large ? null : await file.arrayBuffer().catch(() => null);
    const reason = bytes ? show(new Uint8Array(bytes), file.name, of) : large || words.file.unreadable;
    if (reason) remark('', 'unopened', words.file.refused({ name: named(file.name), of: count(of), reason }));
  }

  /** Shows the run that the bytes of a file hold; returns why not, '' if it does. */
  function show(bytes, name, of = 1) {
    const { trace, refusal = '', dropped, why } = importTrace(bytes);
    if (!trace) return refusal;
    const run = `file ${runs.size + 1}`;
    runs.set(run, new Blob([bytes]));
    const { missing = [], loop: engine } = trace.info;
    const checked = missing.includes('numbers') ? 'counts' : 'no';
    const file = { name: named(name), of: count(of), dropped: count(dropped), why, checked, engine };
    send({ run, n: 0, trace: { run, ...trace, file } });
    return '';
  }

  /** Asks the server, or says that it cannot know: later, as from the server, when the page waits for it. */
  const ask = (name, kind) => (question) => {
    if (!runs.has(question.run)) return port[name](question);
    const answer = JSON.stringify({ ...question, error: words.file.unanswerable });
    return queueMicrotask(() => remark(question.run, kind, answer));
  };
  return {
    ...port,
    ...Object.fromEntries(Object.entries(ANSWERS).map(([name, kind]) => [name, ask(name, kind)])),
    show,
    open: () => input.click(),
    read: () => ours ?? port.read(),
    watch(read) {
      react = read;
      port.watch(read);
    },
    adopt: (config) => adopt(config, port.adopt),
    save: (run) => runs.get(run)?.text() ?? port.save(run),
    check: async (run) => port.check(await gzip(runs.get(run))),
  };
}

function createInput(take) {
  const input = el('input', {
    type: 'file',
    multiple: true,
    accept: '.json,application/json',
    hidden: true,
    'data-sv': 'file',
  });
  input.addEventListener('change', () => {
    putDrawerAway();
    take([...input.files]);
    input.value = ''; // else picking the same file twice would fire no event
  });
  return input;
}

/** Shows where files can be dropped while some are dragged over the page; leaves every other drag alone. */
function createZone(take) {
  const zone = el('p', { 'data-sv': 'drop', hidden: true }, el('strong', {}, words.file.drop));
  const over = (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault(); // else the browser would leave the page and open the file
    set(zone, { hidden: event.type === 'drop' });
    if (event.type === 'drop') take([...event.dataTransfer.files]);
    else event.dataTransfer.dropEffect = 'copy';
  };
  ['dragenter', 'dragover', 'drop'].forEach((name) => window.addEventListener(name, over, true));
  window.addEventListener(
    'dragleave',
    ({ relatedTarget }) => relatedTarget === null && set(zone, { hidden: true }),
    true,
  );
  return zone;
}
