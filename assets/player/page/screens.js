/**
 * screens.js: a second tab of the same browser that shows what the first does, for a room: the first says
 * where it is, as a link would, and hands over runs that are not recorded ones. Messages stay in the
 * browser.
 */

/**
 * page: { place(): where the page is, as the part of a link after #; run(): the run on stage, { name,
 * json() }, json a promise of its JSON, absent of a recorded one, '' while it is made; asks(): where its
 * questions are; go(fragment, asks): a promise to go there; show(json): puts a run on stage }.
 * @returns {{open: (address: (name: string) => string) => void, follow: (name: string) => void,
 * stop: () => void, tell: () => void}} tell: something changed here
 */
export function createScreens(page) {
  let [channel, leads, given, pending] = [null, false, null, Promise.resolve()];

  function join(name, onMessage) {
    channel?.close();
    channel = new BroadcastChannel(`specviz.${name}`);
    channel.addEventListener('message', ({ data }) => {
      pending = pending.then(() => onMessage(data ?? {}));
    });
  }

  /** Says where this page is, after the run that is on stage. */
  async function say() {
    const { name, json } = page.run();
    if (json && given !== name) {
      const text = await json().catch(() => '');
      if (!text) return;
      given = name;
      channel.postMessage({ json: text });
    }
    channel.postMessage({ place: page.place(), asks: page.asks() });
  }

  return {
    open(address) {
      const name = Math.random().toString(36).slice(2, 10).padEnd(4, '0');
      [leads, given] = [true, null];
      join(name, ({ hello }) => {
        if (!hello) return null;
        given = null; // it may have been loaded anew
        return say();
      });
      window.open(address(name), '_blank', 'popup');
    },
    follow(name) {
      leads = false;
      join(name, ({ json, place, asks }) =>
        typeof json === 'string' ? page.show(json) : typeof place === 'string' ? page.go(place, asks) : null,
      );
      channel.postMessage({ hello: true });
    },
    stop() {
      if (leads || !channel) return;
      channel.close();
      channel = null;
    },
    tell() {
      if (leads) pending = pending.then(say);
    },
  };
}
