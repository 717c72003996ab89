/**
 * labs.js: the tabs Acceptance, Compare, Methods and When is it faster?. Each is made of parts { node,
 * look(story), onReport(report), open(), drop(text) }: look shows the run on stage while the tab is in front,
 * onReport takes a report on the part's own question, open forgets the run before, drop stops asking.
 */

import { createAlpha } from './alpha/tab.js';
import { mindLengths } from '../base/lengths.js';
import { createComparing } from './compare/tab.js';
import { el } from '../base/dom.js';
import { createOtherRule } from './alpha/tab-rule.js';
import { createTraining } from './alpha/tab-training.js';
import { createOverview } from './methods/tab.js';
import { createJob } from '../page/job.js';
import { createReasoning } from './why/tab.js';
import { words } from '../stage/words.js';

/** The tabs by name, each with its parts, one below the other in the tab's panel. */
const TABS = {
  alpha: [createAlpha, createOtherRule, createTraining],
  compare: [createComparing],
  methods: [createOverview],
  why: [createReasoning],
};

/**
 * port: { lab(question), leave(ask), recordedLab(name), training(), rules, drafters,
 * acceptance, methods }; redraw() draws what hangs on the story. { panels: nodes by tab name, look(tab,
 * story), onReport(text), open(), drop(), broke() }. A tab is made when it is first looked at.
 */
export function createLabs(port, redraw) {
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
      return { job, part: create({ ...port, ask: job.start, stop: job.cancel, recorded, redraw }) };
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
