/**
 * run.js: Chinese for stage/words-run.js and words-why.js. Pure.
 */

export const clocks = {
  title: (tokens, same) => `${same ? '同样的文本' : '同样长的文本'}，${tokens} 个 token，同一时钟`,
  untimed: (tokens) => `这 ${tokens} 个 token，按这次运行的时钟`,
  plain: (passes, time) => `${passes} 次慢速前向传播，${time}`,
  spec: (passes, guesses, time) =>
    `${passes} 次慢速前向传播${guesses ? ` + ${guesses} 个快速猜测` : ''}，${time}`,
  open: '这次运行未计时；可在“竞速”中测量',
  names: { plain: '仅用大模型', spec: '先猜后验' },
  done: {
    faster: (times) => `完成，${times}× 加速`,
    slower: (times) => `先完成，速度是先猜后验的 ${times}×`,
    same: () => '完成：难分高下',
  },
  legend: { verify: '大模型的前向传播', draft: '草稿模型的猜测', other: '其他开销' },
};

export const foot = {
  gamma: (gamma, kept, forks) =>
    `${forks ? '节点' : 'γ'} ${gamma}，${kept === null ? '未定' : `接受 ${kept}`}`,
  cache: (length) => `KV 长度 ${length}`,
  kv: 'KV 缓存',
};

export const dock = {
  label: '细节',
  toggles: '在图旁打开',
  names: { code: '代码', cache: '缓存', clock: '时钟' },
  titles: {
    code: '算法，代入这一轮的数字（A）',
    cache: '两个 KV 缓存，每个 token 一格（K）',
    clock: '这一轮的时间花在哪里（M）',
  },
  close: (name) => `关闭${name}`,
  cache: 'KV 缓存',
  cells: '每个 token 一格',
  legend: { committed: '保留', speculative: '猜测', 'rolled-back': '已丢弃', owed: '落后' },
  overTime: '运行中的长度：目标模型为实线，草稿模型为虚线',
  run: '整次运行',
  without: (tokens, time) => `“不用推测”：${tokens} 次前向传播，每次 ${time} ms`,
  untimed: '这次运行没有为普通解码计时。',
};

