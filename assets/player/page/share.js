/**
 * share.js: the menu that hands on the run on stage: a link to it, or what shows it elsewhere, a page that
 * plays it, its numbers as files; and that opens somebody else's.
 */

import { el, save as saveFile, set, toClipboard, write } from '../base/dom.js';
import { createMenu } from './menu.js';
import { toDense } from './dense.js';
import { runLine } from './frame.js';
import { zip } from './link.js';
import { pngOf, svgOf } from './still.js';
import { words } from '../words/words.js';
import { csv } from '../base/figure.js';
import { tableOf } from '../trace/table.js';

const texts = words.share;

/**
 * trace(): the one on stage; link({ embed }): a promise of its address, where it has one; save(run): one of
 * its JSON, '' where there is none; shell(): one of the page that plays a trace, with places for it and for
 * an address, where there is one; lesson() opens what a class needs, where that can be had; open() asks for
 * a file, where that can be done. { toggle(), close() }.
 */
export function createShare(root, { trace, link, save, shell, lesson, open }) {
  const said = el('p', { role: 'status' });
  const field = el('textarea', { readonly: true, hidden: true, rows: 3, 'aria-label': texts.byHand });
  const linked = {
    link: () => copy(link()),
    embed: () => copy(link({ embed: true }).then(frameOf)),
    cite: () => copy(link().then((address) => cited(trace(), address))),
  };
  const acts = {
    ...(link ? linked : {}),
    ...(lesson ? { lesson: () => [menu.close(), lesson()] } : {}),
    ...(shell ? { page: savePage } : {}),
    download: saveTrace,
    png: async () => keep('png', 'image/png', await pngOf(svgOf(root, captionOf(trace())))),
    svg: () => keep('svg', 'image/svg+xml', svgOf(root, captionOf(trace()))),
    csv: () => keep('csv', 'text/csv', csv(tableOf(trace()))),
    ...(open ? { open: () => [menu.close(), open()] } : {}),
  };
  const items = Object.entries(acts).map(([name, act]) =>
    createItem(name, () => [
      set(field, { hidden: true }),
      trace() || name === 'open' ? act() : write(said, texts.none),
    ]),
  );
  const menu = createMenu(
    root,
    el('div', { 'data-sv': 'share', 'aria-label': texts.label }, ...items, said, field),
    () => document.getElementById('sv-share'),
  );

  /** Puts a text on the clipboard, or shows it to be copied by hand. */
  async function copy(coming) {
    const text = await coming;
    const copied = await toClipboard(text);
    write(said, copied ? texts.copied : texts.byHand);
    set(field, { hidden: copied });
    if (!copied) select(field, text);
  }

  function keep(kind, type, text) {
    const name = fileName(trace(), kind);
    saveFile(name, type, text);
    write(said, texts.done({ name }));
  }

  async function saveTrace() {
    const text = await jsonOf(save, trace().run, said);
    if (text) keep('json', 'application/json', text);
  }

  async function savePage() {
    const text = await jsonOf(save, trace().run, said);
    const page = text && (await shell().catch(() => ''));
    if (page)
      keep('html', 'text/html', filled(page, toDense(await zip(text)), location.href.split(/[?#]/)[0]));
    else if (text) write(said, texts.failed);
  }

  return {
    close: menu.close,
    toggle() {
      write(said, '');
      set(field, { hidden: true });
      menu.toggle();
    },
  };
}

/** A run's JSON; '' where it cannot be had, which is said. */
async function jsonOf(save, run, said) {
  write(said, texts.waiting);
  const text = await save(run).catch(() => '');
  if (!text) write(said, texts.failed);
  return text;
}

function select(field, text) {
  field.value = text;
  field.focus();
  field.select();
}

function createItem(name, act) {
  const [{ text: title }, note] = texts.items[name];
  const node = el(
    'button',
    { type: 'button', role: 'menuitem', 'data-share': name },
    el('b', {}, title),
    el('small', {}, note),
  );
  node.addEventListener('click', act);
  return node;
}

/** A frame that shows the round alone. */
function frameOf(address) {
  return `<iframe src="${attribute(address)}" title="specviz" style="width: 100%; height: 640px; border: 0"></iframe>`;
}

/** A run in one line, for those who name their sources. */
function cited(trace, address) {
  return `${captionOf(trace)}. ${address}`;
}

/** What a run is, in one line. */
function captionOf({ info }) {
  return `specviz · ${runLine(info)} · ${info.recorded.slice(0, 10)}`;
}

function attribute(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** The page that plays a trace, filled in; specviz/trace/standalone.py names the places. */
function filled(shell, trace, address) {
  return shell.replace('SPECVIZ-ADDRESS', () => attribute(address)).replace('SPECVIZ-TRACE', () => trace);
}

function fileName(
  {
    info: {
      config: { drafter, prompt },
    },
  },
  kind,
) {
  const begins = prompt
    .slice(0, 24)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
  return `specviz-${drafter}-${begins || 'run'}.${kind}`;
}
