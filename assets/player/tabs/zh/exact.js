/**
 * exact.js: Chinese for tabs/losslessness/words.js. Pure.
 */

import { plainName } from '../../base/format.js';
import { RULES } from '../../base/zh/grammar.js';

const TOKENS = { first: '第一个 token', second: '第二个 token', bonus: '奖励 token' };
const after = (position) => (position === '0' ? '提示词之后' : `这次运行第 ${position} 个 token 之后`);

export const finding = {
  question: '输出真的服从目标模型的分布吗？',
  title: '采样什么',
  asks: {
    first: (position) => `真正的接受/拒绝代码反复选取${after(position)}的第一个 token。`,
    second: (position) => `同样地选取${after(position)}的第二个 token，只看第一个恰为最可能的 token 的情形。`,
    bonus: (position) => `同样地选取${after(position)}的奖励 token，只看它前面的猜测被接受的情形。`,
  },
  place: '位置',
  places: {
    prompt: '提示词后',
    here: (position) => (position === '0' ? '此处' : `第 ${position} 个 token 后`),
  },
  law: 'token',
  laws: { first: '第一个', second: '第二个', bonus: '奖励' },
  n: '样本数',
  samples: (n) => `${n} 个样本`,
  seed: '随机种子',
  bug: '故意出错',
  real: '无（正确的算法）',
  bugs: {
    'accept-always': '接受每个猜测',
    'resample-from-p': '从 p 重新采样',
    'keep-testing': '拒绝后继续验证',
    'q-before-temperature': '使用温度之前的 q',
    'bonus-from-wrong-row': '奖励取自错误的一行',
    'one-number': '重复使用同一个随机数',
  },
  whys: {
    'accept-always': '每个猜测都接受，所以文本就是草稿模型的：它高估的部分从未得到纠正。',
    'resample-from-p': '被接受的猜测已提供 min(p, q)。从整个 p 采样会再提供一遍。',
    'keep-testing':
      '后面的猜测接着一个已去除的 token。接受其中之一，替换就没有了位置，而草稿模型低估的部分只能由替换提供。',
    'q-before-temperature': '猜测从一个分布采样，却用另一个分布来验证。温度为 1 时两者相等，错误就看不出来。',
    'bonus-from-wrong-row': '奖励必须接在最后一个猜测之后。这里它从前一行采样，而那一行没见过该猜测。',
    'one-number': '既然被拒绝，这个数必定偏大。再用它来采样替换，只能落到剩余部分的远端。',
  },
  draw: '采样',
  compare: '与普通解码比较',
  waiting: '正在排队。',
  done: (done, n) => `已完成 ${done}/${n} 个样本`,
  cancelled: '已取消。',
  refused: (reason) => `未采样：${reason}。`,
  broke: '引擎中断；详见服务器日志。',
  nothing: '按“采样”：真正的接受/拒绝代码在这一个位置运行 2,000 次；各点应落在蓝色柱上。',
  why: '为何无损 ↓',
  hereOf: (run) => `本服务器，刚才：${run}`,

  answer: (high, n) => `与目标模型分布的距离（${n} 个样本）。仅凭偶然即可达 ${high}。`,
  impossibleAnswer: (n) => `个样本（共 ${n} 个）是目标模型从不写的 token。`,
  about: (law, position, given) => `${after(position)}的${TOKENS[law]}${given ? `，接在“${given}”后` : ''}`,
  same: (n, p) => `N = ${n} 时没有证据表明存在差异（p 值 ${p}）。`,
  lossy: {
    nothing: '这次运行的规则有损。按“采样”：真正的接受/拒绝代码在这一个位置运行 2,000 次，各点会偏离蓝色柱。',
    shows: '此规则本来就有损：凡足够可能的猜测都通过，所以保不住目标模型的分布。这段距离就是代价。',
    hides: '此规则有损，但从这个 token 看不出来。多数位置上，从第一个 token 看得出来。',
  },
  different: (p, reason) => `有差异（p 值 ${p}）：${reason}。`,
  worst: (chi2, bins, token, share, p) =>
    `${token} 出现在 ${share} 的样本中，目标模型给它 ${p}；χ² = ${chi2}，${bins} 组`,
  impossible: (many, n) => `${n} 个样本中有 ${many} 个是目标模型从不写的 token`,
  hides: (law, n) => `错误确实存在，但这项检验看不出来。换成${TOKENS[law]}就看得出来，至少要 ${n} 个样本。`,
  others: '其他 token',
  columns: { token: 'token', p: '目标 p', share: '样本', range: '偶然范围' },
  legend: { p: '目标模型的 p', share: '样本中的比例', whisker: '仅凭偶然，95 % 落在此范围', outside: '超出' },
  numbers: {
    distance: ['距离', (tvd, median, high) => `${tvd}（仅凭偶然即可达 ${high}，半数情况小于 ${median}）`],
    chi2: ['卡方', (chi2, bins, p) => `${chi2}，${bins} 组，p 值 ${p}`],
    rounds: [
      '轮数',
      (rounds, rule, accepted, overlap) =>
        `${rounds}：第一个猜测接受了 ${accepted}，${{ coupled: '至多应为', typical: '无损规则至多' }[rule] ?? '预期'} ${overlap}`,
    ],
    seed: ['随机种子', (seed) => seed],
    drafter: [
      '草稿模型',
      (drafter, temperature) =>
        `${plainName(drafter)}，${temperature === '0' ? '贪心' : `T = ${temperature}`}`,
    ],
    rule: ['规则', (rule, bug) => `${RULES[rule] ?? rule}${bug ? `，故意出错：${bug}` : ''}`],
  },

  equality: {
    title: '整次运行与普通解码对比',
    asked: '正在用两种方式解码这次运行。',
    answer: (differs, tokens) =>
      differs === null
        ? [tokens, '个 token，每个都与普通解码写出的相同。']
        : [`第 ${differs + 1} 个 token`, '是第一个与普通解码不同的 token。', 'different'],
    equal: (tokens) => `相同：全部 ${tokens} 个 token 都与普通解码用同一目标模型写出的一样。`,
    tie: (at, gap, error) =>
      `第一个差异在第 ${at} 个 token：数值上的平局。差距 ${gap} 小于实测舍入误差 ${error} 的 4 倍。`,
    bug: (at, gap, error) =>
      `第一个差异在第 ${at} 个 token：程序错误。差距 ${gap} 不小于实测舍入误差 ${error} 的 4 倍。`,
    shown: (from, to, tokens) => `第 ${from} 到 ${to} 个 token，共 ${tokens} 个`,
    rows: { speculative: '推测解码', plain: '普通解码' },
    logits: '那里两个 token 的 logit',
    columns: (speculative, plain) => ['前向传播', `推测解码：${speculative}`, `普通解码：${plain}`, '差距'],
    passes: ['同时处理多个 token', '一次一个 token'],
  },
};

