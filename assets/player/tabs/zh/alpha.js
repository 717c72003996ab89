/**
 * alpha.js: Chinese for tabs/words.js, tabs/alpha/words.js and tabs/methods/words.js. Pure.
 */

import { plainName } from '../../base/format.js';
import { lengthOf } from '../../base/zh/grammar.js';

const day = (when) => `${when.slice(0, 4)} 年 ${Number(when.slice(5, 7))} 月 ${Number(when.slice(8, 10))} 日`;
const range = (low, high) => (low === high ? low : `${low} 到 ${high}`);

export const head = {
  pills: {
    recorded: '录制的结果',
    here: '在此测量',
    stage: '舞台上的运行',
    busy: '正在测量',
    none: '尚未测量',
  },
  machine: ({ machine, threads, recorded }) => `${machine}，${threads} 线程，${day(recorded)}`,
  run: (opening, config) =>
    `“${opening}”，${plainName(config.drafter)}${lengthOf(config)}，T = ${config.temperature}，随机种子 ${config.seed}`,
  other: (run) => `不是舞台上的运行：${run}。`,
  same: (run) => `舞台上的运行：${run}。`,
  measure: '在此测量',
  remeasure: '再次测量',
  cancel: '取消',
  progress: '测量进度',
  waiting: '正在排队。',
};

