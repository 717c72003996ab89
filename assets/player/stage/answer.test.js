import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTrace } from '../trace/file.js';
import { byPlace } from '../trace/lengths.js';
import { scene } from './scene.js';
import { storyOf } from '../trace/story.js';

const opened = (data) => importTrace(new TextEncoder().encode(JSON.stringify(data)));
const vllm = (accepted, drafted, words) => ({
  object: 'chat.completion',
  model: 'Qwen/Qwen3-32B',
  choices: [
    { message: { content: words.join('') }, logprobs: { content: words.map((token) => ({ token })) } },
  ],
  usage: { prompt_tokens: 14, completion_tokens: words.length },
  metrics: { speculative_decoding: { per_step_accepted: accepted, per_step_drafted: drafted } },
});
const made = ({ rounds }) =>
  rounds.flatMap(({ path, verdicts, extra }) => [
    ...path.map((node) => verdicts[node].text),
    ...(extra ? [extra.text] : []),
  ]);
const states = ({ rounds }) =>
  rounds.map(({ verdicts }) => verdicts.map(({ verdict }) => verdict[0]).join(''));

test('what vLLM counted opens as rounds with its words, one plain step first', () => {
  const words = ['The', ' sky', ' is', ' blue', ' and', ' so', ' is', ' it'];
  const { trace } = opened(vllm([2, 0, 2], [3, 3, 2], words));
  assert.deepEqual(states(trace), ['', 'aar', 'ruu', 'aa']);
  assert.deepEqual(made(trace), words);
  assert.equal(trace.info.target, 'Qwen/Qwen3-32B');
  assert.ok(trace.info.missing.includes('numbers'));
});

test('a text may end inside the last round; words that do not fit the counts are boxes', () => {
  const ended = opened(vllm([2], [3], ['The', ' sky', ' is'])).trace;
  assert.deepEqual(
    [states(ended), made(ended)],
    [
      ['', 'aau'],
      ['The', ' sky', ' is'],
    ],
  );
  const other = opened(vllm([2], [3], [...'too many words'])).trace;
  assert.deepEqual(made(other), ['□', '□', '□', '□']);
});

test('what SGLang counted opens without an order; any other engine fills five fields', () => {
  const meta_info = { completion_tokens: 10, spec_accept_histogram: [1, 2, 1], spec_draft_token_num: 12 };
  assert.deepEqual(states(opened({ text: '…', meta_info }).trace), ['', 'ruu', 'aru', 'aru', 'aar']);
  const own = { engine: 'mine', drafted: [2, 0], accepted: [2, 0], tokens: ['a', 'b', 'c', 'd'] };
  assert.deepEqual([states(opened(own).trace), made(opened(own).trace)], [['aa', ''], own.tokens]);
});

test('the stage shows neither p nor q of an engine that recorded none, and says so', () => {
  const { trace } = opened(vllm([2, 0, 2], [3, 3, 2], [...'abcdefgh']));
  const story = storyOf(trace);
  for (const at of story.beats.keys()) {
    const { figure, ruler, sum, tree } = scene(story, at);
    assert.equal(figure, null);
    assert.equal(ruler.kind, 'none');
    assert.ok(tree.nodes.every(({ p, q, u, strip }) => [p, q, u, strip].every((number) => number === null)));
    assert.ok(sum.every(({ terms }) => !terms));
  }
  assert.equal(byPlace(trace).length, 8);
});

test('counts that contradict themselves, or are none, are refused with the reason', () => {
  const counts = (per_step_accepted, per_step_drafted) => ({
    metrics: { speculative_decoding: { per_step_accepted, per_step_drafted } },
  });
  const cases = [
    [counts([5], [2]), /round 0 accepted 5 guesses of 2/],
    [counts(undefined, [2]), /--per-request-spec-decode-metrics detailed/],
    [counts([1], [2, 2]), /as many whole numbers/],
    [counts([0], [1e9]), /as many whole numbers/],
    [counts('11', '22'), /as many whole numbers/],
    [counts([0.5], [1]), /as many whole numbers/],
    [{ meta_info: { spec_accept_histogram: [1e9] } }, /as many whole numbers/],
    [{ engine: 'x', drafted: [{}], accepted: [[]] }, /as many whole numbers/],
    [{ metrics: 3, choices: 'x' }, /no trace/],
  ];
  for (const [data, why] of cases) assert.match(opened(data).refusal, why);
});