export const proof = {
  title: '为何无损',
  claim:
    '不论草稿模型给出怎样的概率，token x 输出的概率恰好是目标模型给它的 p(x)。它有两条来路：被猜到并接受，或在拒绝之后被采到。',
  unknown: '这个位置没有验证猜测，所以没有可比较的 p 和 q。可在下面自己输入一行。',
  kinds: {
    enough: {
      title: 'p(x) ≤ q(x)',
      about: '猜它的频率不低于目标模型的需要',
      none: '这一行没有 p ≤ q 的 token。',
    },
    short: {
      title: 'p(x) > q(x)',
      about: '猜它的频率低于目标模型的需要',
      none: '这一行没有 p > q 的 token。',
    },
  },
  option: (token, state) => `${state}：${token}`,
  mass: (overlap, z) => [
    '猜测被拒绝的概率，也是草稿模型漏掉的概率：',
    `Z = Σ max(0, p − q) = 1 − Σ min(p, q) = 1 − ${overlap} = ${z}`,
  ],
  noMass: ['p 与 q 相等，所以从不拒绝猜测：', 'Z = Σ max(0, p − q) = 1 − Σ min(p, q) = 1 − 1 = 0'],
  lines: {
    guessed: (q) => ['猜到 x 的概率', `q(x) = ${q}`],
    never: ['从不猜 x', 'q(x) = 0'],
    sometimes: (p, q, share) => ['然后接受它的概率', `p(x)/q(x) = ${p}/${q} = ${share}`],
    kept: (p, q) => ['猜到并接受', `P(接受 x) = q(x) · p(x)/q(x) = ${q} · ${p}/${q} = ${p}`],
    always: (q) => ['然后必定接受，所以猜到并接受', `P(接受 x) = q(x) · 1 = ${q} · 1 = ${q}`],
    notDrawn: ['拒绝之后从不采到它', 'max(0, p(x) − q(x)) = 0'],
    refused: (z) => ['任一猜测被拒绝的概率', `Z = ${z}`],
    share: (p, q, z, share) => ['然后采到 x 的概率', `(p(x) − q(x))/Z = (${p} − ${q})/${z} = ${share}`],
    drawn: (z, share, excess) => [
      '拒绝后采到 x',
      `P(采到 x) = Z · (p(x) − q(x))/Z = ${z} · ${share} = ${excess}`,
    ],
    together: (kept, drawn, p) => ['合计', `P(输出 = x) = ${kept} + ${drawn} = ${p} = p(x)`],
  },
  conclusion: ['每个 token 必居两者之一，所以输出服从目标模型自己的分布：', 'P(输出) = p'],
  account: '每个 token 的概率从何而来',
  caption: { slot: '在此位置', typed: '在自己输入的一行' },
  columns: {
    token: 'x',
    p: 'p',
    q: 'q',
    accept: 'min(1, p/q)',
    excess: 'max(0, p−q)',
    accepted: '猜中',
    resampled: '+ 替换',
    out: '= P(输出)',
    bar: '两者相加为 p',
  },
  total: '合计',
  sources: { slot: '舞台上的位置', typed: '自己输入的一行' },
  whose: '用谁的数字',
  inputs: { p: 'p，目标模型', q: 'q，草稿模型' },
  examples: '示例',
  scaled: (law, sum) => `${law} 之和为 ${sum}，已除以该和。`,
  wrong: {
    number: (law, piece) => `${law}：“${piece}”必须是不小于 0 的数，例如 0.5、50 % 或 1/2。`,
    many: (law, count, fewest, most) => `${law} 有 ${count} 个数；需要 ${fewest} 到 ${most} 个。`,
    sum: (law, sum) => `${law} 之和为 ${sum}；必须为 1，误差不超过 0.001。`,
    lengths: (p, q) => `p 有 ${p} 个数，q 有 ${q} 个；两者必须一样多。`,
  },
  kept: (problem) => `${problem}保留上一组有效的数。`,
};
