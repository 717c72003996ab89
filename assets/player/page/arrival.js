/**
 * arrival.js: follows a link to a run and the place in it, and makes the link to what is on stage.
 */

import { TRACE, decode, encode, firstDifference, hidden } from './link.js';
import { pack, unpack } from './packed.js';
import { writtenBy } from '../trace/race.js';
import { pairNow } from './widgets.js';
import { sentences, words } from '../words/words.js';

const texts = words.link;
/** Bytes that a trace attached to a link may unpack to. */
const UNPACKED = 2_000_000;
/** Milliseconds in which the page's controls hear what was typed into them. */
const SETTLE = 50;
/** The page around a Space, which shows its own address. */
const SPACES = 'https://huggingface.co';

/**
 * @typedef {object} Arrival
 * @property {(fragment: string) => object | null} read the place a link leads to
 * @property {(place: object, shown: object) => void} begin goes there
 * @property {() => void} onControlsSet the controls hold what was adopted
 * @property {() => void} onRunRequested a run was asked for
 * @property {(trace: object) => void} onTrace a trace on stage has grown
 * @property {(place: object, trace: object) => Promise<string>} link an address
 */

/**
 * known: see link.js. page: { recorded(run): Promise of a recorded run on stage; adopt(config): whether the
 * controls take a moment to adopt it; run(); open(bytes, name): whether the bytes are a trace, which is on
 * stage then; go(place): shows a place in the run on stage, and whether it is there; say(text, offer, act);
 * save(run): Promise of its JSON; address: the public one, if it is another than this page's }.
 * @returns {Arrival}
 */
export function createArrival(known, page) {
  let place = null; // the one on the way
  let [before, arrived] = [null, null]; // the run that was on stage before, and the first one since
  let adopting = false;
  let pressed = false; // whether the run that is asked for is the link's

  function begin(target, shown) {
    [place, before, arrived] = [{ ...target }, shown?.run ?? null, null];
    document.body.dataset.svHides = hidden(place).join(' ');
    page.go({ tab: place.tab ?? known.tabs[0] });
    if (place.recorded) return page.recorded(place.recorded);
    if (place.config?.prompt) return decodeAgain(place.config);
    arrive(page, place, shown);
    return null;
  }

  /** Sets the controls as the link has them, then presses Run. */
  function decodeAgain({ pair = pairOf(known), ...config }) {
    adopting = page.adopt(config);
    if (pair !== pairNow()) {
      adopting = false;
      tell(page, [...place.said, texts.otherPair({ pair })], place.trace);
    } else if (!adopting) setTimeout(press, SETTLE);
  }

  function press() {
    pressed = true;
    page.run();
  }

  return {
    begin,
    link: (there, trace) => linkTo(known, page, there, trace),
    read: (fragment) => decode(fragment, known),
    onControlsSet() {
      if (adopting) press();
      adopting = false;
    },
    /** If the run is not the link's, the link has had its time. */
    onRunRequested() {
      if (!pressed) place = null;
      pressed = false;
    },
    onTrace(trace) {
      const { run, live, repeats, rounds, stop } = trace;
      if (!place || !rounds.length || run !== (arrived ?? run)) return;
      if (place.recorded ? run !== place.recorded : run === before || !(live || repeats)) return;
      if (arrived === null) {
        // what asks needs the whole run
        const wanted = place.quiz ? Infinity : (place.at?.round ?? 0) + 1;
        if (!stop && rounds.length <= wanted) return;
        arrived = run;
        arrive(page, place, trace);
      } else if (stop) compare(page, place, trace);
    },
  };
}

/** Goes to the place, and says what of it is not there. */
function arrive(page, place, trace) {
  const { at, said, ...rest } = place;
  const there = page.go({ view: [], ...rest, at });
  Object.assign(place, {
    at: undefined,
    node: undefined,
    step: undefined,
    quiz: undefined,
    follow: undefined,
  });
  if (said.length || !there) tell(page, [...said, ...(there ? [] : [texts.nowhere])]);
  place.said = [];
  if (trace?.stop) compare(page, place, trace);
}

/** Says where the text of a run that is over differs from the one that the link was made on. */
function compare(page, place, { rounds }) {
  const { tokens = [] } = place;
  const position = firstDifference(tokens, writtenBy(rounds));
  place.tokens = [];
  if (position) tell(page, [...place.said, texts.differs({ token: position })], place.trace);
}

/** The pair of a link that names none. */
function pairOf({ settings }) {
  return settings.find(({ name }) => name === 'pair').default;
}

function tell(page, said, packed) {
  page.say(sentences(said.slice(0, 3)), packed ? texts.attached : '', async () => {
    const bytes = await unpack(packed, UNPACKED);
    if (!bytes || !page.open(bytes, texts.attachment)) page.say(texts.damaged);
  });
}

/**
 * The address of a place in a run; the run rides along if it is small and none of the recorded ones. brief:
 * neither that nor what can be done without.
 */
async function linkTo(known, page, { brief, ...place }, { run, info, rounds }) {
  const recorded = known.recorded.includes(run) ? run : undefined;
  const json = recorded || brief ? '' : await page.save(run).catch(() => ''); // none before the run is over
  const packed = json && (await pack(json));
  const hash = encode(
    {
      ...place,
      recorded,
      ...(brief && recorded ? {} : { config: info.config }),
      tokens: brief ? [] : writtenBy(rounds),
      trace: packed.length <= TRACE ? packed : '',
    },
    known.settings,
  );
  if (window.parent !== window && location.hostname.endsWith('.hf.space'))
    window.parent.postMessage({ hash: `#${hash}` }, SPACES);
  return `${page.address || location.href.split(/[?#]/)[0]}#${hash}`;
}
