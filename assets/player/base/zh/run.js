/**
 * run.js: Chinese for stage/words-run.js and words-why.js. Pure.
 */

import { served } from './served.js';

export const clocks = {
  title: (tokens, same) => `${same ? '同样的文本' : '同样长的文本'}，${tokens} 个 token，同一时钟`,
  untimed: (tokens) => `这 ${tokens} 个 token，按本次运行的时钟`,
  plain: (passes, time) => `${passes} 次慢的前向传播，${time}`,
  spec: (passes, guesses, time) => `${passes} 次慢的前向传播${guesses ? ` + ${guesses} 个快速猜测` : ''}，${time}`,
  open: '此次运行未计时；可在“竞速”中测量',
  names: { plain: '仅用大模型', spec: '先猜后验' },
  done: {
    faster: (times) => `完成，快 ${times}×`,
    slower: (times) => `先完成，比先猜后验快 ${times}×`,
    same: () => '完成：难分高下',
  },
  legend: { verify: '大模型的前向传播', draft: '草稿模型的猜测', other: '记账' },
};

export const foot = {
  gamma: (gamma, kept, forks) => `${forks ? '节点' : 'γ'} ${gamma}，${kept === null ? '未定' : `接受 ${kept}`}`,
  cache: (length) => `KV 长度 ${length}`,
  kv: 'KV 缓存',
};

export const dock = {
  label: '细节',
  toggles: '在图旁打开',
  names: { code: '代码', cache: '缓存', clock: '时钟' },
  titles: { code: '算法，代入这一轮的数字 (A)', cache: '两个 KV 缓存，每个 token 一格 (K)', clock: '这一轮的时间花在哪里 (M)' },
  close: (name) => `关闭${name}`,
  cache: 'KV 缓存',
  cells: '每个 token 一格',
  legend: { committed: '保留', speculative: '猜测', 'rolled-back': '已丢弃', owed: '落后' },
  overTime: '运行中的长度：目标模型为实线，草稿模型为虚线',
  run: '整个运行',
  without: (tokens, time) => `“不用推测”：${tokens} 次前向传播，每次 ${time} ms`,
  untimed: '此次运行没有为普通解码计时。',
};

