/**
 * shared.js: Chinese for base/words.js.
 */

import { clean } from '../format.js';
import { served } from './served.js';

export const STATES = {
  prompt: '提示词',
  draft: '猜测',
  accepted: '已接受',
  rejected: '已拒绝',
  resampled: '替换',
  bonus: '奖励',
  untested: '未验证',
};

export const KINDS = {
  rest: '第一轮之前',
  draft: '猜测',
  verify: '验证',
  dart: '随机数',
  verdict: '判定',
  adjust: 'p 的剩余',
  residual: 'p 的剩余',
  replace: '替换',
  bonus: '奖励',
  gather: '归位',
  trim: '回滚',
};

const ENDS = {
  length: '达到长度',
  eos: '文本结束',
  context: '上下文已满',
  stopped: '已停止',
  deadline: '超时',
  failed: '中断',
};

const wait = (seconds) =>
  seconds < 90 ? `约 ${Math.max(1, Math.round(seconds))} 秒` : `约 ${Math.round(seconds / 60)} 分钟`;

export const words = {
  sentences: (said) => said.filter(Boolean).join(''),
  region: '推测解码逐步回放',
  toolbar: '播放',
  empty: '这里还没有录制的运行。按“运行”生成一个。',
  loading: '正在打开录制…',
  lost: '服务器已不再保存这次运行。按“运行”重新生成。',
  retry: '重试',
  blank: '按任意键返回',
  changed: '设置已更改，按“运行”生效',
  bar: { share: '分享', help: '帮助', dark: '深色', present: '演示' },
  gone: (round) => `服务器没有响应。已显示的内容到第 ${round} 轮为止是完整的。`,
  mend: (value) => `用 ${value} 运行`,
  dismiss: '关闭此消息',
  goneEmpty: '服务器没有响应。',
  share: {
    label: '保存这次运行',
    link: ['复制链接', '指向这次运行和当前位置'],
    embed: ['复制嵌入代码', '供其他网页使用的框架；服务器须以 --embed 允许'],
    cite: ['复制引用', '一行文字注明这次运行，附链接'],
    copied: '已复制到剪贴板。',
    byHand: '请复制：',
    page: ['下载网页', '一个 HTML 文件，离线播放这次运行'],
    png: ['下载图片', '舞台画面的 PNG'],
    svg: ['下载矢量图', '舞台画面的 SVG'],
    csv: ['下载表格', 'CSV：每个 token 一行'],
    download: ['下载运行记录', 'JSON：这次运行的全部数字'],
    open: ['打开运行记录', '之前保存的文件'],
    lesson: ['用于课堂', '二维码、练习题、第二屏幕'],
    none: '舞台上没有运行。',
    waiting: '正在获取运行记录…',
    failed: '服务器已不再保存这次运行，或没有响应。',
    done: (name) => `已保存为 ${name}`,
  },

  recorded: () => '录制的示例',
  saved: (when) => `${when.slice(0, 10)} 的运行`,
  who: { draft: '草稿模型', target: '目标模型', none: (method) => `无（${method}）` },
  asked: '正在排队',
  place: (place, size, seconds) =>
    `等待中：队列第 ${place} 位，共 ${size} 位${seconds ? `，${wait(seconds)}` : ''}`,
  meanwhile: '先播放这一个',
  repeated: (when) => `UTC ${when.slice(11, 16)} 在此录制：设置相同，运行也相同`,
  nothing: '在第一轮之前就结束了',
  live: '实时',
  cut: '已中断：与服务器的连接断开；之前的内容已保留',
  done: (stop) => `实时运行，${{ stopped: '已停止', deadline: '超时', failed: '中断' }[stop] ?? '已完成'}`,
  ahead: (rounds) => `领先 ${rounds} 轮`,
  failed: (reason) => `运行中断：${served(reason)}。之前录制的内容已保留。`,
  run: ({ drafter, pair, rule, target, temperature, seed, gamma, gamma_rule: by, lossless = true }) =>
    `${drafter} → ${target} · ${by === 'none' ? '无 γ' : `γ ${by === 'fixed' ? gamma : by}`} · ${temperature === 0 ? '贪心' : `T ${temperature}`} · 随机种子 ${seed}${rule === 'rejection' ? '' : ` · ${rule}${lossless ? '' : '（有损）'}`}${pair === 'embedded' ? '' : ` · 模型对 ${clean(pair)}`}`,
  rate: (percent, kept, tested) => `目前接受了 ${percent} %（${tested} 个中的 ${kept} 个）`,
  noRate: '尚未验证',
  earlier: (many) => `… 前面还有 ${many} 个 token …`,
  end: (stop, made) => `■ ${ENDS[stop]}，${made} 个 token`,
  at: {
    rest: (rounds) => `整个运行，共 ${rounds} 轮`,
    beat: (round, rounds, kind, slot, slots) =>
      `第 ${round} 轮（共 ${rounds} 轮），${kind}${slot === null ? '' : ` ${slot}/${slots}`}`,
  },
  bytes: (letter, many, state) => `${letter}，${many} 个 token，${state}`,
  label: (token, state) => `${token}，${state}`,

  vocabulary: {
    open: '显示整个词表',
    title: (token) => `猜出“${token}”处的整个词表`,
    own: '最后一个猜测之后的整个词表',
    close: '关闭',
    find: '查找包含以下内容的 token',
    waiting: '正在重新计算完整分布 …',
    broke: '服务器没有回答。请关闭后重新打开。',
    raw: '原始',
    decided: '判定所用：已应用温度、top-k 和 top-p，并归一化到总和为 1。',
    rawNote: '原始：未应用温度、top-k 和 top-p。规则从不看这些值。',
    shown: (rows, count) => `显示 ${count} 个中的 ${rows} 个`,
    table: 'token，按 p、q 中较大者从大到小排列',
    columns: { token: 'token', id: '编号', p: 'p', q: 'q', keep: 'min(1, p/q)' },
    ranks: '全部 token，按名次排列',
    rank: '名次',
    probability: '概率',
    rankLabel: (size, p, q) =>
      [
        ['p', p],
        ['q', q],
      ]
        .filter(([, ends]) => ends)
        .map(([name, [first, last]]) => `${name} 从第 1 名的 ${first} 降到第 ${size} 名的 ${last}`)
        .join('；'),
    scatter: 'p 与 q 对比，表中的 token',
    scatterLabel: (many, more, less) => `${many} 个 token 中，${more} 个 p 较大，${less} 个 q 较大`,
    point: (token, p, q) => `${token}：p ${p}，q ${q}`,
    noScatter: '最后一个猜测之后没有再猜，所以没有可比较的 q。',
  },

  lane: {
    time: '时间',
    aboutCache: '目标模型与草稿模型的缓存长度随轮次的变化。点击可跳到某一轮。',
    aboutGamma:
      '折线为每轮猜测数，柱为被接受的猜测和目标模型自己的 token；点线为 q 的平均熵。点击可跳到某一轮。',
    aboutTime: (total) => `实测时间，共 ${total} ms：猜测、目标模型的前向传播、其他开销。点击可跳到某一轮。`,
    gammaAt: (gamma, kept) => `猜测 ${gamma} 个，接受 ${kept} 个`,
  },
  why: {
    title: (token, word) => (token === null ? '这里还没有内容' : `为何${word}：${token}`),
    show: '在图中显示',
    copy: '复制',
    copied: '已复制',
    close: '关闭',
  },
  tabs: {
    label: '页面显示的内容',
    round: '单轮',
    race: '竞速',
    losslessness: '精确吗？',
    alpha: '接受率',
    compare: '比较',
    methods: '方法',
    why: '何时更快？',
  },
  cached: (steps, beside) =>
    `权重留在处理器缓存中时，猜测的收益较小：普通解码每步都很快，一次验证要花 ${steps} 步；大模型的权重从内存读取，一次验证只比一步略多。${beside ? '' : '“竞速”显示加速比损失在哪里。'}`,
  lab: { broke: '未测量：引擎中断；详见服务器日志。' },
  chart: { keeps: '保存此图表', keep: (kind) => `保存为 ${kind.toUpperCase()}` },
  topics: {
    dropped: [
      '为什么一个猜测被拒绝，后面的就都要丢弃？',
      '后面的猜测以被拒绝的 token 为前文。那段文本已不存在，它们的概率也就没有意义。',
    ],
    residual: [
      '替换的 token 为什么不直接从 p 采样？',
      '被接受的猜测已覆盖 p 与 q 重叠的部分。替换必须来自其余部分 p − q，否则有些 token 会出现得太频繁。',
    ],
    rows: [
      '奖励 token 为什么是免费的？',
      '对最后一个 token 和 γ 个猜测做一次前向传播，得到 γ + 1 个分布，每个 token 之后各一个。全部猜测被接受时，最后一个分布是现成的。',
    ],
    pass: [
      '真的只有一次前向传播吗？',
      '是的。猜测像提示词那样一起输入，每个只看得到它前面的内容。大部分时间花在读取权重上，所以只比处理一个 token 贵一点，但并非完全免费。',
    ],
    slower: [
      '什么时候会更慢？',
      '猜测常被拒绝时；草稿模型不比目标模型快多少时；或者处理多个 token 的前向传播比处理一个贵得多时。',
    ],
    temperature: [
      '为什么 p 和 q 是应用温度之后的？',
      '文本应服从用户要求的分布。所以先对两个模型都应用温度、top-k 和 top-p，再用所得的结果来验证。',
    ],
    better: [
      '被接受的 token 比被拒绝的更好吗？',
      '不是。验证有接受有拒绝，恰好使留下的文本与目标模型单独写出的分布完全相同。接受率高意味着更快，而不是更好。',
    ],
    owes: [
      '草稿模型的缓存为什么落后一个条目？',
      '全部猜测被接受时，草稿模型还没读过自己的最后一个猜测，因为没人问它后面是什么。下一轮它先读这一个。',
    ],
    letters: [
      '哪个字母代表什么？',
      'p 是目标模型，q 是草稿模型，与 Leviathan et al. 2023 相同。Chen et al. 2023 中两者相反。',
    ],
    ties: ['u 恰好等于 p/q 怎么办？', '这里算拒绝：u·q < p 时才接受。论文中算接受；这种情况的概率为零。'],
  },

  help: {
    title: '按键与颜色',
    close: '关闭',
    note: '焦点在舞台上时按键有效；演示时随处有效。',
    letters: '单键快捷键',
    states: '每种状态都有自己的颜色、边框、符号和名称。',
    questions: '常见问题',
    keys: [
      ['空格', '播放或暂停'],
      ['← →', '一步；焦点在猜测上时，移到下一个猜测'],
      ['Shift ← →', '一轮'],
      ['Home End', '第一步，最后一步'],
      [', .', '更慢，更快'],
      ['Enter', '这个 token 的由来'],
      ['G', '带我看：第一分钟'],
      ['Q', '先预测，再揭晓'],
      ['[ ]', 'γ 减小、γ 增大，并运行'],
      ['D', '换下一种草稿模型，并运行'],
      ['R', '再次运行'],
      ['N', '换新的随机种子，并运行'],
      ['T', '叠放或并排；掩码显示为表格'],
      ['A K M', '代码、缓存、时钟'],
      ['F', '演示'],
      ['L', '保存这次运行'],
      ['1 到 7', '各标签页，从左数起'],
      ['C', '设置'],
      ['PageUp PageDown', '演示时走一步'],
      ['B .', '演示时黑屏'],
      ['?', '本帮助'],
      ['Esc', '关闭，离开'],
    ],
  },

  buttons: {
    roundBack: '上一轮',
    back: '上一步',
    play: '播放',
    pause: '暂停',
    forward: '下一步',
    roundForward: '下一轮',
    scrub: '位置',
    pace: '速度',
    algorithm: '算法 1',
    notes: '备注',
    leave: '退出演示',
  },
  paces: {
    auto: '先慢后快',
    reading: '阅读速度',
    quick: '快',
    real20: '录制速度的 1/20',
    real5: '录制速度的 1/5',
    real1: '录制速度',
  },
  spoken: { lineBreak: '换行', space: '空格', nothing: '空 token' },
};
