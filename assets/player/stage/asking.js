/**
 * asking.js: one question at a time to a server that takes its time, of many only the newest.
 * Pure apart from the ask it is given: no DOM, no clock. An answer repeats every field of its question.
 */

/**
 * ask(question) sends one. { want(question), hear(answer), drop() }: a question waits until the one before is answered,
 * and gives way to a newer one; hear returns the answer if it is to the newest question, else null; drop forgets all.
 */
export function createAsking(ask) {
  let wanted = null;
  let asked = null;

  function send() {
    asked = wanted;
    ask(asked);
  }

  return {
    want(question) {
      wanted = question;
      if (!asked) send();
    },
    hear(answer) {
      if (!asked || Object.keys(asked).some((key) => answer[key] !== asked[key])) return null;
      if (asked !== wanted) {
        send();
        return null;
      }
      asked = null;
      return answer;
    },
    drop() {
      wanted = null;
      asked = null;
    },
  };
}
