/**
 * guide.js: Chinese for stage/words-guide.js and words-gamma.js. Pure.
 */

import { clean } from '../format.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });
const quoted = (text) => `“${text}”`;
const all = (many) => (many === 1 ? '这个猜测' : many === 2 ? '两个猜测' : `全部 ${many} 个猜测`);
const WHO = {
  bigram: '一张词对表',
  ngram: '一张短语表',
  recycling: '一份对以往选择的记忆',
  quantized: '目标模型的 8 位副本',
  'prompt-lookup': '文本检索',
  suffix: '文本检索',
  retrieval: '语料库检索',
};
const who = (drafter) =>
  !drafter ? [target('目标模型'), '自己'] : [draft('草稿模型'), `（${WHO[drafter] ?? '又小又快'}）`];

export const guide = {
  label: '第一分钟导览',
  of: (at, many) => `${at}/${many}`,
  next: '继续 →',
  back: '返回',
  skip: '跳过',
  race: '观看竞速 →',
  step: '自己逐步看',

  plain: ['通常，每个 token 都要由大模型（', target('目标模型'), '）做一次慢速前向传播。'],
  plainUnder: (passes, time) => `${passes} 个 token，${passes} 次前向传播，一次接一次：${time}。`,
  plainUntimed: (tokens) => `所以这 ${tokens} 个 token 要做 ${tokens} 次前向传播，一次接一次。`,

  guess: (drafter, many) => [...who(drafter), `先猜出后面的 ${many} 个 token。`],
  guessTree: (drafter, many) => [...who(drafter), `先猜出几种续写：共 ${many} 个 token。`],
  guessUnder(many, chosen) {
    if (many === 1) return '猜得快，但可能猜错。';
    return `每个猜测接着前面的猜测；${chosen ? '它是选定的，不是采样的，所以 q 为 1' : 'q 是草稿模型给它的概率'}。`;
  },
  none: '这次运行不做猜测：每个 token 一次前向传播。',
  noneUnder: '把 γ 设为大于 0 再按“运行”，即可看到猜测。',

  check: (many) => [target('目标模型'), `用一次前向传播同时验证${all(many)}。`],
  checkUnder: (many) =>
    `它还评估了后面的位置。${many === 1 ? '若被接受' : '若全部被接受'}，那里的奖励 token 不需要额外的前向传播。`,
  checkTreeUnder: '每个猜测看得到文本和自己的分支。可以保留一条分支；这次前向传播已评估了它的后续位置。',

  number: ['每个猜测都对应一个随机数。随机数低于界线，猜测就', accepted('被接受'), '。'],
  numberUnder: '界线是 p/q，最多为 1：目标模型给这个猜测的概率，除以草稿模型给的概率。',
  greedy: ['猜测也是', target('目标模型'), '的首选吗？是就', accepted('接受'), '。'],
  greedyUnder: '温度 0 时没有随机数。',
  coupled: ['两个模型用同样的随机噪声。选中同一个 token 就', accepted('接受'), '。'],
  coupledUnder: '噪声由位置决定，与由谁来选无关。',

  typical: [target('目标模型'), '给猜测的概率高于阈值吗？高于就', accepted('接受'), '。'],
  typicalUnder: '不由随机数决定。规则有损：文本与目标模型的不完全相同。',

  fails: (text, dropped, noDice) => [
    rejected(quoted(text)),
    `${noDice && noDice !== 'typical' ? '不一致' : '被拒绝'}。接在`,
    rejected(quoted(text)),
    dropped === 1 ? '之后的猜测也一起丢弃。' : `之后的 ${dropped} 个猜测也一起丢弃。`,
  ],
  failsLast: (text, own) => [
    rejected(quoted(text)),
    '被拒绝。',
    target('目标模型'),
    '改选',
    target(quoted(own)),
    '。',
  ],
  blue: (own) =>
    `被接受的猜测提供了绿色部分，即两者的重叠。从整个 p 采样会把它算两次：所以“${own}”来自蓝色部分。`,
  first: (own) => `“${own}”是目标模型自己的首选，取而代之。`,
  sameNoise: (own) => `“${own}”是目标模型在该噪声下的选择，取而代之。`,
  allOfP: (own) => `“${own}”从整个 p 采样，没有扣除已接受的部分：规则有损。`,
  equal: (own) => `“${own}”从 p 采样：这里 p 与 q 相等。`,
  free: (text, many) => [
    accepted(many === 1 ? '猜测被接受' : many === 2 ? '两个都被接受' : `${many} 个全部被接受`),
    '，同一次前向传播还白送',
    bonus(quoted(text)),
    '。',
  ],
  freeUnder: '若有一个被拒绝，接在它后面的猜测都会丢弃。',

  faster: (tokens, steps) => `平均而言：一轮得到 ${tokens} 个 token，用时相当于 ${steps} 次慢速前向传播。`,
  fasterUnder: '若被接受的猜测太少，或猜测与验证太贵，就会更慢。',
  slower: (tokens, steps) => `这里：得到 ${tokens} 个 token，用时相当于 ${steps} 次慢速前向传播，反而更慢。`,
  slowerUnder: '被接受的猜测太少，抵不上猜测与验证的开销。',
  untimed: (tokens, passes) => `这 ${tokens} 个 token 只用了 ${passes} 次慢速前向传播，而不是 ${tokens} 次。`,
  untimedUnder: '这里没有计时。被接受的猜测太少而抵不上开销时，会更慢。',
};

export const gamma = {
  round: (round, guessed, kept) => `第 ${round} 轮：猜 ${guessed} 个，接受 ${kept} 个。`,
  because: (reason) => `为何是这个数：${clean(reason)}。`,
  entropy: (nats) => `H(q) 平均 ${nats} nat。`,
  ghost: (name, gammaThen, unknown, reason) =>
    `${name} 会${unknown ? '最多' : ''}猜 ${gammaThen} 个：${clean(reason)}。`,
};

export const ghost = {
  noLength: '这次运行的方法没有可供规则选择的猜测长度。',
  title: '换一种规则会怎样？',
  about: '给定之前各轮，该规则在这次运行的每一轮会设定的值。γ 走势图中也有它的虚线。',
  none: '选择一种 γ 规则',
  waiting: '正在等待结果。',
  refused: (reason) => `未计算：${reason}。`,
  chart: (name) => `若由 ${name} 设定的 γ`,
  round: '轮次',
  guesses: '猜测数',
  point: (gammaThen, reason) => `${gammaThen}：${reason}`,
  says: (name, own, would, drawn, same, rounds, open) =>
    `${name} 每轮会猜 ${would} 个 token，而 ${own} 猜了 ${drawn} 个；${rounds} 轮中有 ${same} 轮相同。` +
    (open ? `其中 ${open} 轮它可能停得比虚线所示更早：录制到那里就没有数据了。` : ''),
};
