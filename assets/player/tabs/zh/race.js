/**
 * race.js: Chinese for tabs/race/words.js and tabs/compare/words.js. Pure.
 */

import { plainName } from '../../base/format.js';
import { head } from './alpha.js';
import { RULES, lengthOf, listed } from '../../base/zh/grammar.js';

export const race = {
  title: '谁先写完文本？',
  sources: { same: '同样的文本', run: '舞台上的运行' },
  sourceNotes: {
    same: '两者写出同样的文本：两个模型用同一随机噪声。',
    other: '随机数不同，分布相同，所以文本不同。',
    equal: '两者写出同样的文本。',
  },
  pill: (here, { device, ...where }) =>
    `${head.pills[here ? 'here' : 'recorded']}：${head.machine({ machine: device, ...where })}`,
  running: '尚未完成…',
  won: {
    faster: (times) => `${times} 加速`,
    slower: (times) => `${times}：更慢`,
    close: (times) => `${times}：难分高下`,
  },
  fall: {
    title: '加速比损失在哪里',
    about: (gamma, ceiling, forks) =>
      `${forks ? '一条分支的 ' : ''}${gamma} 个猜测加目标模型的一个 token：若猜测全部被接受，且其他都没有开销，可达 ${ceiling}×。往下每根柱再计入一项成本。`,
    start: { rejections: '上限 γ + 1', unsized: '上限' },
    end: '实测',
    steps: {
      rejections: ['未被接受的猜测', '改进：用更接近目标模型的草稿模型，或更小的 γ。'],
      unsized: ['未被接受的猜测', '改进：让猜测更接近目标模型。'],
      drafting: ['草稿的前向传播', '改进：用更小或更快的草稿模型。'],
      wider: ['更宽的前向传播', '改进：用算力有富余的硬件，例如 GPU。'],
      taught: ['自身开销，含训练', '改进：让草稿模型的更新更小或更少。'],
      own: ['自身开销', '改进：减少前向传播之外的工作（判定、采样、回滚）。'],
    },
    free: { wider: '无需改进：处理多个 token 并不比一个慢。', other: '无需改进。' },
  },
  details: '全部数字',
  about: (seconds) =>
    `再运行 4 次，与仅用大模型交替进行：提示词和随机种子不变，期间不绘制画面。约 ${seconds < 90 ? `${seconds} 秒` : `${Math.round(seconds / 60)} 分钟`}。`,
  start: '在此测量',
  remeasure: '在此测量',
  waiting: '正在排队。',
  refused: (reason) => `未测量：${reason}。`,
  broke: '未测量：引擎中断；详见服务器日志。',
  unraceable: {
    file: '这次运行来自文件，服务器从未见过，所以无法在此测量。按“运行”生成一个可以测量的。',
    making: '这次运行尚未完成。完成后即可在此测量。',
    stopped: '这次运行被停止，只有完成的运行才能测量。按“运行”重新生成。',
    deadline: '这次运行超时，只有完成的运行才能测量。请减少 token 数。',
    failed: '这次运行中断，只有完成的运行才能测量。按“运行”重新生成。',
  },

  lanes: { speculative: '先猜后验', plain: '仅用大模型' },
  result: '结果',
  faster: '比仅用大模型快',
  slower: '比仅用大模型慢',
  range: (low, high, laps) => `${laps} 次运行中为 ${low} 到 ${high}`,
  close: '有些运行更快，有些更慢。',
  columns: {
    lane: '赛道',
    tokens: 'token',
    passes: '前向传播',
    time: '时间中位数',
    rate: 'token/s',
    range: '各次运行',
  },
  between: (low, high) => `${low} 到 ${high}`,
  because: (range, reason) => `${range}。${reason}`,
  reason: {
    slower: (most, alpha, needed) => `这里更慢：${most}；已验证的猜测中接受了 ${alpha}${needed}。`,
    pass: (rows, v) => `${rows} 个 token 的前向传播，耗时相当于 ${v} 步普通解码`,
    drafting: (guesses, steps, v) =>
      `猜 ${guesses} 个 token 耗时相当于 ${steps} 步普通解码，验证它们相当于 ${v} 步`,
    teaching: (steps) => `，训练草稿模型另需 ${steps} 步`,
    needed: (alpha) => `，而盈亏平衡需要 ${alpha}`,
    enough: (alpha) => `，高于盈亏平衡的 ${alpha}，但偏慢的异常值抵消了收益`,
    never: '，即使全部接受也不划算',
    nothing: (v) => `这里更慢：没有猜测，每轮就是一步普通解码（${v}）再加其他开销。`,
    faster: (whole, perRound) => `一轮耗时相当于 ${whole} 步普通解码，却得到 ${perRound} 个 token。`,
  },

  clock: '同一时钟上的两者',
  legend: { plain: '大模型的前向传播', drafting: '草稿模型的猜测', other: '其他开销' },
  track: (name, end, tokens, passes) =>
    `${name}：目标模型 ${passes} 次前向传播得到 ${tokens} 个 token，${end} 后完成`,
  reading: (tokens, all, passes, most) => `token ${tokens}/${all} · 前向传播 ${passes}/${most}`,
  ahead: (time) => `⚑ 完成，领先 ${time}`,
  texts: { speculative: '先猜后验的文本', plain: '仅用大模型的文本' },
  same: '文本相同',
  other: '随机数不同，分布相同，所以文本不同',

  playback: '竞速回放',
  play: '播放竞速',
  pause: '暂停竞速',
  restart: '从头开始',
  scrub: '竞速时间',
  speed: '速度',
  speeds: { 1: '录制速度', 10: '录制速度的 1/10', 50: '录制速度的 1/50' },
  at: (time, total, unit) => `${time} / ${total} ${unit}`,
  said: (time, speculative, plain) => `${time}：先猜后验 ${speculative} 个 token，仅用大模型 ${plain} 个`,

  cost: {
    title: '一轮的成本',
    unit: (time) => `以普通解码的一步（${time} ms）为单位`,
    caption: '一轮的成本与收获，由此得出的加速比，以及实测的加速比',
    columns: { name: '名称', formula: '代入此次竞速数字的公式', value: '值' },
    c: ['c', '一个猜测', (draft, t1) => `${draft} / ${t1} ms`],
    level: ['c', '一层猜测'],
    noDraft: '没有猜测',
    v: (rows) => [
      `v(${rows})`,
      rows === 1 ? '一个 token 的前向传播' : `${rows} 个 token 的一次前向传播`,
      (verify, t1) => `${verify} / ${t1} ms`,
    ],
    overhead: ['自身开销', '判定、回滚及其他', (rest, t1) => `${rest} / ${t1} ms`],
    teaching: ['其中', '训练草稿模型、回滚', (learned, t1) => `${learned} / ${t1} ms`],
    alpha: ['α', '已验证的猜测中被接受的', (kept, tested) => `${kept} / ${tested}`],
    places: ['α', '有猜测被接受的位置'],
    expected: ['E[token 数]', '每轮，若 α 恒定', (alpha, power) => `(1 − ${alpha}${power}) / (1 − ${alpha})`],
    certain: (gamma) => `${gamma} + 1，因为 α = 1`,
    predicted: [
      '预测加速比',
      'E / (γc + v)',
      (expected, gamma, c, v) => `${expected} / (${gamma} · ${c} + ${v})`,
    ],
    measured: ['实测加速比', '每个 token 的 ms', (plain, speculative) => `${plain} / ${speculative}`],
    breakEven: ['盈亏平衡的 α', 'E = γc + v + 自身开销', (whole) => `E = ${whole}`],
    why: { always: '即使 α = 0 也划算', never: '即使 α = 1 也不划算', nothing: '与 α 无关' },
    siblings: {
      bring: (many, all, first, alpha, from, to, gain) =>
        `${all} 个猜测中有 ${many} 个与别的并列。它们使 α 从 ${first} 升到 ${alpha}，于是 E 从 ${from} 升到 ${to} 个 token：×\u00A0${gain}。`,
      cost: (cost, whole, dear, levels, drafting) =>
        `一轮的成本是 ${whole} 步普通解码，其中它们占 ${cost} 步：×\u00A0${dear}；草稿的 ${levels} 层占 ${drafting} 步。`,
      pays: '在这里得大于失。',
      loses: '在这里失大于得。',
    },
    gap: (percent, overhead, tokens, perRound, expected, rest) =>
      `实测为预测的 ${percent} %：×\u00A0${overhead} 来自公式没有计入的其他开销；×\u00A0${tokens} 来自每轮得到 ${perRound} 个 token 而不是 ${expected} 个，因为 E 假定各猜测互相独立；×\u00A0${rest} 来自异常值。`,
  },
  where: (device, dtype, threads, forward) =>
    `测量于 ${device}，${dtype}，${threads} 线程；目标模型前向传播：${forward}。`,
  forward: (name, reason) => (reason ? `${name}（${reason}）` : name),
  laps: (laps, when) => `预热后各运行 ${laps} 次，交替进行；读取提示词的时间不计；${when}。`,
};