export const why = {
  title: (token, word) => (token === null ? '这里还没有内容' : `为何${word}：${token}`),
  prompt: '提示词的一部分：不是猜出来的。',
  empty: '这里还没有猜测。',
  chosen: (reason) =>
    `这个猜测是直接选定的，不是采样得到的${reason ? `：${reason}` : ''}。目标模型尚未判定。`,
  weighed: {
    accepted: '一块的猜测一起衡量；它的随机数低于“到此为止全部保留”的概率。',
    rescued: '它自己的随机数太大，但后面有猜测通过，该猜测之前的也都随之通过。',
    rejected: '一块的猜测一起衡量；从这里起，没有随机数低于各自的界线。',
    branch: '整棵树一起衡量；这条分支更深处有猜测通过，该猜测之前的也都随之通过。',
    leaf: '第一条随机数低于其权重的分支：上面的猜测全部被接受。',
    fell: '随机数不低于分支的权重，所以它被从树上摘下；剩下的分支重新衡量。',
  },
  tried: {
    accepted: (before, sure) =>
      sure
        ? `${before} 个并列猜测被拒绝之后，p 的剩余在这里不小于 q，所以必定接受。`
        : `用 ${before} 个并列猜测被拒绝之后 p 的剩余来验证；它的随机数小于 p′/q。`,
    rejected: (before) => `用 ${before} 个并列猜测被拒绝之后 p 的剩余来验证；随机数太大。这不等于“错”。`,
  },
  sibling: (token) => `未验证：“${token}”已在此位置被接受。`,
  draft: (reason) =>
    `一个猜测，从草稿模型自己的分布 q 采样得到${reason ? `（${reason}）` : ''}。目标模型尚未判定。`,
  wanted: (q, p) => `草稿模型给它 q = ${q}，目标模型给它 p = ${p}，不低于草稿模型，所以必定接受。`,
  eager: (percent, u) =>
    `草稿模型选它比目标模型更频繁。这样的猜测每 100 次接受 ${percent} 次，随机数 ${u} 属于其中。`,
  rejected: (token, percent) =>
    `随机数太大。这不等于“错”：这样的猜测有 ${percent} % 必须拒绝，因为草稿模型选“${token}”比目标模型更频繁。`,
  untested: (before) => `它是接着“${before}”猜的，而后者已被去掉。这个概率以一个被拒绝的 token 为前提。`,
  afterEnd: '文本在它之前就结束了，所以没有验证它。',
  resampled: (token, mass, u, share) =>
    `只在草稿模型低估的 token 中选取（占 p 的 ${mass}）。随机数 ${u} 落在“${token}”上，它占其中的 ${share}。`,
  equal: 'p 与 q 直到最后一位都相等，没有剩余，所以 token 从 p 采样。',
  bonus: (kept, whole = true) =>
    kept
      ? `${!whole ? '整条分支' : kept === 1 ? '猜测' : `${kept} 个猜测全部`}被接受，而同一次前向传播已评估了下一个位置，所以没有额外开销。`
      : '没有猜测，所以这是普通解码的一步。',
  ownWaits: '最后一个猜测之后的位置。全部猜测被接受时才用。',
  lines: {
    draft: (q, u) => (u ? `q = ${q}，采样时 u = ${u}` : `q = ${q}，分几步采样`),
    chosen: 'q = 1：直接选定，而非采样',
    untested: (p, q) => `p = ${p}，q = ${q}，从未比较`,
    weight: (weight) => `ρ = ${weight}；没有自己的随机数`,
  },
  sources: {
    chosen: 'q(x) = 1，所以以概率 p(x) 接受',
    draft: 'x ∼ q(x) · Leviathan et al. 2023，算法 1',
    tested: '以概率 min(1, p(x)/q(x)) 接受 · Leviathan et al. 2023，第 2.3 节',
    sibling: '每次拒绝后 p′ = norm(max(0, p − q)) · Miao et al. 2023，arXiv:2305.09781',
    traversal: '以概率 ρ 接受一片叶子的分支 · Weng et al. 2025，arXiv:2505.12398',
    untested: '首次拒绝之后的全部丢弃 · Leviathan et al. 2023，算法 1',
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
      bonus: '温度 0：每个猜测都是目标模型的首选，同一次前向传播还给出它的下一个首选。',
    },
    source: '温度 0 把全部概率放在一个 token 上 · Leviathan et al. 2023，第 2.2 节',
  },
  coupled: {
    lines: {
      test: (same, keep) =>
        `argmax(log p + g) ${same ? '=' : '≠'} argmax(log q + g)；这样的猜测以概率 ${keep} 接受`,
    },
    why: {
      draft: '草稿模型在此位置的噪声下选中它。目标模型尚未在同一噪声下判定。',
      accepted: '在此位置的噪声下目标模型选中同一个 token，所以接受。',
      rejected: '在此位置的噪声下目标模型选中另一个 token，所以拒绝。',
      resampled: '目标模型在此位置的噪声下选中它。用这个随机种子做普通解码，也会写出它。',
      bonus: '每个猜测都一致，而目标模型在下一个位置的噪声下选中的 token 已是现成的。',
    },
    source: 'Gumbel 耦合 · Daliri, Musco and Suresh 2024，arXiv:2408.07978',
  },
  typical: {
    why: {
      accepted:
        '在目标模型看来足够可能，所以不论 q 是多少都接受。有得有失：没有猜测因运气而落选，但可能的 token 会出现得太频繁。',
      rejected: '在目标模型看来，它在此位置太不可能，所以拒绝。无损的规则偶尔会接受它。',
      passedBy: '它通过了，但另一条通过的分支更长，或同样长而更可能。只能接受一条。',
      resampled: '从整个 p 采样，而不是从已接受的猜测留下的剩余部分采样。所以文本不服从目标模型的分布。',
    },
    source: '有损：p > min(ε, δ exp(−H(p))) 时接受 · Cai et al. 2024，arXiv:2401.10774',
  },
};
