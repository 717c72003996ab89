/**
 * quiz.js: predict, then reveal. It asks about the run on stage over beats that give nothing away, shows
 * the answer on the stage and keeps the score of a set. In a room the answer waits for Enter. Nothing of it
 * leaves the page or is kept.
 */

import { along, set, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { createCaption, giveFocusBack, reach } from './caption.js';
import { answerParts, drawAnswers, drawReveal, drawScore } from './draw-quiz.js';
import { SAID, setOf } from './questions.js';
import { scoreOf } from './score.js';
import { words } from '../words.js';

const says = words.quiz;
/** Keys of the stage that stay as they are meanwhile: sharing, Present and what belongs to it. */
const OTHERS = new Set(['tab', 'l', 'f', '?', 'b', '.']);
const WAYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/**
 * root: the stage. want: story(), round() on stage; look(at, node) shows a beat as a still, with a node of
 * its lane, play(at) with its motion; letters() whether single keys act; onChange() when something
 * changed. { start(room), stop(), on(), room(), key(event), asks(), follow(asks) }: asks is where it is,
 * null where it is off; follow shows that on another screen, at the same beat.
 */
export function createQuiz(root, want) {
  const quiz = {
    root,
    want,
    from: 0,
    questions: [],
    now: -1,
    chosen: null,
    shown: false,
    answered: [],
    room: false,
    opener: null,
  };
  quiz.caption = createCaption(root, 'quiz', says.label, {
    room: [says.room, () => gather(quiz, !quiz.room)],
    leave: [says.leave, () => stop(quiz)],
    next: [says.skip, () => go(quiz)],
  });
  quiz.parts = answerParts(quiz.caption.body, (option) => choose(quiz, option));
  set(quiz.caption.buttons.room, { title: says.roomTitle });
  return {
    start: (room = quiz.room) => start(quiz, room),
    stop: () => stop(quiz),
    on: () => quiz.now >= 0,
    room: () => quiz.room,
    key: (event) => quiz.now >= 0 && key(quiz, event),
    asks: () => stateOf(quiz),
    follow: (there) => follow(quiz, there),
  };
}

function start(quiz, room) {
  const { want, now } = quiz;
  if (now >= 0 || !want.story()) return;
  enter(quiz);
  quiz.room = room;
  begin(quiz, want.round());
}

function enter(quiz) {
  const { root } = quiz;
  quiz.opener = document.activeElement;
  reach(root, false);
  set(root, { 'data-quiz': true });
}

/** Puts a set of questions, from a round on. */
function begin(quiz, from) {
  Object.assign(quiz, { from, questions: setOf(quiz.want.story(), from), answered: [], now: 0 });
  if (quiz.questions.length) ask(quiz);
  else draw(quiz);
}

/** Where the questions are; an answer as [its question's place, the option]. */
function stateOf({ from, questions, now, chosen, shown, room, answered }) {
  return now < 0
    ? null
    : {
        from,
        now,
        chosen,
        shown,
        room,
        answered: answered.map(({ question, said }) => [questions.indexOf(question), said]),
      };
}

function follow(quiz, there) {
  if (!there || !quiz.want.story()) {
    stop(quiz);
    return;
  }
  if (quiz.now < 0) enter(quiz);
  const questions = setOf(quiz.want.story(), there.from);
  Object.assign(quiz, there, {
    questions,
    answered: there.answered.map(([at, said]) => ({ question: questions[at], said })),
  });
  draw(quiz);
}

function ask(quiz) {
  const { questions, now, want, parts } = quiz;
  const { at, node } = questions[now].ask;
  Object.assign(quiz, { chosen: null, shown: false });
  want.look(at, node);
  draw(quiz);
  parts.options.firstElementChild.focus({ preventScroll: true });
}

function choose(quiz, option) {
  const { questions, now, shown, room } = quiz;
  if (shown || option >= (questions[now]?.options.length ?? 0)) return;
  quiz.chosen = option;
  if (room) draw(quiz);
  else reveal(quiz);
}

function reveal(quiz) {
  const { questions, now, want, chosen, answered, caption } = quiz;
  const question = questions[now];
  quiz.shown = true;
  if (chosen !== null) answered.push({ question, said: chosen });
  if (question.moves) want.play(question.tell);
  else want.look(question.tell, null);
  draw(quiz);
  caption.buttons.next.focus({ preventScroll: true });
}

/** On: shows the answer, asks the next question, or begins another set. */
function go(quiz) {
  const { questions, now, room, shown, want } = quiz;
  if (!questions[now]) {
    if (questions.length) begin(quiz, want.round() + 1);
    else stop(quiz);
  } else if (room && !shown) reveal(quiz);
  else {
    quiz.now += 1;
    if (quiz.now < questions.length) ask(quiz);
    else {
      draw(quiz);
      quiz.caption.buttons.next.focus({ preventScroll: true });
    }
  }
}

/** What the caption says: a question, what turned out, the score of all, or that there is nothing to ask. */
function say({ questions, now, shown, caption }, score) {
  const [question, many] = [questions[now], questions.length];
  caption.step(question ? says.of({ at: now + 1, many }) : says.label, now, many);
  if (question)
    caption.say(shown ? question.after[0] : question.says, shown ? question.after[1] : question.under);
  else if (score)
    caption.say(
      score.guesses ? says.score({ error: number(score.error), blind: number(score.blind) }) : says.scoreNone,
      score.others ? says.others({ right: score.right, many: score.others }) : '',
    );
  else caption.say(says.none, says.noneUnder);
}

function draw(quiz) {
  const { questions, now, shown, chosen, room, answered, caption, parts, want } = quiz;
  const [question, many] = [questions[now], questions.length];
  const score = many && !question ? scoreOf(answered) : null;
  const { next, leave } = caption.buttons;
  say(quiz, score);
  write(
    next,
    !question ? (many ? says.again : says.leave) : shown ? says.next : room ? says.reveal : says.skip,
  );
  set(next, { 'data-primary': shown || room || !question });
  set(leave, { hidden: !many });
  drawAnswers(parts, question, {
    chosen,
    shown,
    hint: says[room ? 'hands' : 'keys']({ many: question?.options.length ?? 0 }),
  });
  drawReveal(parts, question && shown ? question : null, chosen === null ? null : SAID[chosen]);
  drawScore(parts, score);
  set(caption.buttons.room, { 'aria-pressed': String(room) });
  set(caption.node, { hidden: false });
  want.onChange();
}

/** Asks a room, or one person. */
function gather(quiz, room) {
  quiz.room = room;
  draw(quiz);
}

function stop(quiz) {
  const { root, caption, opener, want } = quiz;
  if (quiz.now < 0) return false;
  quiz.now = -1;
  set(caption.node, { hidden: true });
  set(root, { 'data-quiz': null });
  reach(root, true);
  giveFocusBack(root, opener);
  want.onChange();
  return true;
}

/** What a key does: true where it was ours. */
function key(quiz, event) {
  const {
    want,
    parts,
    caption: { buttons },
    questions,
    now,
    room,
    shown,
  } = quiz;
  const { key: name, target } = event;
  const digit = /^[1-9]$/.test(name) ? Number(name) : 0;
  const options = [...parts.options.children];
  const aside = [buttons.leave, buttons.room].includes(target);
  if (OTHERS.has(name.toLowerCase())) return false;
  if (name === 'Escape') stop(quiz);
  else if (digit && want.letters()) choose(quiz, digit - 1);
  else if (WAYS[name] && options.includes(target))
    along(options, options.indexOf(target), WAYS[name]).focus();
  else if (name === 'Enter' && room && !shown && questions[now] && !aside) reveal(quiz);
  else if (name === 'Enter' || name === ' ') return !target.matches('button');
  else if (shown && (name === 'ArrowRight' || name === 'PageDown')) go(quiz);
  event.preventDefault();
  return true;
}
