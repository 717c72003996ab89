/**
 * inquiry.js: one long question at a time to a server that reports how far it got and can be told to stop.
 * Pure apart from the two ways out it is given. Every question gets a name, `ask`, which its reports repeat.
 */

/**
 * ask(question) sends one, leave(name) stops the server at it; page is what no other page calls itself.
 * { want(question), hear(report), drop() }: a newer question stops the one before; hear returns a report on the newest,
 * which with anything but `done` is its answer, else null; drop stops it and returns whether there was one.
 */
export function createInquiry(ask, leave, page) {
  let number = 0;
  let asked = null;

  function drop() {
    const open = asked;
    asked = null;
    if (open) leave(open);
    return open !== null;
  }

  return {
    want(question) {
      drop();
      number += 1;
      asked = `${page}-${number}`;
      ask({ ...question, ask: asked });
    },
    hear(report) {
      if (asked === null || report.ask !== asked) return null;
      if (!('done' in report)) asked = null;
      return report;
    },
    drop,
  };
}
