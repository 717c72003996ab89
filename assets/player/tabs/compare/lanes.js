/**
 * lanes.js: the lanes on show. They were recorded, or they are decoded now, one after the other, and each
 * is drawn when it arrives.
 */

import { LONGEST, changesOf, decoded, letter, measured } from './sums.js';
import { createComparison } from './draw.js';
import { answerOf } from './figures.js';
import { runName } from '../head.js';
import { set } from '../../base/dom.js';
import { traceOf } from '../../trace/feed.js';
import { words } from './words.js';

/** Messages a lane's recording has at most: its head, a round a token, its end. */
const MESSAGES = LONGEST + 2;

/**
 * fetch: see main.js. { node, any(), clear(), open(record), question(run, chosen) }: any is whether lanes
 * are on show, question what tab.js asks about lanes and what they share, as draw-setup.js reads them.
 */
export function createLanes(head, fetch) {
  const texts = words.compare;
  const comparison = createComparison();
  let shown = null;

  function draw() {
    const whole = shown.ended && !shown.fetching;
    comparison.draw(shown.lanes, whole);
    const done = shown.lanes.filter(({ cost }) => cost);
    head.answer(...(whole && done.length ? answerOf(done) : ['', texts.wait]));
  }

  return {
    node: comparison.node,
    any: () => shown !== null,
    clear() {
      shown = null;
      comparison.draw([], true);
    },
    open(record) {
      shown = { lanes: recordedLanes(record), fetching: 0, ended: true };
      draw();
    },
    question(run, { lanes: chosen, shared }) {
      const asked = {
        lanes: chosen.map((lane, index) => ({
          letter: letter(index),
          lane,
          tokens: null,
          cells: null,
          cost: null,
          refused: null,
        })),
        fetching: 0,
        ended: false,
      };
      return {
        job: 'lanes',
        over: chosen.map((lane) => changesOf(lane, run.info.config, shared)),
        card: comparison.node,
        async hear(report) {
          const { done, of } = report;
          head.busy(texts.done(String(done), String(of)), done / of);
          if (shown !== asked) {
            shown = asked; // from the first lane on, what was there before gives way
            set(comparison.node, { 'data-stale': false });
            head.from(
              'here',
              null,
              run,
              texts.hereOf(runName({ ...run.info.config, ...chosen[0], ...shared })),
            );
          }
          await arrive(asked, report, fetch);
          if (shown === asked) draw();
        },
        ended() {
          asked.ended = true;
          if (shown === asked) draw();
        },
      };
    },
  };
}

/** Takes a decoded lane in, with the text it wrote. */
async function arrive(asked, { done, lane: run, cells, refused = null }, fetch) {
  asked.fetching += 1;
  const messages = refused === null ? await fetch({ run, start: 0, stop: MESSAGES }) : [];
  asked.fetching -= 1;
  const found = messages.length && { ...decoded(traceOf(run, messages)), cells, cost: measured(cells) };
  Object.assign(asked.lanes[done - 1], found || { refused: refused ?? words.compare.lost });
}

function recordedLanes({ answers, runs }) {
  return answers.lanes.map(({ lane: name, cells }, index) => ({
    letter: letter(index),
    lane: cells[0].config,
    ...decoded(traceOf(name, runs[name])),
    cells,
    cost: measured(cells),
    refused: null,
  }));
}
