/**
 * page.js: Chinese for trace/words.js and page/words.js. File names and what a file says arrive raw, as
 * there.
 */

import { bytes, clean, count } from '../format.js';
import { served } from './served.js';

const LONGEST = 60;

function named(name) {
  const letters = Array.from(name);
  const shown = letters.length > LONGEST ? [...letters.slice(0, LONGEST), '…'] : letters;
  return `\u2068${clean(shown.join(''))}\u2069`;
}

export const file = {
  drop: '把运行记录拖放到这里。它只在此浏览器中打开，不会发送到任何地方。',
  another: '打开其他文件',
  opened: ({ name, of, dropped, why }) =>
    `从文件打开：${named(name)}${of > 1 ? `，${count(of)} 个中的第一个` : ''}` +
    (dropped ? ` · 此文件有 ${count(dropped)} 处被略去：${why}${dropped > 1 ? '；…' : ''}` : ''),
  refused: (name, of, reason) =>
    `未打开 ${named(name)}${of > 1 ? `（${count(of)} 个文件中的第一个）` : ''}：${reason}。`,
  unreadable: '浏览器无法读取；它是文件吗？还在原处吗？',
  unanswerable: '这次运行来自文件，服务器从未见过；按“运行”生成一个服务器能回答的',
  alone: '显示整个词表需要模型，而此网页没有模型',
  charts: '这次运行来自文件，服务器从未见过，而这些图表由服务器绘制。舞台下方的走势图显示同样的数字。',

  large: (size, most) => `大小为 ${bytes(size)}；最多打开 ${bytes(most)}`,
  encoding: '不是 UTF-8 文本；请像 python -m specviz run … --out trace.json 那样保存',
  syntax: '不是 JSON，或不完整；请用 python -m specviz run … --out trace.json 重新生成',
  noTrace:
    '是 JSON，但不是 specviz 的运行记录（其中应有名为 schema 的数字）；可用 python -m specviz run … --out trace.json 生成',
  schema: (found, wanted) =>
    found < wanted
      ? `它是 schema ${found} 的运行记录，本页读取 schema ${wanted}；请用此版本重新生成：python -m specviz run … --out trace.json`
      : `它是 schema ${found} 的运行记录，本页读取 schema ${wanted}；需要更新的 specviz 才能打开`,
  unfit: (where, found, wanted) => `${where} 是 ${found}；应为${wanted}`,
  missing: (where) => `缺少 ${where}`,
  unknown: (where, name) => `${where} 有未知字段 ${name}`,
  cut: (where, length, most) => `${where} 共 ${count(length)} 个字符，超出 ${count(most)} 的部分`,
  found: { list: (length) => `长度为 ${count(length)} 的列表`, object: '对象', nothing: '缺失' },
  wanted: {
    object: '对象',
    text: '文本',
    flag: 'true 或 false',
    name: '普通名称',
    list: (most) => `最多 ${count(most)} 项的列表`,
    number: (low, high) => `${low} 到 ${high} 的数`,
    whole: (low, high) => `${low} 到 ${high} 的整数`,
    oneOf: (names) => `${names.join('、')} 之一`,
  },
  contradicts: (where, what) => `${where} 自相矛盾：${what}；python -m specviz check FILE 会列出全部错误`,
  wrong: {
    rounds: '没有可显示的轮次',
    prompt: '提示词的每个 token 都应有文本，且至少一个',
    tokens: (most) => `文本超过 ${count(most)} 个 token`,
    place: '序号与位置和上一轮不衔接',
    tree: (node) => `猜测 ${node} 没有接在更早的猜测上`,
    path: '路径与被接受的猜测不符',
    walk: (node) => `猜测 ${node} 在它的位置上不可能有这个判定`,
    numbers: (node) => `猜测 ${node} 缺少判定所用的数，或多出一个从未抽取的数`,
    placed: (node) => `猜测 ${node} 不在其随机数落下的地方`,
    decided: (node) => `猜测 ${node} 的判定与它的数字不符`,
    extra: '目标模型自己的 token 缺失，或不应存在',
    emission: '目标模型自己的 token 不是这样得来的',
    drawn: '目标模型自己的 token 是从空分布采样的',
    cache: (name) => `${name === 'drafter' ? '草稿模型' : '目标模型'}的缓存不可能有这些长度`,
    times: '时间应为每个猜测一个，再加目标模型前向传播一个',
    race: '它不属于这次运行',
    twice: '它的 token 已有一根柱',
    imagined: (node) => `猜测 ${node} 之后不可能有设想的状态`,
  },
};

