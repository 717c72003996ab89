/**
 * share.js: the menu that hands on the run on stage: a link to it, files of it, what a class needs; and that
 * opens somebody else's.
 */

import { button, el, quoted, save as saveFile, set, toClipboard, write } from '../base/dom.js';
import { createMenu } from './menu.js';
import { runLine } from './frame.js';
import { pack } from './packed.js';
import { pngOf, svgOf } from './still.js';
import { words } from '../words/words.js';
import { csv } from '../base/figure.js';
import { tableOf } from '../trace/table.js';

const texts = words.share;

/**
 * trace(): the one on stage; link(): a promise of its address, where it has one; save(run): one of
 * its JSON, '' where there is none; shell(): one of the page that plays a trace, with places for it and for
 * an address, where there is one; lesson() opens what a class needs, where that can be had; open() asks for
 * a file, where that can be done.
 * @param {Element} root
 * @param {{ trace: Function, link?: Function, save: Function, shell?: Function, lesson?: Function,
 *   open?: Function }} can
 * @returns {{toggle: () => void, close: () => boolean}}
 */
export function createShare(root, { trace, link, save, shell, lesson, open }) {
  const said = el('p', { role: 'status' });
  const field = el('textarea', { readonly: true, hidden: true, rows: 3, 'aria-label': texts.byHand });
  const picture = () => svgOf(root, captionOf(trace()));
  const item = (name, act) =>
    createItem(name, () => {
      set(field, { hidden: true });
      return trace() || name === 'open' ? act() : write(said, texts.none);
    });
  const itemsOf = (acts) => Object.entries(acts).flatMap(([name, act]) => (act ? [item(name, act)] : []));
  const files = itemsOf({
    page: shell && savePage,
    png: async () => keep('png', await pngOf(picture())),
    json: async () => keep('json', await jsonOf(save, trace().run, said)),
    svg: () => keep('svg', picture()),
    csv: () => keep('csv', csv(tableOf(trace()))),
  });
  const node = el(
    'div',
    { 'data-sv': 'share', 'aria-label': texts.label },
    ...itemsOf({ link: link && (() => copy(link(), said, field)) }),
    createFiles(files),
    ...itemsOf({
      lesson: lesson && (() => [menu.close(), lesson()]),
      open: open && (() => [menu.close(), open()]),
    }),
    said,
    field,
  );
  const menu = createMenu(root, node, () => document.getElementById('sv-share'));

  function keep(kind, content) {
    if (!content) return;
    const name = fileName(trace().info.config, kind);
    saveFile(name, content);
    write(said, texts.done({ name }));
  }

  async function savePage() {
    const text = await jsonOf(save, trace().run, said);
    const page = text && (await shell().catch(() => ''));
    if (page) keep('html', filled(page, await pack(text)));
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

/** What can be downloaded, under one heading. */
function createFiles(items) {
  return el(
    'div',
    { role: 'group', 'aria-label': texts.download, 'data-sv': 'share-files' },
    el('b', { 'aria-hidden': 'true' }, texts.download),
    el('div', {}, ...items),
  );
}

/** Puts a text on the clipboard, or shows it to be copied by hand. */
async function copy(pending, said, field) {
  field.value = await pending;
  const copied = await toClipboard(field.value);
  write(said, copied ? texts.copied : texts.byHand);
  set(field, { hidden: copied });
  if (copied) return;
  field.focus();
  field.select();
}

/** A run's JSON; '' where it cannot be had, which is said. */
async function jsonOf(save, run, said) {
  write(said, texts.waiting);
  const text = await save(run).catch(() => '');
  if (!text) write(said, texts.failed);
  return text;
}

function createItem(name, run) {
  const [{ text: title }, note] = texts.items[name];
  return button({ role: 'menuitem', 'data-share': name }, run, el('b', {}, title), el('small', {}, note));
}

/** What a run is, in one line. */
function captionOf({ info }) {
  return `specviz · ${runLine(info)} · ${info.recorded.slice(0, 10)}`;
}

/** The page that plays a trace, filled in; specviz/trace/standalone.py names the places. */
function filled(shell, trace) {
  const [address] = location.href.split(/[?#]/);
  return shell.replace('SPECVIZ-ADDRESS', () => quoted(address)).replace('SPECVIZ-TRACE', () => trace);
}

export function fileName({ drafter, prompt }, kind) {
  const begins = prompt
    .slice(0, 24)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
  return `specviz-${drafter}-${begins || 'run'}.${kind}`;
}