const ruled = (name) => RULES[name] ?? plainName(name);

export const compare = {
  question: '哪种猜测方法最快？',
  answer: {
    says: (lane, described) => `普通解码的速度：赛道 ${lane}，${described}。`,
    close: (lanes) => `${listed(lanes)} 与它重叠：难分高下。`,
    slower: '这里普通解码比每条赛道都快。',
  },
  wait: '每条赛道都测完后给出结论。',
  hereOf: (run) => `本服务器，刚才：${run}`,
  title: '设置赛道',
  about: '同一提示词和随机种子，2 到 4 条赛道。每条重跑 3 次用于计时，期间不绘制画面。',
  nothing: '按“比较”：各条赛道的文本按位置对齐显示，并附每条赛道的成本。',

  prompts: '提示词',
  presets: {
    stage: '舞台上的运行',
    repeat: '重复一段',
    code: '代码',
    json: 'JSON',
    poem: '超现实诗',
    primes: '证明题',
    digits: '随机数字',
  },
  seed: '随机种子',
  length: (most) => `长度（token，最多 ${most}）`,
  lanes: '赛道',
  lane: (letter) => `赛道 ${letter}`,
  fields: { drafter: '草稿模型', gamma: 'γ', gamma_rule: 'γ 规则', rule: '接受规则', temperature: 'T' },
  ruled,
  add: '添加赛道',
  remove: (letter) => `移除赛道 ${letter}`,
  start: '比较',
  waiting: '正在排队。',
  done: (done, of) => `已完成 ${done}/${of} 条赛道`,
  cancelled: '已取消；已完成的赛道保留。',
  gaveWay: '另一个问题优先；已完成的保留。',
  refused: (reason) => `未测量：${reason}。`,

  described: ({ rule, temperature, ...lane }) =>
    `${plainName(lane.drafter)}${lengthOf(lane)}，T = ${temperature}${rule === 'rejection' ? '' : `，${ruled(rule)}`}`,
  ribbons: '各文本按位置对齐。token 前的竖线表示目标模型在此开始一次前向传播。方向键在 token 间移动。',
  laneHead: '赛道',
  pending: { waits: '正在排队。', left: '未解码。' },
  reading: (position) => `位置 ${position}：`,
  point: '指向一个 token 或用方向键，查看每条赛道在那里写了什么。',
  ended: '文本结尾',

  texts: {
    greedy: (lanes, many) =>
      `${listed(lanes)} 写出了同样的 ${many} 个 token：T = 0 时，不论谁来猜，都是目标模型最可能的 token 胜出。不同的只是每个 token 由谁写出。`,
    coupled: (lanes, many) =>
      `${listed(lanes)} 写出了同样的 ${many} 个 token：共享噪声下，不论谁来猜，文本都由随机种子决定。不同的只是每个 token 由谁写出。`,
    differ: (one, other, position, here, there, why) =>
      `${one} 与 ${other} 从第 ${position} 个 token 起不同：“${here}”与“${there}”。${why}两者必须相同，所以这是程序错误，或是数值上的平局。把 ${other} 放到舞台上运行：“精确吗？”会把它与普通解码比较，并显示两个 logit。`,
    must: { greedy: 'T = 0 时', coupled: '共享噪声下' },
    law: (lanes) =>
      `${listed(lanes)}：分布相同，随机数不同，所以文本不同。每条都严格遵循目标模型在其温度下的分布。`,
    chance: (lanes) => `${listed(lanes)}：分布相同，这里文本也碰巧相同。`,
    laws: '各赛道的 T 不同，所以分布不同：它们的文本无法比较。',
    alone: (lane) => `只解码了赛道 ${lane}，没有文本可以比较。`,
    none: '没有赛道被解码；每条都说明了原因。',
  },

  table: '数字一览',
  columns: {
    lane: '赛道',
    alpha: 'α',
    perPass: '每次前向传播 token 数',
    time: '时间',
    rate: 'token/s',
    speedup: '加速比',
    wasted: '丢弃',
  },
  cells: {
    alpha: (alpha, kept, tested) => `${alpha}（${kept}/${tested}）`,
    perPass: (perPass, made, passes) => `${perPass}（${made}/${passes}）`,
    speedup: (speedup, low, high) => `${speedup}×（${low} 到 ${high}）`,
  },
  timed:
    '预热后 3 次运行的中位数，与普通解码交替进行；处理提示词的时间不计。括号内：计数，或各次运行的范围。',
  chart: '每条赛道的成本',
  panels: { alpha: 'α', perPass: '每次前向传播 token 数', speedup: '加速比', wasted: '丢弃' },
  says: {
    lane: (letter, described) => `${letter}（${described}）`,
    fastest: (lane, time, made, speedup) =>
      `最快的是 ${lane}：${time} 得到 ${made} 个 token，速度是普通解码的 ${speedup}×。`,
    close: (lanes) => `它的各次运行与 ${listed(lanes)} 重叠：难分高下。`,
    slower: (lanes) => `比普通解码慢：${listed(lanes)}。`,
    none: '没有赛道比普通解码快。',
    most: (lanes, alpha) => `${listed(lanes)} 的 α 最高，为 ${alpha}。`,
    wasted: (lanes, slots) => `${listed(lanes)} 丢弃最多（${slots} 个缓存条目）。`,
    noWaste: '没有赛道丢弃缓存条目。',
  },

  strategies: {
    title: '自适应的 γ 划算吗？',
    about: (drafter, tokens, laps) =>
      `“The capital of France is”、“In a shocking turn of events, scientists discovered that”以及带文档字符串的“def fibonacci(n):”，由 ${plainName(drafter)} 猜测，分别用 γ = 4 和自适应的 γ：各 ${laps} 个随机种子、${tokens} 个 token，与普通解码交替进行。`,
    rule: '自适应 γ 规则',
    start: '在此测量',
    here: '在此测量，刚才。',
    done: (done, of) => `已完成 ${done}/${of} 次运行`,
    nothing: '按“在此测量”，查看每个提示词的每秒 token 数和加速比。',
    ways: { baseline: '普通解码', fixed: '固定 γ = 4', adaptive: (rule) => `自适应：${plainName(rule)}` },
    chart: '每秒 token 数与加速比',
    panels: { rate: 'token/s', speedup: '加速比' },
    about_bar: (name, value, low, high, unit) => `${name}：${value} ${unit}，${low} 到 ${high}`,
    says: (fixed, adaptive, laps) =>
      `固定 γ = 4 的加速比：${fixed}；自适应：${adaptive}（${laps} 个随机种子的中位数，须线为全部范围）。`,
    span: (low, high) => (low === high ? `${low}×` : `${low} 到 ${high}×`),
    best: (faster, of) => `自适应在 ${of} 个提示词中的 ${faster} 个上更快。`,
    overlaps: (many, of) => `${of} 个中有 ${many} 个的须线重叠：这些难分高下。`,
    slower: (names) => `比普通解码慢：${listed(names)}。`,
    none: '在每个提示词上普通解码都比两者快。',
    slowerOne: (way, prompt) => `“${prompt}”上${{ fixed: '固定', adaptive: '自适应' }[way]}的 γ`,
    columns: ['提示词', '方式', '随机种子', 'token 数', 'ms', '普通解码 ms', 'token/s', '加速比', 'α'],
  },
};
