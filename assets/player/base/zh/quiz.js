/**
 * quiz.js: Chinese for stage/words-quiz.js, words-tour.js and words-sheet.js. Pure.
 */

import { guide } from './guide.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });
const quoted = (text) => `“${text}”`;

export const quiz = {
  label: '先预测，再揭晓',
  offer: '预测',
  offerTitle: '先预测会发生什么，再看结果 (Q)',
  of: (at, many) => `预测：第 ${at} 题，共 ${many} 题`,
  room: '举手表决',
  roomTitle: '按 Enter 之前不揭晓',
  leave: '离开',
  skip: '跳过',
  next: '继续 →',
  reveal: '揭晓 ⏎',
  again: '再来五题',
  answers: '你的答案',
  none: ['这次运行不猜，所以没有什么可预测。'],
  noneUnder: '把 γ 设为大于 0 再按“运行”。',
  keys: (many) => `按 1 到 ${many} 键作答。任何内容都不会离开本页。`,
  hands: (many) => `按 1 到 ${many} 键标记答案，按 Enter 揭晓。`,

  often: ['从不', '不太可能', '一半一半', '很可能', '总是'],
  dart: (text) => [target('目标模型'), '在这里接受', draft(quoted(text)), '的频率有多高？'],
  same: (text) => [target('目标模型'), '也选中', draft(quoted(text)), '的可能有多大？'],
  drawn: (q) => `草稿模型以 q = ${q} 的概率采到它。`,
  chosen: '草稿模型直接选定了它：q = 1。',
  kept: (text, chance, happened) => [
    quoted(text),
    chance === '1' ? '总是被接受。这次：' : `被接受的概率是 ${chance}。这次：`,
    happened ? accepted('接受') : rejected('拒绝'),
    '。',
  ],
  whether: (text, happened) =>
    happened
      ? ['是：', quoted(text), accepted('被接受'), '。']
      : ['否：', quoted(text), rejected('被拒绝'), '。'],

  count: (many) => [`${many} 个猜测中有几个会`, accepted('被接受'), '？'],
  countUnder: '按顺序判定：首次拒绝之后的全部丢弃。',
  many: (low, high, all) =>
    high === 0 ? '0' : low === all ? `全部 ${all} 个` : low === high ? String(low) : `${low} 到 ${high}`,
  stood: (text, many, all) => [
    many === all ? '全部' : many ? `其中 ${many} 个` : '没有一个',
    many ? accepted('被接受') : rejected('被接受'),
    '。',
  ],
  stoodUnder: (tokens) => `目标模型的一次前向传播，让这一轮得到 ${tokens} 个 token。`,

  pay: (many) => [`这棵有 ${many} 个猜测的树划算吗？`],
  payUnder: '若普通解码在同样时间内写出的 token 更少，树就划算。',
  yesNo: ['是', '否'],
  paid: (pays) => ['它', pays ? accepted('划算') : rejected('不划算'), '。'],
  paidUnder: (tokens, passes) => `它得到 ${tokens} 个 token，用时相当于 ${passes} 次普通前向传播。`,

  cannot: (text) => ['哪个 token ', rejected('不可能'), '用来替换', rejected(quoted(text)), '？'],
  cannotUnder: '替换从目标模型高出草稿模型的部分采样。',
  gone: (text) => [quoted(text), '不可能：它没有剩余。'],
  goneUnder: (p, q) => `它的 p = ${p} 不大于 q = ${q}，所以被接受的猜测已提供了它的全部概率。`,

  gamma: ['这次运行用哪个 ', { var: 'γ' }, ' 最快？'],
  gammaUnder: '猜得越多越费时，而靠后的猜测很少轮得到。',
  best: (gamma, times) => [{ var: 'γ' }, ` = ${gamma} 最快：${times}×。`],
  bestUnder: (alpha, c) => `按公式计算：取这次运行的 α = ${alpha}，一个猜测的成本为一次前向传播的 ${c}。`,

  right: '✓ 答对了。',
  wrong: (text) => `你的答案：${text}。`,
  off: (said, error) => `你答“${said}”；平方误差 ${error}。`,
  you: '你',
  strip: (said, chance, u) => `${said ? `你答“${said}”；` : ''}概率为 ${chance}${u ? `；随机数 ${u}` : ''}`,
  score: (error, blind) => [`你的均方误差为 ${error}；每题都答“一半一半”则为 ${blind}。`],
  scoreNone: ['这次没有预测概率。'],
  others: (right, many) => `其余 ${many} 道题答对 ${right} 道。`,
  calibrated: (said, many, chance, kept) =>
    `你答了 ${many} 次“${said}”：平均概率 ${chance}，接受 ${kept} 个。`,
};

