/**
 * latest.js: sends a slow server one question at a time; of those that wait, only the latest is sent.
 * Pure apart from the `ask` it receives: no DOM, no clock. An answer repeats every field of its question.
 */

/**
 * ask(question) sends one. { want(question), receive(answer), drop() }: a question waits until the one before
 * is answered, and gives way to a newer one; receive returns the answer if it is to the newest question, else
 * null; drop forgets all.
 */
export function createLatest(ask) {
  let wanted = null;
  let sent = null;

  function send() {
    sent = wanted;
    ask(sent);
  }

  return {
    want(question) {
      wanted = question;
      if (!sent) send();
    },
    receive(answer) {
      if (!sent || Object.keys(sent).some((key) => answer[key] !== sent[key])) return null;
      if (sent !== wanted) {
        send();
        return null;
      }
      sent = null;
      return answer;
    },
    drop() {
      wanted = null;
      sent = null;
    },
  };
}
