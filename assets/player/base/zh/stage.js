/**
 * stage.js: Chinese for stage/words-stage.js and words-look.js. Pure.
 */

const entries = (many) => `${many} 个条目`;

export const beats = {
  guess: '猜测',
  check: '验证',
  verdict: '判定',
  replace: '替换',
  bonus: '奖励',
  rollback: '回滚',
};

export const lane = {
  notYet: '尚未猜到',
  empty: (position) => `位置 ${position}：尚未猜测`,
  bonusWaits: '★ 奖励',
  ownOnly: '目标模型自己的 token',
  notReached: '未到达',
  ended: '文本已结束',
  bonusPlace: (note) => (note === '★ 奖励' ? '若全部被接受，★ 奖励的位置' : `奖励 token 的位置：${note}`),
  ends: { accepted: '猜测被接受', rejected: '', untested: '', resampled: '', bonus: '奖励' },
  guess: (position, text, state, chance, u, inner) =>
    `位置 ${position}：${text}，${state}${chance ? `，接受概率 ${chance}` : ''}${u ? `，u ${u}` : ''}${inner ? `，${inner}` : ''}`,
  branch: (text, who, level, order, siblings, state, chance, u) =>
    `${text}${who && `，来自 ${who}`}，第 ${level} 层，并列 ${siblings} 个中的第 ${order} 个，${state}${chance ? `，接受概率 ${chance}` : ''}${u ? `，u ${u}` : ''}`,
  part: (bytes, letter) => `${bytes}，${letter === null ? '字符的一部分' : `${letter} 的一部分`}`,
  own: (position, text, state) => `位置 ${position}：${text}，${state}，目标模型自己的 token`,
};

export const inner = {
  kept: (who) => [`由 ${who} 猜出`, `它由 ${who} 替草稿模型猜出，草稿模型接受了。`],
  refused: (who, text) => [
    `取代 ${who} 猜的“${text}”`,
    `${who} 猜的是“${text}”；草稿模型拒绝了它，换成了这个。`,
  ],
};

export const others = (many) => `另 ${many} 个 token`;

export const mask = {
  title: '注意力掩码',
  source: '一次前向传播，各分支互不相见',
  columns: ['', '位置', '文本', '猜测'],
  kinds: { mask: '掩码', table: '表格', code: '代码' },
  kindsLabel: '此面板显示的内容',
  toggle: '掩码或表格（T）',
  label: '掩码的行',
  table: '目标模型的前向传播中，每个猜测看得到什么',
  heads: ['猜测', '位置', '槽位', '看得到'],
  rows: (rows) => `一次前向传播，${rows} 行：每行看得到文本和自己的分支。`,
  seen: (before) => `文本${before.map((each) => `、“${each}”`).join('')}和自己`,
  sees: (text, before, place, slot) => `“${text}”看得到${mask.seen(before)}。位置 ${place}，槽位 ${slot}。`,
};

export const trial = { leaf: '：这里没有猜测' };

export const figure = {
  nowThat: (texts) =>
    `，在${texts
      .slice(0, 2)
      .map((text) => `“${text}”`)
      .join('、')}${texts.length > 2 ? `等 ${texts.length} 个` : ''}被拒绝之后`,
  outright: (text) => `：直接给出“${text}”，q = 1`,
};

export const ruler = {
  draft: '0 到 1 的随机数 → 草稿模型的猜测',
  chosen: (reason) => `直接选定：${reason || '此 token 的 q 为 1'}`,
  overlap: 'p 与 q 重叠多少：这里接受一个猜测的概率',
  accept: (mark) => `0 到 1 的随机数：小于 ${mark} → 接受`,
  always: 'p 不小于 q：随机数是多少都接受',
  left: 'p 的剩余，拉伸到铺满标尺',
  adjusted: (text) => `p′：p 的剩余，已拉伸。接着用它验证“${text}”`,
  sibling: '同一位置前一个猜测被拒绝时才验证',
  plain: '目标模型的 p：下一个 token 由此采样',
  residual: (u, token) => `p 的剩余，已拉伸：${u} 落在“${token}”上`,
  equal: (u, token) => `p 与 q 相等，所以就用 p：${u} 落在“${token}”上`,
  bonus: (u, token) => `最后一个猜测之后目标模型的 p：${u} 落在“${token}”上`,
  step: (u, token) => `目标模型的 p：${u} 落在“${token}”上`,
  untested: '这个概率的前提是一个已被拒绝的 token',
  passed: '不需要：另一个猜测已在此位置被接受',
  waits: '全部猜测被接受时才用',
  notReached: '不需要：前面有猜测被拒绝',
  ended: '文本在此位置之前结束',
  yes: '接受',
  no: '拒绝',
  accepts: (share) => `接受 ${share}`,
  rejects: (share) => `拒绝 ${share}`,
  threshold: (text, mark) => `目标模型给“${text}”的 p：大于 ${mark} → 接受。不用随机数`,
  all: (u, token) => `规则有损，所以用目标模型的整个 p：${u} 落在“${token}”上`,
  call: (text, share, rare) =>
    `“${text.replace(/^·+(?=.)/u, '')}” ${share}${rare ? ` · 约 ${rare} 分之一，画得比实际宽` : ''}`,
};

