/**
 * guide.js: Chinese for stage/words-guide.js and words-gamma.js. Pure.
 */

import { clean } from '../format.js';
import { served } from './served.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });
const quoted = (text) => `“${text}”`;
const all = (many) => (many === 1 ? '这个猜测' : many === 2 ? '两个猜测' : `全部 ${many} 个猜测`);
const WHO = { bigram: '一张词对表', ngram: '一张短语表', recycling: '对以往选择的记忆', quantized: '目标模型的 8 位副本' };
const who = (drafter) => [draft('草稿模型'), `（${WHO[drafter] ?? '又小又快'}）`];

export const guide = {
  label: '第一分钟导览',
  of: (at, many) => `${at}/${many}`,
  next: '继续 →',
  back: '返回',
  skip: '跳过',
  race: '观看竞速 →',
  step: '自己逐步看',

  plain: ['通常，每个 token 都要大模型，即', target('目标模型'), '，做一次慢的前向传播。'],
  plainUnder: (passes, time) => `${passes} 个 token，${passes} 次前向传播，一次接一次：${time}。`,
  plainUntimed: (tokens) => `所以这 ${tokens} 个 token 要 ${tokens} 次前向传播，一次接一次。`,

  guess: (drafter, many) => [...who(drafter), `先猜出后面的 ${many} 个 token。`],
  guessTree: (drafter, many) => [...who(drafter), `先猜出几条路：共 ${many} 个 token。`],
  guessUnder: (many) => (many === 1 ? '猜得快，但可能猜错。' : '每个猜测接着前面的猜测；q 是草稿模型认为它有多可能。'),
  none: '这次运行不猜：每个 token 一次前向传播。',
  noneUnder: '把 γ 设为大于 0 再按“运行”，即可看到猜测。',

  check: (many) => [target('目标模型'), `用一次前向传播同时检验${all(many)}。`],
  checkUnder: (many) => `它还评估了后面的位置。${many === 1 ? '若被接受' : '若全部被接受'}，那里的奖励 token 不需要额外的前向传播。`,
  checkTreeUnder: '每个猜测看得到文本和自己的分支。可以保留一条分支；它后面的内容已经评估过。',

  number: ['每个猜测面对一个随机数。低于界线就', accepted('被接受'), '。'],
  numberUnder: '界线是 p/q，最多为 1：目标模型给这个猜测的概率除以草稿模型给的。',
  greedy: ['猜测也是', target('目标模型'), '的首选吗？是就', accepted('接受'), '。'],
  greedyUnder: '温度 0 时没有随机数。',
  coupled: ['两个模型用同一随机噪声。选中同一个 token：', accepted('接受'), '。'],
  coupledUnder: '噪声属于位置，不论谁在那里选。',

  typical: [target('目标模型'), '给猜测的概率高于阈值吗？是就', accepted('接受'), '。'],
  typicalUnder: '不由随机数决定。规则有损：文本与目标模型的不完全相同。',

  fails: (text, dropped, noDice) => [rejected(quoted(text)), `${noDice && noDice !== 'typical' ? '不一致' : '被拒绝'}。后面的 ${dropped} 个猜测接着`, rejected(quoted(text)), '，所以也一起丢弃。'],
  failsLast: (text, own) => [rejected(quoted(text)), '被拒绝。', target('目标模型'), '改选', target(quoted(own)), '。'],
  blue: (own) => `被接受的猜测带来两者共有的绿色部分。从 p 抽取会重复计算它：“${own}”来自蓝色。`,
  first: (own) => `“${own}”是目标模型自己的首选，取而代之。`,
  sameNoise: (own) => `“${own}”是目标模型在该噪声下的选择，取而代之。`,
  allOfP: (own) => `“${own}”从整个 p 抽取，没有扣除已接受的部分：规则有损。`,
  equal: (own) => `“${own}”从 p 抽取：这里 p 与 q 相等。`,
  free: (text, many) => [accepted(many === 1 ? '猜测被接受' : many === 2 ? '两个都被接受' : `${many} 个全部被接受`), '，同一次前向传播还白送', bonus(quoted(text)), '。'],
  freeUnder: '若有一个被拒绝，它后面的猜测都会丢弃，因为它们接着它。',

  faster: (tokens, steps) => `平均而言：一轮得 ${tokens} 个 token，用时相当于 ${steps} 次慢的前向传播。`,
  fasterUnder: '若被接受的猜测太少，或猜测与检验太贵，就会更慢。',
  slower: (tokens, steps) => `这里：${tokens} 个 token 用时相当于 ${steps} 次慢的前向传播，反而更久。`,
  slowerUnder: '被接受的猜测太少，抵不上猜测与检验的开销。',
  untimed: (tokens, passes) => `这 ${tokens} 个 token 用了 ${passes} 次慢的前向传播，而不是 ${tokens} 次。`,
  untimedUnder: '这里没有计时。被接受的猜测太少而抵不上开销时，会更慢。',
};

export const gamma = {
  round: (round, guessed, kept) => `第 ${round} 轮：猜 ${guessed} 个，接受 ${kept} 个。`,
  because: (reason) => `为何猜这么多：${clean(served(reason))}。`,
  entropy: (nats) => `H(q) 平均 ${nats} nat。`,
  ghost: (name, gammaThen, unknown, reason) => `${name} 会${unknown ? '最多' : ''}猜 ${gammaThen} 个：${clean(served(reason))}。`,
};

export const ghost = {
  noLength: '这次运行的猜测没有长度可供规则选择。',
  title: '换一种规则会怎样？',
  about: '根据之前各轮，该规则在这次运行每一轮会设定的值。它的虚线也在 γ 泳道中。',
  none: '选择一种 γ 规则',
  waiting: '正在等待回答。',
  refused: (reason) => `未询问：${reason}。`,
  chart: (name) => `若由 ${name} 设定的 γ`,
  round: '轮',
  guesses: '猜测数',
  says: (name, own, would, drawn, same, rounds, open) => `${name} 每轮会猜 ${would} 个 token，而 ${own} 猜了 ${drawn} 个；${rounds} 轮中有 ${same} 轮相同。`
    + (open ? ` 其中 ${open} 轮它可能比线上显示的更早停下：录制在那之前就结束了。` : ''),
};
