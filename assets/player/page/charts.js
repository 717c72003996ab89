/**
 * charts.js: the two Plotly charts under the stage. The server draws them, the player says when and marks the round.
 */

import { isDark } from './gradio.js';

/** Milliseconds between redraws in a live run: each costs the browser more than many beats. */
const EVERY = 5000;
/** Milliseconds nothing has changed before charts nobody can see are drawn: the stage comes first. */
const OUT_OF_SIGHT = 4000;
/** Milliseconds the playhead rests before the charts' line follows it. */
const SETTLES = 150;

/**
 * ask(request) is how the page is asked for charts. { show(trace, roundNow), mark(round), forget() }: has a run's
 * charts drawn, at once when it is complete and they are in sight, else now and then; moves their line; drops what was
 * still to be drawn.
 */
export function createCharts(ask) {
  let asked = 0;
  let asking = 0;
  let wanted = null; // what is still to be drawn, and when if it is seen
  let marking = 0;
  let marked = null;
  let seen = false;
  new IntersectionObserver(([{ isIntersecting }]) => {
    seen = isIntersecting;
    if (wanted) plan();
  }).observe(document.getElementById('sv-charts'));

  function plan() {
    clearTimeout(asking);
    asking = setTimeout(() => {
      const { run, roundNow } = wanted;
      wanted = null;
      asked = Date.now();
      ask({ run, dark: isDark(), round: roundNow() });
    }, Math.max(wanted.at - Date.now(), seen ? 0 : OUT_OF_SIGHT));
  }

  return {
    show({ run, stop }, roundNow) {
      wanted = { run, roundNow, at: stop ? 0 : asked + EVERY };
      plan();
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
      wanted = null;
      asked = 0;
      marked = null;
    },
  };
}
