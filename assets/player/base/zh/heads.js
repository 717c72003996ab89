/**
 * heads.js: Chinese for stage/words-heads.js. Pure.
 */

import { words } from '../../words/words.js';

const KNOWN = { true: '目标模型的状态', imagined: '设想的状态' };

export const heads = {
  label: '来源',
  title: '猜测从何而来',
  layers: (layers, of) => `第 ${layers.join('、')} 层的状态，共 ${of} 层。`,
  starts: {
    drawn: (last, pending) => `目标模型从“${last}”之后的状态采样得到“${pending}”。`,
    given: (last, pending) => `目标模型读到“${last}”为止；提示词以“${pending}”结尾。`,
  },
  says: {
    state: (pending, { pending: told }) => [
      `每个头都读取这个状态${told ? `和“${pending}”` : ''}，各猜更后面的一个位置。`,
      '各头互不知道对方猜了什么。',
    ],
    told: () => ['每个头都读取这个状态，各猜更后面的一个位置。', '它还知道排在自己之前的猜测。'],
    imagined: () => ['两者一起输入，得到设想的下一个状态和一个猜测，再把它们输入，如此继续。'],
    block: (pending, { places }) => [
      `“${pending}”之后有 ${places} 个空格，一次前向传播填满。`,
      '它们看得到目前的所有状态，而彼此看到的只是空格。',
    ],
  },
  names: {
    state: (place) => `头 ${place}`,
    told: (place) => `头 ${place}`,
    imagined: (place) => `步骤 ${place}`,
    block: (place) => `空格 ${place}`,
  },
  reads: {
    state: (kind) => KNOWN[kind],
    told: (kind) => KNOWN[kind],
    imagined: (kind) => KNOWN[kind],
    block: () => '目标模型目前的所有状态',
  },
  row: (name, reads, tokens, position, guess) => {
    const read = `${name} 读取${[reads, ...tokens].join('和')}，猜位置 ${position}`;
    if (!guess) return `${read}：尚无猜测`;
    const parts = [`猜“${guess.text}”`, guess.q && `q ${guess.q}`, words.states[guess.state], guess.value];
    return `${read}：${parts.filter(Boolean).join('，')}`;
  },
  rowsLabel: '草稿中的各个位置',
  place: '位置',
  guess: '猜测',
  values: { state: '重叠', told: '重叠', imagined: '相似度', block: '重叠' },
  key: { true: '目标模型的状态', imagined: '设想的', token: '已知的 token', blank: '空格', goal: '猜测' },
  likeliest: (name) => `${name} 给出的最高概率：`,
  alike: (behind, many, likeness) =>
    `“${behind}”之后的状态，${many} 个数：设想的（描边）与目标模型自己的。余弦相似度 ${likeness}。`,
  cost: (passes, drafting, verify) => `${passes} 次草稿前向传播：${drafting} ms。验证：${verify} ms。`,
  kept: (shares) => `目前各位置的接受率：${shares.join(' · ')}`,
};
