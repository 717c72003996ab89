/**
 * lanes.js: the lanes on show. They were recorded, or they are decoded now, one after the other, and each
 * is drawn when it arrives.
 */

import { changesOf, decoded, letter } from './sums.js';
import { createComparison } from './draw.js';
import { answerOf } from './figures.js';
import { runName } from '../head.js';
import { set } from '../../base/dom.js';
import { words } from '../words.js';

/**
 * { node, any(), clear(), open(record), job(run, chosen) }: any is whether lanes
 * are on show, job what tab.js has measured of lanes and what they share, as draw-setup.js reads them.
 */
export function createLanes(head) {
  const texts = words.compare;
  const comparison = createComparison();
  let shown = null;

  function draw() {
    comparison.draw(shown.lanes, shown.ended);
    const done = shown.lanes.filter(({ cost }) => cost);
    head.answer(...(shown.ended && done.length ? answerOf(done) : ['', texts.wait]));
  }

  return {
    node: comparison.node,
    any: () => shown !== null,
    clear() {
      shown = null;
      comparison.draw([], true);
    },
    open(record) {
      shown = { lanes: recordedLanes(record), ended: true };
      draw();
    },
    job(run, { lanes: chosen, shared }) {
      const asked = {
        lanes: chosen.map((lane, index) => ({
          letter: letter(index),
          lane,
          tokens: null,
          cells: null,
          cost: null,
          refused: null,
        })),
        ended: false,
      };
      return {
        question: {
          run: run.run,
          job: 'lanes',
          over: chosen.map((lane) => changesOf(lane, run.info.config, shared)),
        },
        card: comparison.node,
        took(report) {
          const { done, of } = report;
          if (shown !== asked) {
            shown = asked; // from the first lane on, what was there before gives way
            set(comparison.node, { 'data-stale': false });
            head.from(
              'here',
              null,
              run,
              texts.hereOf({ run: runName({ ...run.info.config, ...chosen[0], ...shared }) }),
            );
          }
          Object.assign(
            asked.lanes[done - 1],
            'refused' in report ? { refused: report.refused } : decoded(report),
          );
          draw();
          return texts.done({ done: String(done), of: String(of) });
        },
        ended() {
          asked.ended = true;
          if (shown === asked) draw();
        },
      };
    },
  };
}

function recordedLanes({ answers }) {
  return answers.lanes.map((report, index) => ({
    letter: letter(index),
    lane: report.cells[0].config,
    ...decoded(report),
    refused: null,
  }));
}
