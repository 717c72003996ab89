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
  const comparison = createComparison();
  let shown = null;

  function draw() {
    comparison.draw(shown.lanes, shown.ended);
    const done = shown.lanes.filter(({ cost }) => cost);
    head.answer(...(shown.ended && done.length ? answerOf(done) : ['', words.compare.wait]));
  }

  /** From the first lane on, what was on show gives way. */
  function show(lanes, config) {
    shown = lanes;
    set(comparison.node, { 'data-stale': false });
    head.from('here', words.compare.hereOf({ run: runName(config) }));
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
    job({ run, info: { config } }, { lanes: chosen, shared }) {
      const wanted = { lanes: chosen.map(createLane), ended: false };
      const over = chosen.map((lane) => changesOf(lane, config, shared));
      return {
        question: { run, job: 'lanes', over },
        card: comparison.node,
        onReport(report) {
          const { done, of, refused } = report;
          if (shown !== wanted) show(wanted, { ...config, ...chosen[0], ...shared });
          Object.assign(wanted.lanes[done - 1], refused === undefined ? decoded(report) : { refused });
          draw();
          return words.compare.done({ done: String(done), of: String(of) });
        },
        end() {
          wanted.ended = true;
          if (shown === wanted) draw();
        },
      };
    },
  };
}

/** A lane before it is decoded. */
function createLane(lane, index) {
  return { letter: letter(index), lane, tokens: null, cells: null, cost: null, refused: null };
}

function recordedLanes({ answers }) {
  return answers.lanes.map((report, index) => ({
    ...createLane(report.cells[0].config, index),
    ...decoded(report),
  }));
}
