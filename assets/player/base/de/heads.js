/**
 * heads.js: German for stage/words-heads.js. Pure.
 */

import { listed } from './grammar.js';
import { words } from '../../words/words.js';

const KNOWN = { true: 'den Zustand des Zielmodells', imagined: 'einen geschätzten Zustand' };

export const heads = {
  label: 'Herkunft',
  title: 'Woher die Vorschläge kommen',
  layers: (layers, of) =>
    `Zustände ${layers.length > 1 ? 'der Schichten' : 'der Schicht'} ${layers.join(', ')} von ${of}.`,
  starts: {
    drawn: (last, pending) => `Das Zielmodell zog „${pending}“ aus seinem Zustand hinter „${last}“.`,
    given: (last, pending) => `Das Zielmodell hat bis „${last}“ gelesen; der Prompt endet mit „${pending}“.`,
  },
  says: {
    state: (pending, { pending: told }) => [
      `Jeder Kopf liest diesen Zustand${told ? ` und „${pending}“` : ''}, jeder für eine Stelle weiter.`,
      'Kein Kopf weiß, was die anderen vorschlagen.',
    ],
    told: () => [
      'Jeder Kopf liest diesen Zustand, jeder für eine Stelle weiter.',
      'Er kennt auch die Vorschläge vor seinem.',
    ],
    imagined: () => [
      'Beide gehen hinein; heraus kommen ein geschätzter nächster Zustand und ein Vorschlag, die als Nächstes hineingehen.',
    ],
    block: (pending, { places }) => [
      `Hinter „${pending}“ stehen ${places} Lücken, in einem Durchlauf gefüllt.`,
      'Sie sehen alle Zustände bisher und einander nur als Lücken.',
    ],
  },
  names: {
    state: (place) => `Kopf ${place}`,
    told: (place) => `Kopf ${place}`,
    imagined: (place) => `Schritt ${place}`,
    block: (place) => `Lücke ${place}`,
  },
  reads: {
    state: (kind) => KNOWN[kind],
    told: (kind) => KNOWN[kind],
    imagined: (kind) => KNOWN[kind],
    block: () => 'die bisherigen Zustände des Zielmodells',
  },
  row: (name, reads, tokens, position, guess) => {
    const read = `${name} liest ${listed([reads, ...tokens])}, für Position ${position}`;
    if (!guess) return `${read}: noch kein Vorschlag`;
    const parts = [
      `schlägt „${guess.text}“ vor`,
      guess.q && `q ${guess.q}`,
      words.states[guess.state],
      guess.value,
    ];
    return `${read}: ${parts.filter(Boolean).join(', ')}`;
  },
  rowsLabel: 'Stellen des Entwurfs',
  place: 'Position',
  guess: 'Vorschlag',
  values: { state: 'Überlappung', told: 'Überlappung', imagined: 'Ähnlichkeit', block: 'Überlappung' },
  key: {
    true: 'Zustand des Zielmodells',
    imagined: 'geschätzt',
    token: 'bekanntes Token',
    blank: 'Lücke',
    goal: 'Vorschlag',
  },
  likeliest: (name) => `${name} bewertet am höchsten:`,
  alike: (behind, many, likeness) =>
    `${many} Zahlen des Zustands hinter „${behind}“: geschätzt (umrandet) und die des Zielmodells. Kosinus ${likeness}.`,
  cost: (passes, drafting, verify) =>
    `${passes === 1 ? 'Ein Entwurfsdurchlauf' : `${passes} Entwurfsdurchläufe`}: ${drafting} ms. Die Prüfung: ${verify} ms.`,
  kept: (shares) => `Je Stelle angenommen, bisher: ${shares.join(' · ')}`,
};
