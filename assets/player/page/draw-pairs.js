/**
 * draw-pairs.js: the control that offers pairs, as elements: the list, what the chosen one is, and how far
 * it has loaded.
 */

import { button, el, fill, set, write } from '../base/dom.js';
import { announceLoading, progress } from './loading.js';
import { tell, words } from '../words/words.js';

/** The elements, by name; inOrder is how they follow one another, and close() shuts the list of pairs. */
export function createParts() {
  const value = el('span', { 'data-sv': 'pair-value', id: 'sv-pair-value' });
  const summary = el('summary', { 'aria-labelledby': 'sv-pair-label sv-pair-value' }, value);
  const list = el('ul', { 'aria-labelledby': 'sv-pair-label' });
  const parts = {
    choice: el('details', { 'data-sv': 'pair-choice' }, summary, list),
    about: el('p', { 'data-sv': 'pair-about' }),
    tried: el('p', { 'data-sv': 'pair-tried' }),
    prompt: el('button', { type: 'button', 'data-sv': 'pair-prompt', hidden: true }, words.pair.prompt),
    line: el('p', { 'data-sv': 'pair-line', role: 'status', 'aria-live': 'polite' }),
    trouble: el('p', { 'data-sv': 'pair-alert', role: 'alert', hidden: true }),
    bar: el(
      'div',
      { 'data-sv': 'pair-bar', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100, hidden: true },
      el('i'),
    ),
    counted: el('p', { 'data-sv': 'pair-counted' }),
    cancel: el('button', { type: 'button', 'data-sv': 'pair-cancel', hidden: true }, words.pair.cancel),
  };
  const label = el('span', { 'data-sv': 'pair-label', id: 'sv-pair-label' }, words.pair.label);
  function close() {
    parts.choice.open = false;
    summary.focus();
  }

  parts.choice.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !parts.choice.open) return;
    event.stopPropagation(); // else the drawer would close too
    close();
  });
  return { ...parts, value, summary, list, close, inOrder: [label, ...Object.values(parts)] };
}

/** pairs: what pairs.js knows of them. choose(offer): what a click on one does. */
export function drawPairs(
  root,
  { value, about, tried, list, line, bar, counted, prompt, cancel },
  { offers, present, wanted, report, callOff },
  choose,
) {
  const chosen = wanted ?? present;
  const { percent, text } = report ? progress(report) : { percent: null, text: '' };
  set(root, { 'data-pair': present.name, 'data-loading': wanted?.name ?? null });
  write(value, chosen.label);
  write(about, chosen.about);
  set(tried, { hidden: tried.dataset.of !== chosen.name });
  fill(
    list,
    offers,
    () => createOffer(choose),
    (item, offer) => paintOffer(item, offer, chosen),
  );
  if (wanted)
    write(
      line,
      report
        ? words.pair.step({ pair: wanted.label, what: tell(report.what) })
        : words.pair.waiting({ pair: wanted.label }),
    );
  set(bar, {
    hidden: percent === null,
    'aria-label': words.pair.bar({ pair: chosen.label }),
    'aria-valuenow': percent,
    'aria-valuetext': words.pair.value({ percent, rest: text }),
  });
  bar.firstChild.style.width = `${percent ?? 0}%`;
  write(counted, text);
  set(prompt, { hidden: Boolean(wanted) || !present.prompt });
  set(cancel, { hidden: !wanted });
  announceLoading(
    wanted ? [words.pair.bar({ pair: wanted.label }), text].filter(Boolean).join(', ') : '',
    callOff,
  );
}

function createOffer(choose) {
  const item = el(
    'li',
    {},
    button({}, () => choose(item.offer), el('b'), el('span')),
  );
  return item;
}

function paintOffer(item, offer, chosen) {
  const { name, label, about, refusal, ready } = offer;
  const [choosing] = item.children;
  item.offer = offer;
  set(choosing, {
    'aria-current': name === chosen.name && 'true',
    'aria-disabled': refusal !== '' && 'true',
  });
  write(choosing.firstChild, label);
  write(choosing.lastChild, refusal || [about, ready ? words.pair.ready : ''].filter(Boolean).join(' · '));
}
