/**
 * charts.js: the two Plotly charts under the stage. The server draws them, the player says when and marks the round.
 */

import { isDark } from './desk.js';

/** Milliseconds between redraws in a live run: each costs the browser more than many beats. */
const EVERY = 5000;
/** Milliseconds the playhead rests before the charts' line follows it. */
const SETTLES = 150;

/**
 * ask(request) is how the page is asked for charts. { show(trace, roundNow), mark(round), forget() }: has a run's
 * charts drawn, at once when it is complete, else now and then; moves their line; drops what was still to be drawn.
 */
export function createCharts(ask) {
  let asked = 0;
  let asking = 0;
  let marking = 0;
  let marked = null;
  return {
    show({ run, stop }, roundNow) {
      clearTimeout(asking);
      asking = setTimeout(() => {
        asked = Date.now();
        ask({ run, dark: isDark(), round: roundNow() });
      }, stop ? 0 : Math.max(0, asked + EVERY - Date.now()));
    },
    mark(round) {
      if (round === marked) return;
      marked = round;
      clearTimeout(marking);
      marking = setTimeout(() => document.querySelectorAll('.sv-chart .js-plotly-plot').forEach((plot) => {
        if (plot.layout?.shapes?.length) window.Plotly?.relayout(plot, { 'shapes[0].x0': round + 1, 'shapes[0].x1': round + 1 });
      }), SETTLES);
    },
    forget() {
      clearTimeout(asking);
      asked = 0;
      marked = null;
    },
  };
}