export const tour = {
  label: '导览',
  offer: (stop, many) => (stop ? `继续导览，${stop}/${many}` : '开始导览'),
  leave: '离开',
  finish: '完成',
  done: '✓ 已完成',

  passes: [
    [target('目标模型'), '单独工作时，每次前向传播只写一个 token。'],
    '每个 token 都要从头到尾跑一遍整个大模型，所以慢。',
    '按 → 开始一轮。',
  ],
  guesses: (many) => [
    ['一个小的', draft('草稿模型'), '先猜。'],
    '琥珀色、虚线：尚未判定。猜测花费很少。',
    many === 1 ? '按 → 看猜测。' : `按 →，直到 ${many} 个猜测都出现。`,
  ],
  check: [
    [target('目标模型'), '用一次前向传播验证全部猜测。'],
    '它把文本和所有猜测一起读入，同时评估每个位置。',
    '按 → 执行前向传播。',
  ],
  number: [guide.number, guide.numberUnder, '按 → 让随机数落下。'],
  greedy: [guide.greedy, guide.greedyUnder, '按 → 比较。'],
  coupled: [guide.coupled, guide.coupledUnder, '按 → 比较。'],
  typical: [guide.typical, guide.typicalUnder, '按 → 比较。'],
  dropped: (text) => [
    [rejected(quoted(text)), '被拒绝，所以它后面的猜测都丢弃。'],
    '它们的概率以一个已不存在的 token 为前提，所以不再验证。',
    '打开一个被丢弃的猜测：点击它，或用 Tab 移到它上面再按 Enter。',
  ],
  rejected: (text) => [
    [rejected(quoted(text)), '被拒绝。这是最后一个猜测。'],
    '这不等于“错”：这样的猜测有一部分必须拒绝。',
    '打开被拒绝的猜测：点击它，或用 Tab 移到它上面再按 Enter。',
  ],
  left: [
    [target('目标模型'), '不是简单地重新采样。'],
    '它只从蓝色部分采样，即它高出草稿模型的部分。这样才保持它的分布。',
    '按 → 采样出替换的 token。',
  ],
  free: [
    ['若全部被接受，还', bonus('白送'), '一个 token。'],
    '前向传播评估的位置比猜测多一个。',
    '按 → 看奖励。',
  ],
  cache: [
    ['被拒绝的要离开缓存。'],
    '缓存为每个读过的 token 存一个条目。被拒绝的猜测，其条目被裁掉。',
    '按 → 回滚。',
  ],
  race: [
    ['划算吗？'],
    '只有猜测便宜且多半被接受时才划算。“竞速”在同一台机器上为两种方式计时。',
    '打开“竞速”标签页，或按 2。',
  ],
};

export const sheet = {
  title: '手算推测解码',
  answers: '答案',
  name: '姓名',
  about: (round, rounds, value, temperature, seed) =>
    `第 ${round} 轮，共 ${rounds} 轮 · γ ${value} · T ${temperature} · 随机种子 ${seed}`,
  none: '练习题需要猜测排成一列、每个都由随机数验证的一轮。请换到另一轮，或在 T > 0 时使用拒绝采样，不用树。',
  test: '接受还是拒绝？',
  how: '为每个猜测计算 a = min(1, p/q)，在它的横条上标出 a 和 u：u 小于 a 就接受。首次拒绝后即停止。',
  blank: (label) => `${label}：`,
  verdict: '判定',
  accept: '接受',
  reject: '拒绝',
  never: '未验证',
  left: 'p 的剩余',
  odds: (text, overlap) =>
    `在猜出“${text}”处，p 与 q 的重叠为 β = ${overlap}。那里的猜测被拒绝的概率是多少？`,
  cannot: (text) => `“${text}”能成为它自己的替换吗？为什么？`,
  because: (text) => `不能：“${text}”的 p 小于 q，所以它没有剩余。`,
  over: (text, p, q) => `对于“${text}”，p = ${p}，q = ${q}。它还剩多少？`,
  stretched: '全部剩余之和就是第一题的答案。拉伸到 1 之后，这个 token 的概率是多少？',
  words: '用文字回答',
  open: (refused) => [
    refused
      ? ['为什么被拒绝的猜测之后的猜测不再验证？', '它们以被拒绝的 token 为前文；那段文本已不存在。']
      : ['为什么奖励 token 不需要额外的前向传播？', '验证猜测的那次前向传播已评估了最后一个猜测之后的位置。'],
    [
      '这一轮什么时候会比普通解码慢？',
      '当猜测加上更宽的前向传播，其成本折合成普通解码的步数，多于这一轮得到的 token 数时。',
    ],
  ],
  foot: (target, draft, recorded) => `specviz · 目标模型 ${target} · 草稿模型 ${draft} · ${recorded}`,
};
