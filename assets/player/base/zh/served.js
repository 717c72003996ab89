/**
 * served.js: Chinese for what comes from the server in English and is said often; the rest stays as it
 * comes. Pure.
 */

import { phrases } from '../phrases.js';

export const served = phrases({
  'llama, # layers, #': 'llama，# 层，#',

  'always #': '始终为 #',
  'its drafts have no γ': '这种方法没有 γ',
  "# left of the text's length": '文本长度只剩 # 个 token',
  'to begin with': '起始值',
  'warming up': '预热中',
  'looked at every # rounds': '每 # 轮查看一次',
  'nothing was drafted, so nothing was learnt': '没有猜测，所以没有学到什么',
  'up to #, while q of the guess is at least #': '最多 # 个，前提是猜测的 q 不小于 #',
  'up to #, while a rejection is at most # likely': '最多 # 个，前提是拒绝的概率不超过 #',
  'up to #, while 1 - sqrt(# H) is at least #': '最多 # 个，前提是 1 - sqrt(# H) 不小于 #',
  'q = # is below #: the last guess of the round': 'q = # 小于 #：这一轮的最后一个猜测',
  'a rejection among # is # likely, more than #': '# 个中出现拒绝的概率为 #，超过 #',
  'H = # nats: 1 - sqrt(# H) = # is below #': 'H = # nat：1 - sqrt(# H) = # 小于 #',
  '# accepted, more than #: one more': '接受 #，高于 #：多一个',
  '# accepted, less than #: one less': '接受 #，低于 #：少一个',
  "# accepted and q's entropy # nats, below #: one more": '接受 #，且 q 的熵为 # nat，低于 #：多一个',
  "# accepted, q's entropy # nats: as before": '接受 #，q 的熵为 # nat：不变',
  '# of # accepted: # less': '接受 #/#：少 # 个',
  'α = # so far promises #× here': '目前的 α = #，在这里预计 #×',
  'all # accepted: # more': '# 个全部被接受：多 # 个',
  'average # above #: one more': '平均 # 高于 #：多一个',
  'average # below #: one less': '平均 # 低于 #：少一个',
  'average # between # and #: as before': '平均 # 在 # 与 # 之间：不变',
  'a block has # places': '一块有 # 个位置',
  'a block has # blanks': '一块有 # 个空格',
  'there are # heads': '共有 # 个头',
  'the target has read nothing yet': '目标模型还没读过任何内容',
  "the draft model's context ends here": '草稿模型的上下文到此为止',

  '1 token of context, seen # times, # in this text': '1 个 token 的上下文，见过 # 次，本文中 # 次',
  '# tokens of context, seen # times, # in this text': '# 个 token 的上下文，见过 # 次，本文中 # 次',
  '1 token of context, seen # times': '1 个 token 的上下文，见过 # 次',
  'the last # tokens stood here before': '最后 # 个 token 前文出现过',
  'the last token stood here before': '最后一个 token 前文出现过',
  "the target's answer here, after # passes": '目标模型在此处的回答，经过 # 次前向传播',
  "the target's answer here, after 1 pass": '目标模型在此处的回答，经过 1 次前向传播',
  'any token: the target said nothing here yet': '任意 token：目标模型在此处还没有回答',
  'came up in the prompt; one of # groups in the pool': '出现在提示词中；池中 # 个片段之一',
  'came up in the last pass; one of # groups in the pool': '出现在上一次前向传播；池中 # 个片段之一',
  'came up # passes ago; one of # groups in the pool': '出现在 # 次前向传播之前；池中 # 个片段之一',
  "Head # of # read it off the target's last state.": '第 # 个头（共 # 个）从目标模型最后的状态读出。',
  "Head # of # read it off the target's last state and the guesses before.":
    '第 # 个头（共 # 个）从目标模型最后的状态和之前的猜测读出。',
  'Blank # of #, filled in one pass with the others.':
    '第 # 个空格（共 # 个），与其他空格在一次前向传播中填上。',
  'Read off a state imagined behind an imagined one.': '从接在设想状态之后的设想状态读出。',
  'Read off the state imagined next.': '从设想的下一个状态读出。',
  'Read off behind layer #; the check goes on from there.': '在第 # 层之后读出；验证从那里继续。',
  'after 1 update': '经过 1 次更新',
  'after # updates': '经过 # 次更新',
  'as it began: 1 update would not help': '与开始时相同：1 次更新无济于事',
  'as it began: # updates would not help': '与开始时相同：# 次更新无济于事',
  "the target's choice # after this token, in the prompt": '目标模型在该 token 之后的第 # 选择，取自提示词',
  "the target's choice # after this token, # round ago": '目标模型在该 token 之后的第 # 选择，# 轮之前',
  "the target's choice # after this token, # rounds ago": '目标模型在该 token 之后的第 # 选择，# 轮之前',
  "the target's choice # after this token, # round ago, as a guess not accepted":
    '目标模型在该 token 之后的第 # 选择，# 轮之前，来自未被接受的猜测',
  "the target's choice # after this token, # rounds ago, as a guess not accepted":
    '目标模型在该 token 之后的第 # 选择，# 轮之前，来自未被接受的猜测',
  '# of # places go on so, as in #: \u201c#\u201d': '#/# 处如此接续，例如 #：\u201c#\u201d',
  "the small model's own token": '小模型自己的 token',
  '# tokens matched; this followed # of # times; # of the draft expected to stand':
    '匹配 # 个 token；其后 # 次（共 # 次）是它；预计草稿中有 # 个保留',
  '# token matched; this followed # of # times; # of the draft expected to stand':
    '匹配 # 个 token；其后 # 次（共 # 次）是它；预计草稿中有 # 个保留',
});
