/**
 * labs.js: the tab Methods and the bars under Race. Each is made of parts { node, look(story),
 * onReport(report), open(), drop(text) }: look shows the run on stage while the tab is in front, onReport
 * takes a report on the part's own question, open forgets the run before, drop stops asking.
 */

import { mindLengths } from '../base/lengths.js';
import { el } from '../base/dom.js';
import { createChatOverview, createOverview } from './methods/tab.js';
import { createJob } from '../page/job.js';
import { createLengths, createLoad, createPasses, createSweep } from './race/tab-measured.js';
import { createSlots } from './race/tab-slots.js';
import { words } from '../stage/words.js';

/** The tabs by name, each with its parts, one below the other in the tab's panel. */
const TABS = {
  race: [createSlots, createSweep, createPasses, createLengths, createLoad],
  methods: [createOverview, createChatOverview],
};

/**
 * port: { lab(question), leave(ask), recordedLab(name), drafters, acceptance, methods, and of the chat model
 * chat_methods, chat_texts }. { panels: nodes by tab name, look(tab, story), beside(), onReport(text), open(), drop(),
 * broke() }. A tab is made when it is first looked at.
 */
export function createLabs(port) {
  mindLengths(port.drafters);
  const page = Math.random().toString(36).slice(2);
  const panels = Object.fromEntries(
    Object.keys(TABS).map((tab) => [tab, el('div', { 'data-sv': 'lab-panel' })]),
  );
  const made = new Map(); // the parts of each tab that was looked at
  const all = () => [...made.values()].flat();

  function make(tab) {
    const recorded = port.recordedLab(tab);
    const parts = TABS[tab].map((create, index) => {
      const job = createJob(port.lab, port.leave, `${tab}${index}-${page}`);
      return { job, part: create({ ...port, ask: job.start, stop: job.cancel, recorded }) };
    });
    panels[tab].append(...parts.map(({ part }) => part.node));
    made.set(tab, parts);
  }

  return {
    panels,
    look(tab, story) {
      if (!TABS[tab]) return;
      if (!made.has(tab)) make(tab);
      made.get(tab).forEach(({ part }) => part.look(story));
    },
    /** Has the method of the run on stage compared with another one. */
    beside: () => made.get('methods').forEach(({ part }) => part.beside()),
    onReport(text) {
      const report = JSON.parse(text);
      for (const { job, part } of all()) if (job.onReport(report)) part.onReport(report);
    },
    open: () =>
      all().forEach(({ job, part }) => {
        job.cancel();
        part.open();
      }),
    drop: () => all().forEach(({ job, part }) => job.cancel() && part.drop('')),
    broke: () => all().forEach(({ job, part }) => job.cancel() && part.drop(words.lab.broke)),
  };
}
