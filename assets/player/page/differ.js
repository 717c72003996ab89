/**
 * differ.js: two files dropped together: why their texts differ. The server reads both with the chosen pair, once a
 * person says so; what it says of them is specviz/lab/differ.py's.
 */

import { button, el } from '../base/dom.js';
import { number } from '../base/format.js';
import { importTrace, tooLarge } from '../trace/file.js';
import { writtenBy } from '../trace/race.js';
import { tell, words } from '../words/words.js';
import { createChart } from './chart.js';
import { createDialog } from './panels.js';
import { chats, choices, pairNow } from './widgets.js';

/**
 * ask(question): of the server's lab. { open(files): whether they are two, onReport(report), waits(): whether it is
 * looked at and the server owes an answer, close() }.
 */
export function createDiffer(root, ask) {
  const texts = words.differ;
  const [says, chart] = [el('div', { role: 'status' }), createChart('differ')];
  const types = Object.entries(texts.types).map(([value, text]) => el('option', { value }, text));
  const type = el('select', {}, ...types);
  const label = el('label', {}, texts.type, ' ', type);
  const dialog = createDialog('differ', texts.title, says, label, button({}, send, texts.send), chart.node);
  root.append(dialog);
  let [files, turn, waiting] = [[], 0, false];
  const say = (first, ...lines) =>
    says.replaceChildren(el('h3', {}, first), ...lines.map((line) => el('p', {}, line)));

  async function send() {
    say(texts.waiting);
    const question = { run: '', ask: `differ ${++turn}`, job: 'differ', pair: pairNow(), dtype: type.value };
    const large = files.map(({ size }) => tooLarge(size)).find(Boolean);
    const given = large ? null : await Promise.all(files.map(givenOf)).catch(() => null); // a folder, or gone by now
    if (!given) return say(large || words.file.unreadable);
    waiting = true;
    ask({ ...question, given, prompt: choices().prompt, chat: chats() });
  }

  return {
    waits: () => waiting && dialog.open,
    close: () => dialog.close(),
    open(dropped) {
      if (dropped.length !== 2) return false;
      files = dropped;
      chart.draw(null);
      say(texts.sends({ names: files.map(({ name }) => name), pair: pairNow() }));
      if (!dialog.open) dialog.showModal();
      return true;
    },
    onReport(text) {
      const { ask, error, lines = [error], gaps = [], limit, at } = JSON.parse(text);
      if (ask !== `differ ${turn}`) return;
      waiting = false;
      say(...lines.map((line) => tell(line)));
      chart.draw(gaps.length ? figureOf({ gaps, limit, at }) : null);
    },
  };
}

/** A file as the server takes it: a trace's tokens, a list of tokens, or else a text. */
async function givenOf(file) {
  const { name } = file;
  const text = (await file.text()).replace(/\n$/, '');
  const { trace } = importTrace(new TextEncoder().encode(text));
  const ids = name.endsWith('.json') && /^\[[\d\s,]+\]\s*$/.test(text);
  if (!trace) return { name, text: ids ? JSON.parse(text) : text };
  return {
    name,
    text: writtenBy(trace.rounds),
    prompt: trace.prompt,
    temperature: trace.info.config.temperature,
  };
}

/** The gap between the model's two best along the first text, and where the texts part. */
function figureOf({ gaps, limit, at }) {
  const { gap, limit: rounding, here, says, ...texts } = words.differ.figure;
  const x = gaps.map((_, place) => place + 1);
  return {
    ...texts,
    says: says({ limit: number(limit) }),
    series: [
      { name: gap, x, y: gaps, kind: 'line', colour: 'draft' },
      { name: rounding, x, y: gaps.map(() => limit), kind: 'line', colour: 'rejected', dash: 'dash' },
    ],
    ylog: true,
    marks: [{ x: at + 1, text: here, colour: 'ink' }],
    table: { columns: [texts.x, texts.y], rows: x.map((place) => [place, gaps[place - 1]]) },
    raw: { gaps, limit, at },
  };
}
