/**
 * reason.js: Chinese for tabs/why/words.js. Pure.
 */

import { plainName } from '../../base/format.js';
import { lengthOf } from '../../base/zh/grammar.js';

const BOUND = {
  traffic: (share) => `其中 ${share} 用于读取权重：前向传播受限于内存，所以多几个 token 花费很少`,
  arithmetic: (share) => `其中 ${share} 用于运算：前向传播受限于乘法，所以每多一个 token 都要花费`,
  steps: (share) => `两者中较大的一项占 ${share}。两者都不是瓶颈；瓶颈是每层的固定开销（模型小）`,
};
const AGAINST = {
  stays: () => '测到的范围内都大于 1',
  falls: ([from]) => `从 B = ${from} 起小于 1：批处理用掉了富余的算力`,
  never: () => '始终小于 1',
  mixed: (below) => `在 B = ${below.join('、')} 处小于 1`,
};

export const reason = {
  question: '何时更快？',
  answer: (rows) =>
    `${rows} 个 token 与一个 token 的前向传播成本之比。一轮得到的 token 数多于它花费的步数，才划算。`,
  about: '一次前向传播不论带一个还是五个 token，都要读取全部权重。只要读取比运算久，验证猜测就便宜。',
  ask: { temperature: '在此测量温度', genre: '在此比较文本类型' },
  hereOf: (run) => `本服务器，刚才：${run}`,
  waiting: '正在排队。',
  stages: (done, of, next) => `已完成 ${done}/${of}，正在测${next}`,
  next: ['内存与运算', '1 到 64 个 token 的前向传播', '批处理'],
  runs: (done, of) => `已完成 ${done}/${of} 次运行`,
  cancelled: '已取消；已测量的保留。',
  refused: (why) => `未继续测量：${why}。`,
  sections: { machine: '一次前向传播的成本', text: '温度与文本如何影响接受率', worked: '算例' },
  tokens: '每次前向传播的 token 数，k',
  series: {
    traffic: '读取权重',
    arithmetic: '运算',
    measured: '实测',
    plain: '普通解码',
    stick: '拟合：先平后升',
    predicted: '加速比（预测）',
    v: '前向传播成本（实测）',
    alpha: 'α',
    perPass: '每次前向传播 token 数',
    speedup: '加速比',
  },
  threads: (many) => `${many} 线程`,

  roofline: {
    title: '本机上什么限制了前向传播',
    says: ({ weights, traffic, speed, cache, arithmetic, rate, threads, device }) =>
      `以 ${speed} 的速度读取 ${weights} 权重需要 ${traffic}${cache}；一个 token 的运算，以 ${rate} 的速度需要 ${arithmetic}（${device}，${threads}）。`,
    cache: {
      fits: (size) => `（可放入 ${size} 的缓存）`,
      over: (size, memory) => `（缓存容量 ${size}；内存速度 ${memory}）`,
      unknown: (memory) => `（内存速度 ${memory}）`,
    },
    bound: (pass, bound, share) => `实测一次前向传播需要 ${pass}；${BOUND[bound](share)}。`,
    rows: (rows, arithmetic, pass) => `${rows} 个 token 时：运算 ${arithmetic}，前向传播 ${pass}。`,
  },
  textbook: {
    title: '教科书例子：A100 上的 Llama-2-70B',
    says: (traffic, arithmetic, times, ridge) =>
      `权重：140 GB / 2 TB/s = ${traffic}。运算：140 GFLOP / 312 TFLOP/s = ${arithmetic}。读取所需时间是运算的 ${times} 倍，所以每次前向传播在约 ${ridge} 个 token 以内，多出的 token 几乎是免费的。（一张卡放不下 140 GB；这里只计带宽。）`,
    ridge: (ridge) => `在 ${ridge} 处相等`,
  },
  passes: {
    title: 'v(k)：k 个 token 的前向传播成本',
    knee: (knee) => `拐点：${knee}`,
    flat: (knee, level, slope) =>
      `到 k = ${knee} 为止保持平坦，为 ${level}×；此后每多一个 token 增加 ${slope}。`,
    level: (last, level) => `测到的范围内（直到 k = ${last}）都保持平坦，为 ${level}×。`,
    rises: (slope) => `没有平坦部分：每多一个 token 增加 ${slope}。`,
    tree: (rows) => `树：${rows}`,
    pays: (rows, v) => `γ + 1 = ${rows} 个 token 的前向传播成本为 ${v}×。`,
    paysTree: (rows, v) => `这次运行的树有 ${rows} 个 token，其前向传播成本为 ${v}×。`,
    laps: (laps, behind) => `${laps} 次的中位数；须线为四分位距；缓存中已有 ${behind} 个 token。`,
  },
  batch: {
    title: '同时处理多个文本',
    x: '一批中的文本数，B',
    measured: (gamma, first, v, last, most) =>
      `同时处理 B 个文本、每个 ${gamma + 1} 个 token 时，前向传播成本在 B = ${first} 时为 ${v}×，B = ${last} 时为 ${most}×（用 transformers 库测量）。`,
    predicted: (alpha, first, speedup, last, most, against, below) =>
      `α = ${alpha} 时预测的加速比：B = ${first} 时 ${speedup}×，B = ${last} 时 ${most}×；${AGAINST[against](below)}。`,
    nothing: '这次运行没有猜测，所以没有可用于预测的 α。',
    table: '草稿模型是一张表，一次只能查一个文本。',
  },
  temperature: {
    title: '各温度的接受率',
    x: '温度',
    says: (first, low, last, high, runs, trend) =>
      `T = ${first} 时 α 为 ${low}，T = ${last} 时为 ${high}${trend}；每个温度最多 ${runs} 次运行，95 % 区间（Wilson）。`,
    trends: { falls: '：温度越高越难猜', rises: '：这里温度越高越容易猜', unclear: '：难分高下' },
    one: (at, alpha) => `T = ${at} 时 α 为 ${alpha}；没有测其他温度。`,
  },
  genre: {
    title: '各文本类型的接受率',
    names: { code: '代码', tale: '童话', verse: '诗剧' },
    y: 'α · 每次前向传播 token 数 · ×',
    says: (best, alpha, times, worst, least, fewer, apart) =>
      `最容易猜：${best}，α = ${alpha}，${times}×。最难：${worst}，α = ${least}，${fewer}×。${apart ? '' : '两者的 95 % 区间重叠：难分高下。'}`,
    one: (name, alpha, times) => `${name}：α = ${alpha}，${times}×；没有测其他文本类型。`,
    untested: '没有验证猜测，所以没有可比较的 α。',
  },
  with: (config) => `猜测来自 ${plainName(config.drafter)}${lengthOf(config)}。`,
  columns: {
    roofline: ['一次前向传播的 token 数', '读取权重 (ms)', '运算 (ms)', '前向传播 (ms)'],
    passes: ['一次前向传播的 token 数', 'v', '前向传播 (ms)', '下限', '上限'],
    batch: ['文本数', 'v_B', 'c_B', '预测的加速比'],
    sweep: (of) => [
      { temperature: '温度', genre: '文本类型' }[of],
      '运行次数',
      '接受',
      '验证',
      'α',
      '下限',
      '上限',
      '每次前向传播 token 数',
      '加速比',
    ],
  },

  worked: {
    pick: '例子',
    columns: ['项目', '代入数字', '结果'],
    printed: '原文数字 ',
    invalid: '有数字缺失或超出范围；下面的结果来自上一组有效的数字。',
    names: {
      keep: 'To be or not to be',
      timing: '48 ms 对 160 ms',
      tokens: '猜 K 个时每次前向传播的 token 数',
      best: '最佳的 K',
    },
    fields: {
      guesses: '猜测数 K',
      draft: '一个猜测，ms',
      target: '目标模型前向传播，ms',
      alpha: 'α',
      p: 'p',
      q: 'q',
      r: 'r',
    },
    keep: {
      guess: (index) => `猜测 ${index}`,
      test: (p, q, ratio, r, sure) =>
        `p/q = ${p}/${q} = ${ratio}${sure ? ' ≥ 1，不论 r 是多少' : `，与 r = ${r} 比较`}`,
      kept: '接受',
      refused: '拒绝',
      says: {
        refused: (kept, guess) =>
          `接受 ${kept} 个；在猜测 ${guess} 处，从 norm(max(0, p − q)) 采样得到目标模型自己的 token：${kept} + 1 个重新采样的 = 一次前向传播得到 ${kept + 1} 个 token。`,
        kept: (kept) =>
          `${kept} 个全部接受，同一次前向传播还给一个奖励 token：${kept} + 1 = ${kept + 1} 个 token。`,
      },
    },
    timing: {
      round: '一轮',
      plain: '普通解码',
      claimed: '声称的加速比',
      all: (k) => `${k} 个全部接受：${k + 1} 个 token`,
      tokens: (alpha) => `α = ${alpha} 时的 E[token 数]`,
      then: '该 α 下的加速比',
      says: (k, alpha, times) =>
        `这里漏了两点。${k} 个猜测全部被接受时，前向传播得到 ${k + 1} 个 token，而不是 ${k} 个；而且很少全部被接受：α = ${alpha} 时为 ${times}×。此外，还假定了 ${k + 1} 个 token 的前向传播不比一个 token 的贵。`,
    },
    tokens: {
      says: (k, wrong) =>
        `E = (1 − α^(K+1)) / (1 − α)，Leviathan et al. 2023，式 1${wrong ? `。原文有 ${wrong} 个数字重算后对不上` : ''}。`,
    },
    best: {
      value: (k, times) => `K = ${k}，${times}×`,
      there: (k, alpha, times) => `α = ${alpha} 时 K = ${k} 得 ${times}×`,
      says: (c, most, there) =>
        `0 到 ${most} 中使 E / (Kc + 1) 最大的 K，其中 c = ${c}，且假定前向传播不论带多少猜测，成本都相同${there.length ? `。原文的数字重算后对不上：${there.join('；')}` : ''}。`,
    },
  },
};
