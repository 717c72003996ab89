/**
 * standalone.js: the player of a page that is one file. It has the stage, the charts and what hands a run on; what
 * only a server could do is not there.
 */

import { el, set, write } from './base/dom.js';
import { createArrival } from './page/arrival.js';
import { showTheme, toggleDark } from './page/gradio.js';
import { unpack } from './page/packed.js';
import { createHelp } from './page/panels.js';
import { createPresenter } from './page/present.js';
import { createShare } from './page/share.js';
import { createClocks } from './stage/draw/draw-clocks.js';
import { words } from './stage/words.js';
import { createCard } from './stage/panes/card.js';
import { importTrace } from './trace/file.js';
import { storyOf } from './trace/story.js';
import { copyLink, saveCard } from './ending.js';
import { addGuides, addStage, addTransport } from './player.js';
import { goTo, placeOf, linkable } from './url-state.js';
import { explain, redraw, render, reveal } from './render.js';

/** Bytes that the trace may unpack to. */
const UNPACKED = 5_000_000;
const nothing = () => {};
/** Parts of the page that this one lacks, as render.js and shortcuts.js ask of them. */
const LACKS = {
  presses: {},
  status: { refresh: nothing, close: () => false },
  conversation: { show: nothing },
  mindEnding: nothing,
  methods: { close: () => false },
  labs: { look: nothing },
  racing: { raced: () => false },
  screens: { tell: nothing, stop: nothing, follow: nothing },
  tabs: { shown: () => 'round', show: nothing, turn: nothing, page: nothing },
};

async function mount() {
  const data = document.getElementById('sv-trace');
  const bytes = await unpack(data.textContent, UNPACKED);
  const { trace, refusal } = bytes ? importTrace(bytes) : { refusal: words.file.unreadable };
  const root = document.querySelector('[data-sv="stage"]');
  document.body.classList.toggle('dark', window.matchMedia('(prefers-color-scheme: dark)').matches);
  if (trace) show(root, { run: 'standalone', ...trace }, new TextDecoder().decode(bytes), data.dataset);
  else root.append(el('p', {}, words.file.refused({ name: '', of: 1, reason: refusal })));
}

/**
 * json: the trace as it is in the file. data: { address: of a page that runs what a copied link says, '' for none;
 * place: where it opens if its own link says nothing }.
 */
function show(root, trace, json, data) {
  /** @type {Record<string, any>} */
  const player = {
    root,
    ...LACKS,
    state: {
      story: storyOf(trace),
      at: 0,
      picked: null,
      playing: false,
      waiting: false,
      begun: false,
      frame: 0,
    },
    stillness: window.matchMedia('(prefers-reduced-motion: reduce)'),
  };
  set(root, { role: 'region', 'aria-label': words.region, 'data-tab': 'round' });
  addStage(player);
  addTransport(player);
  addPanels(player, json, data.address);
  document.title = `specviz: ${trace.info.config.prompt.slice(0, 60)}`;
  player.frame.name(trace);
  write(player.frame.pill, words.saved({ day: trace.info.recorded.slice(0, 10) }));
  player.stage.parts.ribbon.addEventListener(
    'click',
    ({ target }) =>
      target.closest('[data-sv="token"]') && explain(player, target.closest('[data-sv="token"]')),
  );
  window.addEventListener('resize', () => render(player, null));
  redraw(player);
  const place = player.arrival.read(location.hash || data.place);
  if (place) player.arrival.begin({ ...place, recorded: undefined, config: undefined }, trace);
}

function addPanels(player, json, address) {
  const settings = JSON.parse(document.getElementById('sv-settings').textContent);
  const { root, state, controls, stage } = player;
  const way =
    (act) =>
    (...given) =>
      act(player, ...given);
  player.card = createCard(root, way(reveal), () => render(player, null));
  player.help = createHelp(root);
  player.presenter = createPresenter(root, controls.parts, () => render(player));
  player.clocks = createClocks(stage.parts.clocks);
  addGuides(player);
  const { trace } = state.story;
  player.arrival = createArrival(
    linkable({ shipped: [], settings, drafters: [], acceptance: [], rules: [] }),
    { go: (place) => goTo(player, place), say: nothing, save: async () => json, address },
  );
  const reachable = address || location.protocol !== 'about:';
  player.share = createShare(root, {
    link: reachable ? (more) => player.arrival.link({ ...placeOf(player), ...more }, trace) : undefined,
    save: async () => json,
    trace: () => trace,
  });
  stage.acts({ ...(reachable && { link: () => copyLink(player) }), card: () => saveCard(player) });
  const acts = {
    share: player.share.toggle,
    help: player.help.open,
    dark: () => toggleDark(),
    present: player.presenter.enter,
  };
  for (const [name, act] of Object.entries(acts)) {
    const button = document.getElementById(`sv-${name}`);
    write(button, words.bar[name]);
    button.addEventListener('click', () => act());
  }
  showTheme();
}

mount();