export const methods = {
  label: '猜测方法',
  more: '更多',
  open: '更多猜测方法',
  chosen: (name) => `${name}；更多猜测方法`,
  families: {
    counts: ['计数', '某个 token 后面常跟什么'],
    copies: ['复制', '照抄前文出现过的内容'],
    models: ['模型', '更小或开销更低的模型'],
    heads: ['附加头', '在目标模型上训练的小部件'],
    target: ['目标模型自己', '自己替自己猜'],
    cascades: ['级联', '为草稿模型再配草稿模型'],
    trees: ['树', '同时猜多种续写'],
    'no drafter': ['无草稿模型', '目标模型自己替自己猜'],
  },
  needs: ({ modelled, counted, asset, family }) =>
    modelled
      ? '第二个模型'
      : counted
        ? '计数表'
        : asset
          ? '一个文件'
          : family === 'target'
            ? '只要目标模型'
            : '什么都不需要',
  lacks: (asset) => `这里无法运行：这对模型没有 ${asset}。请在“模型”下选择另一对。`,
  shapes: { chain: '一条猜测链', tree: '多种续写' },
  exact: '✓ 全部精确：文本的分布与目标模型自己的相同',
  idle: '不使用',
  noLength: '这种方法没有可选的猜测长度，所以 γ 在这里不起作用。',
  alone: '若猜测是直接选定而非采样得到的，它与拒绝采样的每个数字都相同。',
};

export const refusal = {
  labels: {
    gamma: 'γ',
    temperature: 'T',
    top_k: 'Top-k',
    top_p: 'Top-p',
    max_new_tokens: '长度',
    seed: '随机种子',
    nodes: '节点数',
  },
  temperature: '为 0，或 0.05 到 2 的数',
  top_p: '大于 0，不超过 1',
  whole: (low, high) => `为 ${low} 到 ${high} 的整数`,
  needs: (label, wanted) => `${label} 应${wanted}。`,
  line: (line) => `未运行：${served(line)}。`,
};

export const link = {
  long: '链接太长，不可能由本页生成，因此没有读取。',
  version: (version) => `链接由本页的另一版本（${version}）生成；已采用其中可识别的部分。`,
  ignored: (key) => `链接中的“${key}”在这里没有意义。`,
  mended: (name, given, used) => `链接要求 ${name} 为 ${given}；已改用 ${used}。`,
  unknown: (name, given) => `链接要求的${name}“${given}”在这里不存在。`,
  names: {
    recorded: '录制的运行',
    max_new_tokens: '长度',
    seed: '随机种子',
    drafter: '猜测方法',
    rule: '接受规则',
    gamma_rule: 'γ 规则',
  },
  otherPair: (pair) => `生成链接时用的是 ${pair}。要查看同一次运行，请在“模型”下选择它。`,
  differs: (token) => `本机的解码结果与生成链接的机器不同：从第 ${token} 个 token 起，文本不一样。`,
  attached: '显示附带的运行',
  damaged: '链接附带的运行无法读取。',
  attachment: '链接附带的运行',
  nowhere: '链接所指的位置不在这次运行中。',
};

export const pair = {
  label: '模型',
  embedded: '内置演示模型对',
  looking: '正在查看本机能运行哪些模型对',
  ready: '已在内存中',
  waiting: (name) => `${name}：正在排队`,
  step: (name, what) => `${name}：${what}`,
  done: (name) => `${name} 已就绪`,
  cancel: '取消',
  prompt: '它的提示词',
  calledOff: (name, present) => `已取消加载 ${name}；仍用 ${present}`,
  failed: (reason, present) => `未更换：${reason}。仍用 ${present}。`,
  unlisted: (reason) => `无法列出模型：${reason}。`,
  broke: '服务器没有响应',
  bar: (name) => `正在加载 ${name}`,
  so: (done, total) => (total ? `${done}，共 ${total}` : done),
  left: (seconds) => `剩余 ${seconds < 90 ? `${seconds} 秒` : `${Math.round(seconds / 60)} 分钟`}`,
  value: (percent, rest) => `${percent} %：${rest}`,
};

export const lesson = {
  title: '用于课堂',
  opens: '链接打开',
  asks: [
    ['', '运行中的这个位置'],
    ['one', '预测，各自作答'],
    ['room', '预测，举手表决'],
  ],
  hides: [
    ['settings', '锁定设置'],
    ['tabs', '隐藏标签页'],
    ['models', '隐藏模型名称'],
  ],
  address: '给全班的链接',
  code: '链接的二维码',
  copy: '复制链接',
  byHand: '请手动复制链接。',
  long: '提示词太长，放不进二维码；请复制链接。',
  print: '打印练习题',
  local: '只有本机能打开此地址。其他人需要本机的网络地址和 --host 0.0.0.0。',
  second: '打开第二屏幕',
  first: '第一屏幕',
};