export const sum = {
  guess: (text) => `草稿模型给“${text}”的概率`,
  chosen: (text) => `“${text}”是直接选定的，不是采样得到的`,
  steps: '分几步采样，并非由一个随机数决定',
  weight: (text) => `到“${text}”为止的权重`,
  block: (text) => `接受到“${text}”为止的概率`,
  rescued: { text: '✓ 因后面的随机数而被接受', state: 'accepted' },
  likeliest: '草稿模型的首选',
  noise: '用此位置的噪声 g 采样',
  number: '随机数',
  chance: (text) => `接受“${text}”的概率`,
  greedy: () => '两个首选一致吗？',
  coupled: () => '两者选中同一个 token 吗？',
  entropy: '不确定程度：p 的熵',
  threshold: '越不确定，要求越低',
  passedBy: { text: '✕ 通过，但另一分支胜出', state: 'rejected' },
  left: '目标模型 p 的剩余',
  stretch: '拉伸到铺满标尺',
  share: (text) => `拉伸后“${text}”的概率`,
  target: (text) => `目标模型给“${text}”的概率`,
  first: '目标模型的首选',
  pick: '目标模型的选择，同一噪声',
  total: (tokens) => `这一轮：${tokens} 个 token，1 次前向传播`,
  verdict: (won) => (won ? { text: '✓ 接受', state: 'accepted' } : { text: '✕ 拒绝', state: 'rejected' }),
  own: (emission) =>
    emission === 'bonus'
      ? { text: '★ 奖励', state: 'bonus', late: true }
      : { text: '↻ 替换', state: 'resampled', late: true },
  adjusted: (text) => `留给“${text}”的部分`,
  grows: '剩余部分全部放大',
  sibling: '同一位置前一个猜测被拒绝时才验证。',
  passed: '不需要：另一个猜测已在此位置被接受。',
  untested: '不需要：前面有猜测被拒绝。',
  notReached: '未到达：有猜测被拒绝。',
  ended: '文本在此位置之前结束。',
  waits: '全部猜测被接受时才用。',
  plain: '没有猜测：由目标模型选这个 token。',
};

export const cache = {
  target: '目标模型',
  draft: '草稿模型',
  cells: (model) => `${model}缓存的条目`,
  none: (reason) => `无缓存：${reason || '它查的是计数表'}`,
  length: entries,
  trimmed: (from, to) =>
    from === to ? `${entries(to)}，全部保留` : `${from} → ${entries(to)}（−${from - to}）`,
  owes: (to, owed) => `${entries(to)}，落后 ${owed} 个`,
  gather: (from, first, last) => `归位：${from} → ${first === last ? first : `${first} 到 ${last}`}`,
  more: (size, peak, wasted) => `${size} · 最多 ${peak} · 累计丢弃 ${wasted}`,
  cell: {
    committed: '保留',
    speculative: '仍是猜测',
    kept: '保留，将复制到文本接续处',
    'rolled-back': '已丢弃',
    owed: '落后：草稿模型还没读过它',
  },
  title: (position, token, state) => `${position}：${token}，${state}`,
};

export const memory = {
  says: (rows, all) => `记住了 ${all} 个 token 中的 ${rows} 个`,
  learned: { text: (rows) => `${rows} 个来自文本`, rejected: (rows) => `${rows} 个来自未被接受的猜测` },
};

