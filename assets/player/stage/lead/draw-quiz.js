/**
 * draw-quiz.js: draws the answers to a question, what turned out beside what was said, and the score.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { placeMark } from '../draw/draw-chip.js';
import { SAID } from './questions.js';
import { words } from '../words.js';

const says = words.quiz;

/** The elements, in node; choose(option) hears which answer was given. */
export function answerParts(node, choose) {
  const options = el('div', { 'data-sv': 'quiz-options', role: 'group', 'aria-label': says.answers });
  const hint = el('p', { 'data-sv': 'quiz-hint' });
  const mark = (name, text) => el('b', { 'data-mark': name }, el('span', {}, text));
  const strip = el(
    'div',
    { 'data-sv': 'quiz-strip', role: 'img' },
    el('i', { 'data-kind': 'accept' }),
    mark('you', says.you),
    mark('u', 'u'),
  );
  const verdict = el('p', { 'data-sv': 'quiz-verdict', role: 'status' });
  const score = el('ul', { 'data-sv': 'quiz-score' });
  options.addEventListener('click', ({ target }) => {
    const option = target.closest('button');
    if (option) choose(Number(option.dataset.option));
  });
  node.append(options, hint, strip, verdict, score);
  return { options, hint, strip, verdict, score };
}

/** The answers of a question: the one that was chosen, and once it is shown the right one. */
export function drawAnswers({ options, hint, verdict }, question, { chosen, shown, hint: text }) {
  set(options, { hidden: !question });
  set(hint, { hidden: !question || shown });
  write(hint, text);
  fill(
    options,
    question?.options ?? [],
    () => el('button', { type: 'button' }, el('span'), el('small')),
    (node, option, at) => {
      const [name, share] = node.children;
      write(name, option);
      write(share, question.kind === 'dart' ? says.shares[at] : '');
      set(node, {
        'data-option': at,
        'aria-keyshortcuts': at + 1,
        'aria-pressed': String(chosen === at),
        'aria-disabled': shown ? 'true' : null,
        'data-right': shown && question.right === at,
      });
    },
  );
  write(verdict, question && shown ? judged(question, chosen) : '');
}

/** What an answer was worth. */
function judged({ kind, right, chance, options }, chosen) {
  if (chosen === null) return '';
  if (kind === 'dart')
    return says.off({ said: options[chosen], error: number((SAID[chosen] - chance) ** 2) });
  return chosen === right ? says.right : says.wrong({ text: options[chosen] });
}

/** One strip from never to always: the chance, what was said, and where the number fell. */
export function drawReveal({ strip }, question, said) {
  const known = question?.kind === 'dart';
  set(strip, { hidden: !known });
  if (!known) return;
  const [accept, you, u] = strip.children;
  set(accept, { style: `width: ${portion(question.chance)}` });
  placeMark(you, said);
  placeMark(u, question.u);
  set(strip, {
    'aria-label': says.strip({
      said: said === null ? '' : String(said),
      chance: number(question.chance),
      u: question.u === null ? '' : number(question.u),
    }),
  });
}

/** For each predicted chance: how often it was predicted, and what it should have been. */
export function drawScore({ score }, result) {
  set(score, { hidden: !result });
  fill(
    score,
    result?.said ?? [],
    () => el('li'),
    (node, { option, many, chance, accepted }) =>
      write(
        node,
        says.calibrated({ said: says.often[option], many, chance: number(chance), kept: accepted }),
      ),
  );
}