export const alpha = {
  question: '猜测被接受的比例有多高？',
  answer: (forks, accepted, tested) =>
    `的已验证${forks ? '位置' : '猜测'}被接受（α）：这次运行 ${tested} 个中的 ${accepted} 个`,
  noAnswer: '这次运行没有验证任何猜测。',
  rates: {
    title: '三种接受率',
    caption: '这次运行的三种接受率与平均重叠',
    columns: { name: '比率', counts: '计数', value: '比例', interval: '95 %' },
    names: {
      tested: ['α', '接受 / 验证', '已验证的猜测中'],
      drafted: ['', '接受 / 猜测', '全部猜测中'],
      emitted: ['', '接受 / 写出', '输出中由草稿模型写的比例'],
      overlap: ['β', '平均重叠', 'Σ min(p, q)：去除运气成分的 α'],
    },
    positions: '已验证的位置中：并列的猜测只算一次',
    coupled: '拒绝采样会接受的比例；共享噪声不会接受更多',
    typical: '拒绝采样会接受的比例；有损规则可能接受更多',
    slots: (many) => `${many} 个位置`,
    interval: (low, high) => `${low} 到 ${high}`,
    gamma: (mean, low, high, rounds) =>
      `${rounds} 轮中平均 γ = ${mean}${low === high ? '' : `（${low} 到 ${high}）`}`,
    passes: (tokens, reach) => `目标模型每次前向传播 ${tokens} ± ${reach} 个 token`,
    note: '95 % 区间（Wilson）只是粗略的：同一轮的猜测并不互相独立。',
    none: 'γ 为 0，所以没有猜测，这次运行没有 α。把 γ 设为大于 0 再按“运行”。',
    untested: '这次运行没有验证任何猜测，所以没有 α。按“运行”再来一次。',
  },
  slots: {
    title: '各位置的接受率',
    x: '草稿中的位置',
    y: '接受比例',
    kept: '接受 / 验证',
    overlap: '平均重叠',
    at: (slot, value, part, whole, low, high) =>
      `位置 ${slot}：${value}（验证 ${whole} 个，接受 ${part} 个），95 % 区间 ${low} 到 ${high}`,
    overlapAt: (slot, value) => `位置 ${slot}：平均重叠 ${value}`,
    says: (first, n, last, slot, m, trend) =>
      `${n} 个首位猜测接受了 ${first}；到达位置 ${slot} 的 ${m} 个猜测接受了 ${last}：${trend}`,
    one: (first, n) => `${n} 个首位猜测接受了 ${first}；更后面的没有验证。`,
    trends: {
      up: '比例更高，因为只有容易的文本能走那么远。',
      down: '比例更低，因为后面的猜测建立在猜测之上。',
      none: '样本太少，看不出趋势。',
    },
  },
  kept: {
    title: '每轮接受数',
    x: '接受的猜测数',
    y: '轮数',
    measured: '这次运行',
    predicted: '由恒定 α 预测',
    at: (many, rounds) => `接受 ${many} 个：${rounds} 轮`,
    says: (forks, full, rounds, predictedFull, none, predictedNone) =>
      `${rounds} 轮中有 ${full} 轮${forks ? '整条分支' : '全部猜测'}被接受，${none} 轮一个也没有接受；按恒定 α 预测，分别为 ${predictedFull} 轮和 ${predictedNone} 轮。`,
  },
  tokens: {
    title: '目标模型每次前向传播的 token 数',
    y: '每次前向传播 token 数',
    curve: (value) => `α = ${value} 时的理论`,
    run: '这次运行',
    swept: '实测，3 个随机种子',
    at: (gamma, tokens, low, high) => `γ = ${gamma}：${tokens}（${range(low, high)}）`,
    runAt: (gamma, tokens, reach) => `这次运行，γ = ${gamma}：${tokens} ± ${reach}`,
    gap: (measured, expected, base, gamma, change) =>
      `实测每次前向传播 ${measured} 个 token；理论预测 ${expected}（α = ${base}，γ = ${gamma}${change}）。`,
    parts: {
      byGamma: (size, others, rounds) =>
        `${size} 来自 ${rounds} 轮中 γ 不同的 ${others} 轮，多是在结尾处被截短`,
      ended: (size) => `${size} 来自在猜测当中结束的文本`,
      rest: (size) => `${size} 来自假定 α 恒定`,
    },
    change: (share, fewer) => `，${fewer ? '偏少' : '偏多'} ${share} %`,
    because: (parts) => `差距：${parts.join('；')}。`,
    chance: (reach) => `仅凭运气，实测值就会变动 ± ${reach}。`,
    beyond: (reach) => `这超出了运气（± ${reach}）：容易与困难的文本各自成段出现。`,
    none: '这次运行没有 α，所以没有曲线；各点来自对 γ 的扫描测量。',
    mixture: (gamma, mean, tokens, predicted, counted, atCounted) =>
      `单一的 α 会误导到什么程度：若一半的轮 α = 0.95，另一半 α = 0.45，则 γ = ${gamma} 的一轮得到 ${tokens} 个 token。理论按平均值 ${mean} 预测 ${predicted} 个，按“接受 / 验证”得出的 ${counted} 预测 ${atCounted} 个，因为容易的轮验证的猜测更多。`,
  },
  speed: {
    title: '各 γ 的加速比',
    x: 'γ，每轮猜测数',
    y: '加速比',
    from: { measured: '预测，按实测成本', raced: '预测，按竞速的成本', free: '预测，不计成本' },
    whatIf: '你的取值',
    swept: '实测，3 个随机种子',
    mark: (gamma, times) => `最佳 γ = ${gamma}：${times}`,
    at: (gamma, times, low, high) => `γ = ${gamma}：${times}${low === high ? '' : `（${low} 到 ${high}）`}`,
    says: (value, c, rows, v, overhead, gamma, times) =>
      `理论：α = ${value}，c = ${c}，v(${rows}) = ${v}${overhead}，所以 γ = ${gamma} 最佳，${times}。`,
    overhead: (value) => `，每轮额外开销 ${value} 步`,
    free: (times, gamma) =>
      `若猜测和更宽的前向传播都没有开销，则猜得越多越好：γ = ${gamma} 时为 ${times}。测量成本，才能看出从哪里开始得不偿失。`,
    supposed: (value, c, rows, v, gamma, times) =>
      `你的取值 α = ${value}，c = ${c}，v(${rows}) = ${v}：γ = ${gamma}，${times}。`,
    compared: (gamma, times, low, high, bestGamma, predicted) =>
      `实测：γ = ${gamma} 最佳，${times}${low === high ? '' : `（${low} 到 ${high}）`}；理论预测${bestGamma === gamma ? '同一个 γ' : ` γ = ${bestGamma}`}，${predicted}。`,
    close: (gammas) =>
      `${gammas.length > 3 ? `另有 ${gammas.length} 个` : `γ = ${gammas.join('、')} `}与它的范围重叠：难分高下。`,
    never: '这里测过的 γ 都不比普通解码快。',
    none: '这次运行没有 α，无从预测；各点来自对 γ 的扫描测量。',
  },
  bench: {
    title: '测量或试值',
    costs: '只测成本',
    sweep: '在此测量 γ = 0 到 12',
    noLength: '这次运行的方法没有可选的猜测长度：没有 γ 可扫描。',
    reset: '重置',
    about: (tokens, greedy) =>
      `39 次运行，不绘制画面：γ 取 13 个值，各 3 个随机种子${greedy ? '（贪心：同一文本计时三次）' : ''}，最多 ${tokens} 个 token，与普通解码交替进行。`,
    from: {
      here: '在此测量：',
      before: (machine) => `录制于 ${machine}。`,
      strange: (run) => `不是舞台上的运行：${run}。`,
      measured: (draft, step, rows, pass, rest) =>
        `一个猜测 ${draft} ms；目标模型的前向传播，一个 token 为 ${step} ms，${rows} 个为 ${pass} ms；一轮的其他开销 ${rest} ms。`,
      raced: '成本取自这次运行的竞速；每多一个 token，增加的成本相同。',
      free: '尚未测量成本：曲线表示猜测和更宽的前向传播都没有开销时的情形。',
    },
    waiting: { costs: '正在排队，等待测量成本。', sweep: '正在排队。' },
    first: '先测成本：正在排队。',
    done: (done, of) => `已完成 ${done}/${of} 次运行`,
    swept: (cells) => `已测量 ${cells} 次运行。`,
    cancelled: (cells) => (cells === '0' ? '已取消。' : `${cells} 次运行后取消；已测量的保留。`),
    stopped: (cells, reason) => `测量了 ${cells} 次运行，然后：${reason}。`,
    refused: (reason) => `未测量：${reason}。`,
    whatIf: '试值',
    sliders: {
      alpha: ['α', '接受一个猜测的概率'],
      c: ['c', '一个猜测的成本（步）'],
      cost: ['v(5)', '5 个 token 的前向传播成本（步）'],
    },
    ofTree: (rows) => ({
      c: ['c', '一层猜测的成本（步）'],
      cost: [`v(${rows})`, `树的 ${rows} 个 token 的前向传播成本（步）`],
    }),
    tilt: '一步即目标模型的一步普通解码。v(5) 决定 v(k) 上升多陡：每多一个 token，增加的成本相同。',
  },
  thumbs: {
    title: '经验法则，代入这次运行的数字',
    columns: { rule: '法则，代入数字', value: '预测', leaves: '忽略了什么' },
    rows: {
      most: ['γ + 1', (gamma) => `${gamma} + 1`, '一切拒绝、一切成本。α = 1 时一轮得到这么多。'],
      refused: [
        '(1 + γ) / (1 + P(拒绝))',
        (gamma, chance) => `(1 + ${gamma}) / (1 + ${chance})`,
        '一切成本；而且它不是平均值：α = 0 时仍预测 (1 + γ) / 2，而一轮只得到 1 个。',
      ],
      price: [
        '(γ + 1) / (1 + k / (γ + 1))',
        (kept, drafted) => `(${kept} + 1) / (1 + ${drafted} / (${kept} + 1))`,
        '实测成本：这里 γ 是平均接受数，k 是每轮猜测数，每个猜测按 1 / (γ + 1) 步计，前向传播按 1 步计。',
      ],
    },
    measured: {
      raced: (times) => `竞速实测 ${times}。`,
      swept: (times, gamma) => `所有 γ 中实测最佳为 ${times}（γ = ${gamma}）。`,
      none: '在“竞速”中测量这次运行，或在此测量各 γ，即可与实测比较。',
    },
  },
};