export const why = {
  title: (token, word) => (token === null ? '这里还没有内容' : `为何${word}：${token}`),
  prompt: '提示词的一部分：没有人猜它。',
  empty: '这里还没有猜测。',
  chosen: (reason) => `这个猜测是选定的，不是抽取的${reason ? `：${served(reason)}` : ''}。目标模型尚未判定。`,
  weighed: { accepted: '一块的猜测一起衡量；它的数低于“到此全部保留”的概率。', rescued: '它自己的数太大，但后面有猜测通过，它之前的也随之通过。', rejected: '一块的猜测一起衡量；从这里起没有数低于它的界。', branch: '整棵树一起衡量；这条分支更深处有猜测通过，它之前的也随之通过。', leaf: '第一条数低于其权重的分支：其上所有猜测被接受。', fell: '这个数不低于分支的权重，所以它被从树上取下；剩下的分支重新衡量。' },
  tried: {
    accepted: (before, sure) => (sure ? `被拒绝的 ${before} 个并列猜测之后，p 的剩余在这里不小于 q，所以必定接受。` : `用被拒绝的 ${before} 个并列猜测之后 p 的剩余来检验；它的随机数小于 p′/q。`),
    rejected: (before) => `用被拒绝的 ${before} 个并列猜测之后 p 的剩余来检验；随机数太大。这不等于“错”。`,
  },
  sibling: (token) => `未检验：“${token}”已在此位置被接受。`,
  draft: (reason) => `一个猜测，从草稿模型自己的分布 q 抽取${reason ? `（${served(reason)}）` : ''}。目标模型尚未判定。`,
  wanted: (q, p) => `草稿模型说 q = ${q}，目标模型说 p = ${p}。目标模型想要它的程度不低于草稿模型，所以必定接受。`,
  eager: (percent, u) => `草稿模型选它比目标模型更频繁。这样的猜测每 100 次接受 ${percent} 次，随机数 ${u} 属于其中。`,
  rejected: (token, percent) => `随机数太大。这不等于“错”：这样的猜测必须拒绝 ${percent} %，因为草稿模型选“${token}”比目标模型更频繁。`,
  untested: (before) => `它是接着“${before}”猜的，而后者已去除。这个概率的前提是一个被拒绝的 token。`,
  afterEnd: '文本在它之前结束，所以没有检验它。',
  resampled: (token, mass, u, share) => `只在草稿模型低估的 token 中选取（p 的 ${mass}）。随机数 ${u} 落在“${token}”上，它占其中的 ${share}。`,
  equal: 'p 与 q 直到最后一位都相等，没有剩余，所以 token 从 p 抽取。',
  bonus: (kept, whole = true) => (kept ? `${!whole ? '整条分支' : kept === 1 ? '猜测' : `${kept} 个猜测全部`}被接受，而同一次前向传播已评估了下一个位置。它不另花费。` : '没有猜测，所以这是普通解码的一步。'),
  ownWaits: '最后一个猜测之后的位置。全部猜测被接受时才用。',
  lines: {
    draft: (q, u) => (u ? `q = ${q}，在 u = ${u} 处抽取` : `q = ${q}，分几步抽取`),
    chosen: 'q = 1：选定，而非抽取',
    untested: (p, q) => `p = ${p}，q = ${q}，从未比较`,
    weight: (weight) => `ρ = ${weight}；没有自己的数`,
  },
  sources: {
    chosen: 'q(x) = 1，所以以概率 p(x) 接受',
    draft: 'x ∼ q(x) · Leviathan et al. 2023，算法 1',
    tested: '以概率 min(1, p(x)/q(x)) 接受 · Leviathan et al. 2023，第 2.3 节',
    sibling: '每次拒绝后 p′ = norm(max(0, p − q)) · Miao et al. 2023, arXiv:2305.09781',
    traversal: '以概率 ρ 接受一片叶子的分支 · Weng et al. 2025, arXiv:2505.12398',
    untested: '第一次拒绝之后的全部丢弃 · Leviathan et al. 2023，算法 1',
    residual: 'p′ = norm(max(0, p − q)) · Leviathan et al. 2023，第 2.3 节',
    bonus: 't ∼ p(γ+1) · Leviathan et al. 2023，算法 1',
  },
};

export const noDice = {
  greedy: {
    why: {
      draft: '温度 0：草稿模型取自己的首选。目标模型尚未判定。',
      accepted: '温度 0：草稿模型的首选就是目标模型的首选，所以接受。',
      rejected: '温度 0：目标模型的首选是另一个 token，所以拒绝。',
      resampled: '温度 0：目标模型自己的首选取代被拒绝的猜测。',
      bonus: '温度 0：每个猜测都是目标模型的首选，同一次前向传播还给出它的下一个。',
    },
    source: '温度 0 把全部概率放在一个 token 上 · Leviathan et al. 2023，第 2.2 节',
  },
  coupled: {
    lines: { test: (same, keep) => `argmax(log p + g) ${same ? '=' : '≠'} argmax(log q + g)；这样的猜测以概率 ${keep} 接受` },
    why: {
      draft: '草稿模型在此位置的噪声下的选择。目标模型在同一噪声下尚未判定。',
      accepted: '在此位置的噪声下目标模型选中同一个 token，所以接受。',
      rejected: '在此位置的噪声下目标模型选中另一个 token，所以拒绝。',
      resampled: '目标模型在此位置的噪声下的选择。用此随机种子的普通解码也会写出它。',
      bonus: '每个猜测都一致，目标模型在下一个位置的噪声下的选择已经有了。',
    },
    source: 'Gumbel 耦合 · Daliri, Musco and Suresh 2024, arXiv:2408.07978',
  },
  typical: {
    why: {
      accepted: '对目标模型来说足够可能，所以不论 q 是多少都接受。代价是：没有猜测因运气而失去，但可能的 token 出现得太多。',
      rejected: '在此位置对目标模型来说太不可能，所以拒绝。无损的规则有时会接受它。',
      passedBy: '它通过了，但另一条通过的分支更长，或一样长而更可能。只能接受一条。',
      resampled: '从整个 p 抽取，而不是从已接受的猜测剩下的部分。所以文本不具有目标模型的分布。',
    },
    source: '有损：p > min(ε, δ exp(−H(p))) 时接受 · Cai et al. 2024, arXiv:2401.10774',
  },
};
