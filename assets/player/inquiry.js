/**
 * inquiry.js: one long question at a time to a server that reports how far it got and can be told to stop.
 * Pure apart from the two ways out it is given. Every question gets a number, `ask`, which its reports repeat.
 */

/**
 * ask(question) sends one, leave() asks the server to stop with it; ended() must be called when it did, or broke off.
 * { want(question), hear(report), ended(), drop() }: a newer question stops the one under way and waits until that has
 * ended; hear returns a report on the question under way, which with anything but `done` is its answer, else null;
 * ended returns whether it broke off by itself.
 */
export function createInquiry(ask, leave) {
  let number = 0;
  let asked = null;
  let wanted = null;
  let leaving = false;

  function send() {
    number += 1;
    asked = { ...wanted, ask: number };
    wanted = null;
    ask(asked);
  }

  function stop() {
    if (!leaving) leave();
    leaving = true;
  }

  function forget() {
    asked = null;
    leaving = false;
  }

  return {
    want(question) {
      wanted = question;
      if (asked) stop();
      else send();
    },
    hear(report) {
      if (leaving || report.ask !== asked?.ask) return null;
      if (!('done' in report)) asked = null;
      return report;
    },
    ended() {
      const broke = asked !== null && !leaving;
      forget();
      if (wanted) send();
      return broke;
    },
    /** Wants nothing more. A second time does not wait for the server: its word may have been lost. */
    drop() {
      wanted = null;
      if (leaving) forget();
      else if (asked) stop();
    },
  };
}
