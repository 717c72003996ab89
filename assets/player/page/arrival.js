/**
 * arrival.js: opens what the address of the page asks for, and makes the link to what is on stage.
 */

import { TRACE, decode, encode, firstOther, hidden, pack, unpack } from './link.js';
import { choices, namesOf, NUMBERS, WHOLE } from './widgets.js';
import { words } from './words.js';

const texts = words.link;
/** Bytes that a trace attached to a link may unpack to. */
const UNPACKED = 2_000_000;
/** Milliseconds between two looks whether the page's controls stand as the link has them, and how many looks. */
const LOOK = 50;
const LOOKS = 200;

/**
 * page: { shipped: names of recorded runs, rounds(), tabs: names, ranges: [least, most] by field; recorded(run): puts a recorded run on
 * stage; adopt(config); run(); open(bytes, name): puts a trace on stage; go(place): shows a round's beat, a node and a tab; say(text, offer, act) }.
 * { begin(fragment): whether the address held a link; grew(trace): a trace on stage has grown; link(place, save): Promise of the address }.
 */
export function createArrival(page) {
  let place = null; // where the link leads, until it is reached
  let run = null; // the run on stage that it leads to
  let tokens = null; // the run's first tokens where the link was made

  function known() {
    return {
      recorded: page.shipped, tabs: page.tabs, names: Object.fromEntries(['drafter', 'rule', 'gamma_rule'].map((name) => [name, namesOf(name)])),
      numbers: Object.fromEntries(NUMBERS.map((name) => [name, { min: page.ranges[name][0], max: Math.min(page.ranges[name][1], Number.MAX_SAFE_INTEGER), whole: WHOLE.includes(name) }])),
    };
  }

  function begin(fragment) {
    const found = decode(fragment, known());
    if (!found) return false;
    document.body.dataset.svHides = hidden(found).join(' ');
    [place, run, tokens] = [found, null, found.recorded ? null : found.tokens ?? null];
    if (found.said.length) page.say(found.said.slice(0, 3).join(' '));
    if (found.tab) page.go({ tab: found.tab });
    if (found.recorded) page.recorded(found.recorded);
    else if (found.config?.prompt) decodeAgain(found.config);
    return true;
  }

  /** Sets the controls as the link has them, then presses Run. */
  async function decodeAgain(config) {
    const { pair, ...own } = config;
    if (pair && pair !== 'embedded') page.say(texts.otherPair(pair));
    page.adopt(own);
    const stands = () => ['drafter', 'rule', 'gamma_rule'].every((name) => own[name] === undefined || choices()[name] === null || choices()[name] === own[name]);
    for (let look = 0; look < LOOKS && !stands(); look += 1) await new Promise((done) => setTimeout(done, LOOK));
    page.run();
  }

  async function attached() {
    const bytes = await unpack(place?.trace ?? '', UNPACKED);
    if (!bytes || !page.open(bytes, texts.attachment)) page.say(texts.damaged);
  }

  return {
    begin,
    /** Goes to the link's place as soon as the run has it; once the run is over, says if it is another text. */
    grew({ run: name, live, rounds, stop }) {
      if (!place || !rounds.length) return;
      const ours = place.recorded ? name === place.recorded : live;
      if (!ours || (run !== null && run !== name)) return;
      run = name;
      if (place.at && (rounds.length > place.at.round + 1 || stop)) {
        page.go({ ...place, tab: undefined });
        place = { ...place, at: undefined };
      }
      if (!stop || !tokens) return;
      const own = rounds.flatMap(({ path, verdicts, extra }) => [...path.map((node) => verdicts[node].token), ...(extra ? [extra.token] : [])]);
      const other = firstOther(tokens, own);
      tokens = null;
      if (other) page.say(texts.differs(other), place.trace ? texts.attached : '', attached);
    },
    /** The address of what is on stage; a small run that is no recorded one rides along. what: as link.encode takes it; save(): its JSON. */
    async link(what, save) {
      const { recorded, ...rest } = what;
      const small = recorded ? '' : await pack((await save()) || '').catch(() => '');
      const { origin, pathname, search } = location;
      const hash = encode({ ...rest, recorded, ...(small.length <= TRACE ? { trace: small } : {}) });
      if (window.parent !== window) window.parent.postMessage({ hash }, 'https://huggingface.co'); // a Space's own address then shows it too
      return `${origin}${pathname}${search}#${hash}`;
    },
  };
}
