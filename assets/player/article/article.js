/**
 * article.js: How it works: one page of text with live figures. Its numbers are computed from what a reader
 * sets, or quoted from what was measured with the shipped recordings.
 */

import { el, write } from '../base/dom.js';
import { number } from '../base/format.js';
import { inSteps } from '../base/theory.js';
import { createDialog } from '../page/panels.js';
import { createCharts } from '../tabs/parts.js';
import { PROMPTS } from '../tabs/prompts.js';
import { words } from '../words/words.js';
import { batch, genre, roofline, temperature, textbook } from './figures.js';
import { createLive } from './live.js';
import { TEXTBOOK, grouped, roofOf } from './sums.js';
import { createWorked } from './worked.js';

/** What a link to the article has after its #, with the name of a section or without. */
const KEY = 'article';
/** What the sliders begin with where nothing was measured. */
const FREE = { alpha: 0.8, gamma: 4, c: 0.05, v: () => 1, overhead: 0 };

/** A link that opens it. */
export function articleLink() {
  return el('a', { href: `#${KEY}`, 'data-sv': 'article-link' }, words.article.link);
}

/**
 * The article; recordedLab(name): Promise of what was measured before.
 * @returns {{follow: (hash: string) => void}} follow opens it where a link asks for it
 */
export function createArticle(root, { recordedLab }) {
  const dialog = createDialog(KEY, words.article.title);
  let filled = false;
  root.append(dialog);
  dialog.addEventListener('close', () => history.replaceState(null, '', withoutKey(location)));

  return {
    follow(hash) {
      const section = new URLSearchParams(hash.slice(1)).get(KEY);
      if (section === null) return;
      if (!dialog.open) dialog.showModal();
      if (!filled) fillIn(dialog, (name) => recordedLab(name).then(sound, () => null));
      filled = true;
      if (section) dialog.querySelector(`[data-section="${CSS.escape(section)}"]`)?.scrollIntoView();
    },
  };
}

/** The address without the article, so that a link to it leads there again. */
function withoutKey({ pathname, search, hash }) {
  const rest = new URLSearchParams(hash.slice(1));
  rest.delete(KEY);
  return `${pathname}${search}${rest.size ? `#${rest}` : ''}`;
}

/** A record; null where the server has none, which says so in a `detail`. */
function sound(record) {
  return record?.answers ? record : null;
}

/** Fills the dialog with the page; what was measured comes when it is there. read(name): null where it is not. */
async function fillIn(dialog, read) {
  const charts = createCharts('textbook', 'roofline', 'tokens', 'speed', 'temperature', 'genre', 'batch');
  const live = createLive(charts);
  const lead = el('p', { 'data-sv': 'article-lead' });
  dialog.append(el('div', { 'data-sv': 'article-text' }, lead, ...sections(charts, live)));
  charts.textbook.draw(textbook());
  live.begin(FREE);
  const [measured, race] = await Promise.all([read('article'), read('race')]);
  write(lead, words.article.lead({ measured: measured && words.head.machine(measured) }));
  if (!measured) return;
  const { alpha, heats, sorts } = guessed(measured);
  charts.temperature.draw(temperature(heats));
  charts.genre.draw(genre(sorts));
  live.begin({ alpha, gamma: measured.config.gamma, ...inSteps(measured.answers.costs[0].costs) });
  const machine = race?.answers.machine[0].machine;
  charts.roofline.draw(machine ? roofline(machine) : null);
  charts.batch.draw(machine ? batch(machine, alpha) : null);
}

/** How often guesses were accepted: { alpha: at the run's temperature, heats, sorts: by temperature and text }. */
function guessed({ config, answers }) {
  const [hot, kinds] = [answers.temperature, answers.genre].map((reports) => reports.map(({ cell }) => cell));
  const names = Object.keys(PROMPTS); // as many cells of each, in this order
  const sorts = kinds.map((_, index) => names[Math.floor((index * names.length) / kinds.length)]);
  const temperatures = hot.map((cell) => cell.config.temperature);
  const heats = grouped(temperatures, hot);
  const [, { alpha }] = heats.find(([value]) => value === config.temperature);
  return { alpha, heats, sorts: grouped(sorts, kinds) };
}

/** The page from its top to its end. */
function sections(charts, { sliders, ways, says }) {
  const { traffic, arithmetic, ridge } = roofOf(TEXTBOOK);
  const sizes = { traffic: number(traffic), arithmetic: number(arithmetic), ridge: Math.round(ridge) };
  const shown = {
    room: [el('p', {}, words.article.room(sizes)), charts.textbook.node, charts.roofline.node],
    round: [createWorked('keep')],
    residual: [sliders.p, sliders.q, ways, says.share],
    tokens: [sliders.alpha, sliders.gamma, charts.tokens.node, createWorked('tokens')],
    cost: [
      sliders.c,
      sliders.cost,
      charts.speed.node,
      says.from,
      createWorked('timing'),
      createWorked('best'),
    ],
    text: [charts.temperature.node, charts.genre.node],
    batch: [charts.batch.node],
    pairs: [says.pair],
    pitfalls: [says.thumbs, says.mixture],
  };
  return Object.entries(shown).map(([name, figures]) => {
    const { title, says: told } = words.article.text[name];
    const paragraphs =
      name === 'pitfalls'
        ? [el('ul', {}, ...told.map((each) => el('li', {}, each)))]
        : told.map((each) => el('p', {}, each));
    return el('section', { 'data-section': name }, el('h2', {}, title), ...paragraphs, ...figures);
  });
}