const KINDS = { all: '全部三种', tale: '童话', verse: '诗剧', code: '代码' };
const on = (kind) => (kind === 'all' ? '在全部三种文本上' : `在${KINDS[kind]}上`);

export const overview = {
  question: '这里哪种方法最快？',
  about: '每种猜测方法都在这台机器上与普通解码对比实测。',
  kinds: { label: '文本类型', names: KINDS },
  fastest: (kind, name) => `与普通解码相比，${on(kind)}最快的是 ${name}。`,
  close: (kind, name, rival) => `${on(kind)}难分高下：${name} 与 ${rival}。`,
  slower: (many) => (many ? `有 ${many} 种方法比不用草稿模型更慢。` : ''),
  progress: (job, done, of, minutes) =>
    `${of} 种方法中已有 ${done} 种${job === 'sweep' ? '计时' : '验证精确性'}${minutes === null ? '' : minutes < 1 ? '，不到一分钟' : `，约 ${Math.round(minutes)} 分钟`}`,
  waiting: '正在排队。',
  cancelled: '已停止。已测量的保留。',
  here: (run) => `使用 ${run} 的设置。`,
  name: (label, rule) => (rule ? `${label}（${rule}）` : label),
  plain: '普通解码',
  columns: {
    name: '方法',
    tokens: '每次前向传播 token 数',
    speedup: '加速比',
    alpha: 'α',
    cost: '一轮成本',
    memory: '内存',
    needs: '需要',
    exact: '精确',
  },
  hints: {
    tokens: '目标模型每次前向传播的 token 数',
    speedup: '相对普通解码的倍数；小字为最慢与最快的运行；标记依次为童话、诗剧和代码',
    alpha: '已验证的猜测中被接受的比例；对于树，则是已验证的位置',
    cost: '以普通解码的步数计',
    memory: '目标模型之外：权重、表、缓存',
    exact: '与普通解码相同的贪心文本数；p：采样的 token 与目标模型分布比较的 p 值',
  },
  caption: (kind) => `方法，${KINDS[kind]}`,
  sort: (column) => `按${column}排序`,
  range: (low, high) => `${low} 到 ${high}`,
  strip: (kinds) => kinds.map(([kind, value]) => `${KINDS[kind]} ${value}`).join('，'),
  run: (name) => `用 ${name} 运行上方的提示词`,
  steps: (value) => `${value} 步`,
  exact: '✓ 精确',
  lossy: '≈ 不精确',
  isLossy: '，有损',
  untried: '未验证',
  tried: ({ equal, prompts, ties }, p) =>
    `${equal}/${prompts} 个文本${ties ? `，${ties} 个平局` : ''}${p === null ? '' : `，p ${p}`}`,
  missing: '未测量',
  lacks: (asset) => `需要 ${asset}`,
  chart: {
    title: '一轮的成本与收获',
    says: (kind, many) =>
      `${on(kind)}：每个点是一种方法。越靠上，每次前向传播的 token 越多；越靠左，一轮的成本越低。同一条线上加速比相同；阴影区内${many === 0 ? '没有方法' : `有 ${many} 种方法`}比不用草稿模型更慢。`,
    x: '一轮的成本，以普通解码的步数计',
    y: '目标模型每次前向传播的 token 数',
    plain: '普通解码',
    point: (name, tokens, cost, speedup, low, high) =>
      `${name}：每次前向传播 ${tokens} 个 token，一轮成本 ${cost} 步，${speedup}（${low} 到 ${high}）`,
    columns: [
      '方法',
      '文本类型',
      '每次前向传播 token 数',
      '加速比',
      '最慢',
      '最快',
      'α',
      '一轮成本',
      '内存（字节）',
      '相同的贪心文本',
      '共',
      '采样 token 的 p',
    ],
  },
};

export const training = {
  title: '附加头如何学会猜测',
  about: '内置模型对的附加头，用目标模型写出的文本训练；在未参与训练的文本上、温度 0.8 下测量。',
  choose: '看谁的训练',
  learned: {
    title: (kind) => `${kind}：训练中各位置的接受率`,
    x: '训练步数',
    y: '接受概率 (α)',
    depth: (place) => `位置 ${place}`,
    at: (step, place, share) => `第 ${step} 步，位置 ${place}：${share}`,
    says: (steps, first, places, last, dips) =>
      `${steps} 步之后，第一个位置的 α 为 ${first}，位置 ${places} 为 ${last}。${dips ? '曲线下降处，训练重新改用更大的步长继续。' : ''}`,
  },
  feedback: {
    title: '训练中有无反馈的 EAGLE',
    x: '草稿中的位置',
    fed: '反馈自己的输出',
    alone: '从不反馈',
    at: (place, name, share) => `位置 ${place}，${name}：${share}`,
    says: (steps, firstAlone, lastAlone, first, last) =>
      `各 ${steps} 步。无反馈时 α 从 ${firstAlone} 降到 ${lastAlone}；有反馈时只从 ${first} 降到 ${last}。`,
  },
};
