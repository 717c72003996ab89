/**
 * tree.js: guesses that others had a part in: the small model's rows, of which several tokens are taken, several
 * drafters with a branch each, or a drafter that guesses for the small model. Pure. Everything is read from the record.
 */

import { inSentence, number, plainName, show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { childrenOf, offeredOf } from '../../trace/timeline.js';
import { words } from '../words.js';
import { chance } from './heads.js';
import { tokensBefore } from './parts.js';
import { draftRibbonOf } from './stack.js';

const texts = words.source;
/** So many places of a branch are shown. */
const PLACES = 3;

/** The small model's layers, which give each next token a chance, and what was drawn so at each place of a branch. */
export function takenOf(story, round, { slot }, node) {
  const { verdicts } = round;
  const { text, law, depth, q } = verdicts[node];
  const lands = depth === verdicts[slot].depth && law === 'row' ? 'whole' : '';
  const rows = branchOf(round, node).map((each) => takenAt(story, round, each, each === node ? lands : ''));
  const { after, cells, left } = rows.at(-1);
  const kind = law === 'row' ? 'drawn' : 'chosen';
  const order = cells.findIndex(({ guess }) => guess) + 1;
  const shown = rows.slice(-PLACES);
  return {
    line: texts.taken.line[kind]({ after, text: inSentence(text), order, many: cells.length }),
    picture: {
      kind: 'tree',
      ...draftRibbonOf(story, texts.taken.ribbon),
      columns: Math.max(...shown.map((row) => row.cells.length)),
      rows: shown,
      key: left < 1 ? [texts.taken.key({ order, left: number(left, 2), q: number(q, 2) })] : [],
    },
  };
}

/** What was drawn at one place: `share` is of the whole row, where q is of what those drawn before left. */
function takenAt(story, round, node, lands) {
  const { verdicts } = round;
  const drawn = verdicts[node].law === 'row';
  const siblings = childrenOf(round, verdicts[node].parent);
  const leftFor = (most) =>
    drawn ? siblings.slice(0, most).reduce((left, each) => left * (1 - verdicts[each].q), 1) : 1;
  const cells = siblings.map((each, at) => {
    const share = leftFor(at) * verdicts[each].q;
    const taken = { text: show(verdicts[each].text), guess: each === node, lands };
    return drawn ? { ...taken, value: chance(share), share } : { ...taken, look: 'box' };
  });
  const after = inSentence(tokensBefore(story, round, node, 1)[0] ?? '…');
  return { after, name: texts.taken.after({ after }), cells, left: leftFor(siblings.indexOf(node)) };
}

/** The drafters of a round, each with its branch as far as it has grown, and where another one guesses the same. */
export function membersOf(_, round, { slot }, node) {
  const { verdicts } = round;
  const grown = verdicts[slot].depth;
  const others = ({ node: own, parent, token }) =>
    verdicts.filter((each) => each.node !== own && each.parent === parent && each.token === token);
  const members = [...new Set(verdicts.map(({ source }) => source.who))];
  const with_ = others(verdicts[node]).map(({ source }) => plainName(source.who));
  return {
    line: texts.members.line({
      members: members.length,
      who: plainName(verdicts[node].source.who),
      text: inSentence(verdicts[node].text),
      others: with_.length,
      with: with_,
    }),
    picture: {
      kind: 'tree',
      title: texts.members.title,
      columns: offeredOf(round),
      rows: members.map((who) => ({
        name: plainName(who),
        cells: verdicts
          .filter(({ source, depth }) => source.who === who && depth <= grown)
          .map((each) => ({
            text: show(each.text),
            look: others(each).length ? 'agrees' : 'said',
            guess: each.node === node,
            lands: each.depth === grown ? 'whole' : '',
          })),
      })),
    },
  };
}

/** Who guessed for the small model, and what it made of that, pass by pass. */
export function stagedOf(story, round, { slot }, node) {
  const { verdicts, timing } = round;
  const who = plainName(verdicts.find(({ source }) => source.inner)?.source.inner.who ?? '');
  const passes = timing.draft.flatMap(({ nodes }, at) => Array.from({ length: nodes }, () => at + 1));
  const places = verdicts
    .slice(0, slot + 1)
    .map(({ token, text, source: { inner } }, at) => ({
      inner: inner ? show(inner.text) : '',
      kind: !inner ? 'own' : inner.token === token ? 'kept' : 'replaced',
      text: show(text),
      pass: passes[at] ?? '',
    }));
  const here = places[node];
  return {
    line: texts.stages.line[here.kind]({
      who,
      text: inSentence(verdicts[node].text),
      inner: inSentence(verdicts[node].source.inner?.text ?? ''),
      pass: here.pass,
    }),
    picture: {
      kind: 'tree',
      title: texts.stages.title({ who }),
      columns: verdicts.length,
      rows: [
        {
          name: texts.stages.who({ who }),
          cells: places.map(({ inner, kind }) => ({
            text: inner,
            look: kind === 'replaced' ? 'struck' : 'box',
          })),
        },
        {
          name: texts.stages.judge,
          cells: places.map(({ text, kind, pass }, at) => ({
            text,
            value: pass === '' ? '' : texts.stages.pass({ pass }),
            look: kind,
            guess: at === node,
          })),
        },
      ],
    },
  };
}