export const algorithm = {
  title: '算法 1',
  titles: {
    greedy: '温度 0 时',
    coupled: '共享噪声',
    typical: '典型接受（有损）',
    block: '块验证',
    tree: '沿树向下走',
    traversal: '遍历验证',
  },
  sources: { greedy: '两边都取 argmax' },
  copies: (slots, gone) =>
    `${slots.length ? `保留槽位 ${slots.join('、')}` : '没有保留的槽位'}，丢弃 ${gone} 个`,
  none: 'γ 为 0：没有猜测',
  rows: (rows) => `一次前向传播得到 ${rows} 行 p`,
  all: '没有猜测被拒绝',
  yes: '是',
  no: '否',
  ended: '文本在猜测当中结束',
};

export const clock = {
  title: '时钟',
  guesses: (many) => `${many} 个猜测`,
  pass: '前向传播',
  rest: '其他开销',
  taught: '学习及其他',
  without: '不用推测',
  total: (round, ms, tokens) => `第 ${round} 轮：${ms} ms 得到 ${tokens} 个 token`,
};

export const look = {
  tape: '目前的文本',
  boxes: 'token',
  boxesTitle: '每个 token 各用一个框显示',
  earlier: (many) => `… 前面还有 ${many} 个 token …`,
  bytes: (many) => `${many} 个 token`,
  beats: '这一轮的阶段',
  where: ['第 ', ' 轮，共 '],
  lane: '这一轮的猜测',
  root: '目前的文本',
  position: (at) => `位置 ${at}`,
  afterWord: '接在其后：',
  triedBefore: (many) => `之前 ${many} 个`,
  ifAll: '若全部被接受',
  figure: '目标模型 p 与草稿模型 q',
  columns: {
    p: ['目标 ', { var: 'p' }],
    primed: ['目标 ', { var: 'p′' }],
    weighed: ['目标 ', { var: 'ρp' }],
    q: ['草稿 ', { var: 'q' }],
    left: ['剩余 ', { var: 'p − q' }],
  },
  title: {
    both: [
      { role: 'target', pieces: ['目标模型 ', { var: 'p' }] },
      ' 与 ',
      { role: 'draft', pieces: ['草稿模型 ', { var: 'q' }] },
    ],
    weighed: [
      { role: 'target', pieces: ['目标模型 ', { var: 'p' }, ' × 权重 ', { var: 'ρ' }] },
      ' 与 ',
      { role: 'draft', pieces: ['草稿模型 ', { var: 'q' }] },
    ],
    primed: [
      { role: 'target', pieces: ['目标模型 ', { var: 'p′' }] },
      ' 与 ',
      { role: 'draft', pieces: ['草稿模型 ', { var: 'q' }] },
    ],
    q: [{ role: 'draft', pieces: ['草稿模型 ', { var: 'q' }] }],
    p: [{ role: 'target', pieces: ['目标模型 ', { var: 'p' }] }],
  },
  after: (text, now) => `，在“${text}”之后${now}`,
  legend: {
    overlap: ['两者', { long: ['：', { var: 'min(p, q)' }] }],
    p: ['目标偏高', { long: ['：', { var: 'p − q' }] }],
    q: ['草稿偏高', { long: ['：', { var: 'q − p' }] }],
    left: ['剩余', { long: ['：', { var: 'p − q' }] }],
    onlyP: ['目标 ', { var: 'p' }],
    onlyQ: ['草稿 ', { var: 'q' }],
  },
  zoom: (times) => `标尺比例的 ${times}×`,
  others: (many) => [`另 ${many} 个`, { long: [' token'] }],
  side: '并排',
  overlaid: '叠放',
  rest: '显示整个词表',
  odds: (accept, reject) => `接受 ${accept} · 拒绝 ${reject}`,
  was: (mass, times) => [`原宽 ${mass}，`, `现拉伸 ×${times}`],
  wide: (odds) => ` · 约 ${odds} 分之一，画得比实际宽`,
  guessesOf: (many) => `${many} 个猜测`,
  key: [
    ['accepted', '猜中', '被接受的猜测'],
    ['resampled', '自选', '由目标模型替换'],
    ['bonus', '白送', '全部被接受时的奖励'],
  ],
  showMe: '▶ 带我看',
  runYourOwn: '自己运行',
};
