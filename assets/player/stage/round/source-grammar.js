/**
 * source-grammar.js: what a grammar leaves of the vocabulary: the guesses that it forces, and the tokens among which
 * another drafter guesses. Pure. Everything is read from the record.
 */

import { count, inSentence, number, plainName, show } from '../../base/format.js';
import { words } from '../words.js';

const texts = words.source.held;

/** True if the grammar allows a guess alone at its place: it is accepted, whatever the number. */
export function isForced({ view, p }) {
  return view.allowed === 1 && p === 1;
}

/** How many tokens the grammar allows at a place, for the title of a figure and the card of a token; '' for all. */
export function heldBy(allowed, vocabulary, forced, message) {
  return allowed ? message({ many: allowed, shown: count(allowed), of: count(vocabulary), forced }) : '';
}

/** How much of p a draft with another tokenizer can guess, for the same two; '' for all of it. */
export function coveredBy({ covered }, message) {
  return covered === undefined ? '' : message({ share: number(covered) });
}

/** The tokens allowed at each place up to the newest guess, of which that with one alone is forced. */
export function forcedOf({ trace }, { verdicts }, { slot }, node) {
  const { vocab_size: vocabulary } = trace.info;
  const { text, source, view } = verdicts[node];
  const values = { text: inSentence(text), who: plainName(source.who), of: count(vocabulary) };
  const kind = isForced(verdicts[node]) ? 'forced' : view.allowed ? 'some' : 'any';
  return {
    line: texts.line[kind]({ ...values, shown: count(view.allowed ?? 0) }),
    picture: {
      kind: 'held',
      title: texts.title({ of: count(vocabulary) }),
      places: verdicts.length,
      cells: verdicts
        .slice(0, slot + 1)
        .map((verdict, at) => ({
          text: show(verdict.text),
          allowed: count(verdict.view.allowed || vocabulary),
          height: Math.log(verdict.view.allowed || vocabulary) / Math.log(vocabulary),
          forced: isForced(verdict),
          focus: at === node,
          late: at === slot && verdict.law === 'row',
        })),
      key: texts.key,
    },
  };
}
