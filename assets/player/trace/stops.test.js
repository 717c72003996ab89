import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopProblem } from './stops.js';

/** A trace of rounds that accept guesses, and add the target's own token where it is given. */
function trace(strings, rounds, { stop = 'length', prompt = ['a'], said = '' } = {}) {
  const made = rounds.map(({ kept = [], own }) => ({
    path: kept.map((_, node) => node),
    verdicts: kept.map((text) => ({ text, token: 1 })),
    extra: own ? { text: own, token: own === '</s>' ? 2 : 1 } : null,
  }));
  if (said) made.at(-1).stop_string = said;
  return { info: { stop_strings: strings, eos: [2] }, prompt_texts: prompt, rounds: made, stop };
}
const roundOf = (...asked) => stopProblem(trace(...asked))?.round;

test('a text that ends with the token that completes its string hangs together', () => {
  const ended = { stop: 'string', said: 'STOP' };
  assert.equal(stopProblem(trace(['STOP'], [{ kept: ['S', 'TO'] }, { own: 'P!' }], ended)), null);
  assert.equal(stopProblem(trace(['STOP'], [{ kept: ['a', 'STOP'] }], ended)), null);
  assert.equal(stopProblem(trace(['STOP'], [{ own: 'OP' }], { ...ended, prompt: ['S', 'T'] })), null);
  assert.equal(stopProblem(trace(['STOP'], [{ own: 'a' }], { prompt: ['STOP'] })), null, 'not in the prompt');
  assert.equal(stopProblem(trace([], [{ kept: ['STOP'], own: 'a' }])), null);
});

test('a character of several tokens is complete with its last', () => {
  const bytes = ['<F0><9F>', '<99>', '<82>'];
  assert.equal(stopProblem(trace(['🙂'], [{ kept: bytes }], { stop: 'string', said: '🙂' })), null);
  assert.equal(roundOf(['🙂'], [{ kept: bytes, own: 'a' }]), 0);
});

test('a text that goes on behind a complete string, inside a round or behind it, contradicts itself', () => {
  assert.equal(roundOf(['STOP'], [{ kept: ['ST', 'OP'], own: 'a' }]), 0);
  assert.equal(roundOf(['STOP'], [{ own: 'a' }, { own: 'STOP' }, { own: 'a' }]), 1);
  assert.match(stopProblem(trace(['<b>'], [{ kept: ['<b>'], own: 'a' }])).what, /<b>/);
});

test('a string that is not complete, or that an end token came with, is not what ended the text', () => {
  assert.equal(roundOf(['STOP'], [{ own: 'STO' }], { stop: 'string', said: 'STOP' }), 0);
  assert.equal(roundOf([], [{ own: 'STOP' }], { stop: 'string', said: 'STOP' }), 0);
  assert.equal(roundOf(['STOP'], [{ own: 'STOP' }], { stop: 'length' }), 0);
  assert.equal(stopProblem(trace(['</s>'], [{ own: '</s>' }], { stop: 'eos' })), null);
  assert.equal(roundOf(['STOP'], [{ own: 'STOP' }], { stop: 'length', said: 'STOP' }), null);
  assert.equal(roundOf(['STOP'], [{ own: 'a' }], { stop: 'string' }), null);
});
