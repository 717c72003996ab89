/**
 * say.js: Chinese for stage/words-say.js and words-passes.js: the headlines. Pure.
 */

import { clean } from '../format.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });
const late = (piece) => ({ ...piece, late: true });
/** A sentence has room for so many letters of a token. */
const ROOM = 24;
const cut = (letters) =>
  letters.length > ROOM ? `${letters.slice(0, ROOM - 1).join('')}…` : letters.join('');
const quoted = (text) => `“${cut(Array.from(text))}”`;
const many = (count) => `${count} 个 token`;
const all = (count) => (count === 1 ? '这个猜测' : count === 2 ? '两个猜测' : `全部 ${count} 个猜测`);
const WHO = {
  bigram: '一张词对表',
  ngram: '一张短语表',
  'small-model': '一个小模型',
  'small-tree': '一个小模型',
  recycling: '一份记忆',
  quantized: '一个 8 位副本',
  'prompt-lookup': '一次文本检索',
  suffix: '一次文本检索',
  retrieval: '一次语料库检索',
};

export const say = {
  rest: (drafter) =>
    !drafter
      ? [target('大模型'), '自己先猜，再用一次前向传播验证所有猜测。']
      : [draft(WHO[drafter] ?? '一个草稿模型'), '先猜。', target('大模型'), '用一次前向传播验证所有猜测。'],
  offer: (tokens, passes, noDice) =>
    `${noDice === 'typical' ? '文本与大模型单独写的不完全相同（规则有损），但' : noDice ? '文本与大模型单独写的相同，' : '质量与大模型单独写的相同，'}慢步骤更少：` +
    `这 ${tokens} 个 token 只用了 ${passes} 次前向传播，而不是 ${tokens} 次。`,
  slower: (tokens, passes) =>
    `这 ${tokens} 个 token 用了 ${passes} 次前向传播。这次反而更慢：猜测的开销超过了节省的时间。`,

  draft(count, noDice, how) {
    if (how === 'itself') return ['没有草稿模型：', draft(`这 ${count} 个猜测`), '不需要单独的前向传播。'];
    if (how === 'copied') return [draft('草稿'), '在前文找到这些词，照抄了后面的内容。'];
    const who = [draft('草稿模型')];
    if (noDice === 'greedy')
      return [...who, count === 1 ? '取它最可能的 token。' : `连续 ${count} 次取它最可能的 token。`];
    return [
      ...who,
      count === 1
        ? '猜一个 token。'
        : how === 'together'
          ? `同时猜 ${many(count)}。`
          : `猜 ${many(count)}，一个接一个。`,
    ];
  },
  check(count) {
    if (!count) return ['这一轮没有猜测：', target('目标模型'), '普通地走一步。'];
    return [target('目标模型'), `用一次前向传播评估${all(count)}和下一个位置。`];
  },

  firstLevel(count, text, drafters, end) {
    if (end) return ['第 1 层：', draft(`${count} 种续写`), `。${end}`];
    const who = draft(drafters > 1 ? `${drafters} 个草稿模型` : drafters ? '草稿模型' : '片段池');
    return ['第 1 层：', who, `从“${cut(Array.from(text))}”给出 ${count} 种续写。`];
  },
  level(depth, count, end) {
    const after = end ? `。${end}` : count === 1 ? '，接在它的父节点之后。' : '，各接在自己的父节点之后。';
    return [`第 ${depth} 层：`, draft(`${count} 个猜测`), after];
  },
  halted: (reason) => `到此为止：${clean(reason)}。`,
  noDeeper: (reason) => `不再加深：${clean(reason)}。`,
  full: (most) => `猜测已满：每轮最多 ${most} 个。`,
  checkTree: (count) => [target('目标模型'), `用一次前向传播评估全部 ${count} 个猜测，各在自己的分支上。`],
  hopeless: (text) => ['保留', draft(quoted(text)), '吗？p 在它上面已无剩余：随机数再小也留不住它。'],
  sureNow: (text, turn) => [
    `第 ${turn} 次尝试，`,
    draft(quoted(text)),
    '：p′ 不小于 q，随机数是多少都会保留。',
  ],
  next: (text, turn, u, below) => [
    `第 ${turn} 次尝试，`,
    draft(quoted(text)),
    '？随机数是 ',
    late({ text: u }),
    `，须小于 ${below}。`,
  ],
  struck: (gone, grows, text, p) => [
    rejected(quoted(gone)),
    `被划去；其余放大 ×${grows}：`,
    draft(quoted(text)),
    `现为 ${p}。`,
  ],
  taken: (grows, text, p) => [
    '从 p 中减去 q 已覆盖的部分；其余放大 ',
    `×${grows}：`,
    draft(quoted(text)),
    `为 ${p}。`,
  ],
  beside(text, count, noDice) {
    const yes =
      noDice === 'greedy'
        ? ['是：', accepted(quoted(text)), accepted('被接受')]
        : [accepted(quoted(text)), accepted('被接受')];
    return [...yes, count === 1 ? '。旁边的猜测不会再验证。' : `。旁边的 ${count} 个猜测不会再验证。`];
  },
  last(text, parent) {
    const end = ['。', target('目标模型'), '从剩余部分采样。'];
    if (!parent) return [rejected(quoted(text)), '是最后一个，', rejected('被拒绝'), ...end];
    return [
      rejected(quoted(text)),
      rejected('被拒绝'),
      `，它是“${cut(Array.from(parent))}”之后的最后一个`,
      ...end,
    ];
  },
  bonusTree: (text, parent) => [
    accepted(quoted(parent)),
    '是分支末端。奖励：',
    late(bonus(quoted(text))),
    '已评估过，没有额外开销。',
  ],
  gather(slots, from, gone) {
    const where = slots.length > 3 ? `${slots.slice(0, 3).join('、')}…` : slots.join('、');
    const to = slots.length === 1 ? `${from}` : `${from}–${from + slots.length - 1}`;
    return [accepted('保留的槽位'), ` ${where} 移到 ${to}；丢弃其余 ${gone} 个。`];
  },
  trimTree(tokens, guessed, kept) {
    return [
      '这一轮：一次前向传播得到 ',
      accepted(many(tokens)),
      `。${guessed} 个猜测中有 ${guessed - kept} 个白猜了。`,
    ];
  },

  sure: (text, equal) => [
    '保留',
    draft(quoted(text)),
    '吗？必定：',
    target('目标模型'),
    equal ? '给它的概率与草稿模型一样高。' : '给它的概率比草稿模型高。',
  ],
  number: (text, u, below) => [
    '保留',
    draft(quoted(text)),
    '吗？随机数是 ',
    late({ text: u }),
    `，须小于 ${below}。`,
  ],
  above: (text, threshold) => [
    '保留',
    draft(quoted(text)),
    '吗？',
    target('目标模型'),
    `的 p 须大于 ${threshold}。不用随机数。`,
  ],
  passedBy: (text) => [draft(quoted(text)), '也通过，但另一分支更长或更可能：', rejected('拒绝'), '。'],
  same: (text, noDice) =>
    noDice === 'greedy'
      ? [draft(quoted(text)), '也是', target('目标模型'), '的首选吗？']
      : ['两个模型用同一噪声：都选中', draft(quoted(text)), '吗？'],

  run(texts) {
    if (texts.length > 3) return [`连续 ${texts.length} 个猜测`, accepted('被接受'), '。'];
    const pieces = texts.flatMap((text, index) => [
      index === 0 ? '' : index === texts.length - 1 ? '和' : '、',
      accepted(quoted(text)),
    ]);
    return [...pieces.filter((piece) => piece !== ''), accepted('被接受'), '。'];
  },
  accepted(text, last, noDice, whole = true) {
    const both =
      noDice === 'coupled' ? ['两者都选中', accepted(quoted(text)), '：', accepted('接受'), '。'] : null;
    const yes = noDice === 'greedy' ? ['是：', accepted(quoted(text)), accepted('被接受'), '。'] : null;
    const next =
      last && !whole
        ? '它的分支到此结束。'
        : last === 1
          ? '这是唯一的猜测。'
          : last === 2
            ? '两个猜测都通过。'
            : last
              ? `全部 ${last} 个猜测都通过。`
              : '接着看下一个猜测。';
    return [...(both ?? yes ?? [accepted(quoted(text)), accepted('被接受'), '。']), next];
  },
  ended: (text, count) => [
    accepted(quoted(text)),
    accepted('被接受'),
    count ? '。文本到此结束；后面的猜测不用了。' : '。文本到此结束。',
  ],
  weigh: (text, u, below) => [
    '保留到',
    draft(quoted(text)),
    '为止吗？随机数是 ',
    late({ text: u }),
    `，须小于 ${below}。`,
  ],
  rescued: (text) => [accepted(quoted(text)), accepted('被接受'), '：后面有一个随机数低于界线。'],
  failed: (text, more) => [
    rejected(quoted(text)),
    rejected('被拒绝'),
    more ? '。接着看下一个随机数。' : '。这是最后一个猜测。',
  ],
  sibling: (text, count) => [
    rejected(quoted(text)),
    rejected('被拒绝'),
    `${count ? `，其后的${count === 1 ? '' : ` ${count} 个`}猜测也随之丢弃` : ''}。接着试同一位置的另一个。`,
  ],
  rejected(text, count, noDice, instead) {
    if (noDice === 'greedy')
      return [
        '否：',
        rejected(quoted(text)),
        rejected('被拒绝'),
        '。',
        target('目标模型'),
        '的首选是',
        target(quoted(instead)),
        '。',
      ];
    if (noDice === 'coupled')
      return [
        target('目标模型'),
        '选的是',
        target(quoted(instead)),
        '，不是',
        rejected(quoted(text)),
        '：',
        rejected('拒绝'),
        '。',
      ];
    const first = [rejected(quoted(text)), rejected('被拒绝')];
    return count
      ? [...first, `，其后的${count === 1 ? '' : ` ${count} 个`}猜测也随之丢弃。`]
      : [...first, '。这是最后一个猜测。'];
  },

  residual: () => ['只留下草稿模型', target('低估'), '的部分，再拉伸到铺满标尺。'],
  replace(text, u, noDice, equal) {
    const token = late(target(quoted(text)));
    if (noDice === 'greedy') return [target(quoted(text)), '取而代之。温度 0 时没有随机数。'];
    if (noDice === 'coupled') return [target(quoted(text)), '取而代之；不再采样。'];
    if (noDice) return ['随机数 ', late({ text: u }), ' 落在', token, '上，从整个 ', target('p'), ' 采样。'];
    if (equal) return ['这里 p 与 q 相等，所以', token, '从 p 采样。'];
    return ['新的随机数 ', late({ text: u }), ' 落在', token, '上：', target('目标模型'), '的替换。'];
  },
  bonus(text, count, noDice, whole = true) {
    const token = noDice && noDice !== 'typical' ? bonus(quoted(text)) : late(bonus(quoted(text)));
    const plain = { greedy: '是首选：', coupled: '被选中：' };
    if (!count) return [token, plain[noDice] ?? '从 p 采样：', target('目标模型'), '普通地走一步。'];
    const first = !whole
      ? '整条分支被接受'
      : noDice === 'coupled'
        ? count === 1
          ? '猜测一致'
          : `${count} 个全部一致`
        : count === 1
          ? '猜测被接受'
          : `${count} 个全部被接受`;
    if (noDice === 'greedy')
      return [accepted(first), '。奖励：', target('目标模型'), '的首选', token, '，没有额外开销。'];
    if (noDice === 'coupled')
      return [accepted(first), '。奖励：', target('目标模型'), '接下来选的', token, '，没有额外开销。'];
    return [accepted(first), '。奖励：', token, '没有额外开销，它的位置已评估过。'];
  },
  rollback({ written, kept }, tokens) {
    if (written === kept) return ['无需回滚。这一轮：一次前向传播得到 ', accepted(many(tokens)), '。'];
    return [`缓存从 ${written} 回滚到 ${kept}。这一轮：一次前向传播得到 `, accepted(many(tokens)), '。'];
  },
};

export const passes = {
  kind: '前向传播',
  title: '逐次前向传播',
  pass: (number) => `第 ${number} 次`,
  asks: '每个位置都由上一次前向传播猜出；一次前向传播把它们全部读入。',
  moves: (own) => `第一个猜测错了。前向传播在那里给出“${own}”，其后是新的猜测。`,
  settles: (kept, count) => `${kept} 个猜测没有变化：一次前向传播得到 ${many(count)}。`,
  level: (ago) => (ago === 1 ? '上一次' : `${ago} 次之前`),
  now: '这一次',
  fills: (level, of) => `窗口正在填充：${of} 层中的第 ${level} 层。还没有片段。`,
  none: (pending) => `池中没有以“${pending}”开头的片段。窗口继续。`,
  tries: (number) => `从池中取 ${number} 个片段，在这次前向传播中验证。`,
  misses: '都不吻合。',
  hits: (count) => `其中一个吻合：一次前向传播得到 ${many(count)}。`,
  ends: '文本在下一个窗口之前就结束了。',
  tried: '验证过的片段',
  fresh: '新入池的片段',
};
