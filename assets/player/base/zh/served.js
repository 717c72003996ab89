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

  'built-in demo pair': '内置演示模型对',
  '# and # parameters, ships with specviz': '# 与 # 个参数，随 specviz 提供',
  'loading the models; a first run compiles for about ten seconds': '正在加载模型；首次运行要编译约十秒',
  'measuring: 4 runs each, alternating with plain decoding': '正在测量：各运行 4 次，与普通解码交替进行',
  'only a finished run can be measured': '只有完成的运行才能测量',
  'this run is no longer kept on the server': '服务器已不再保存这次运行',
  'one run of yours is already waiting; let it finish, or stop it':
    '你已有一次运行在等待；请等它完成，或停止它',
  '# runs are already waiting, the most allowed; play this one meanwhile, and try again in a minute':
    '已有 # 次运行在等待，达到上限；请先播放这一个，一分钟后再试',
  'the prompt is empty; write at least one character': '提示词为空；请至少输入一个字符',
  'the prompt has # characters; at most # are allowed': '提示词有 # 个字符；最多允许 # 个',
  'the prompt has # tokens; wanted 1 to #': '提示词有 # 个 token；应为 1 到 # 个',
  'the prompt holds a lone surrogate, which is not text; remove it':
    '提示词里有一个孤立的代理项（surrogate），它不是文字；请删除',
  "the prompt has token #, #, but #'s target knows #; leave that out, or choose another pair":
    '提示词含 token #（#），但 # 的目标模型只认得 # 个；请删除，或换一对模型',
  'the prompt, # characters, did not fit into memory beside the models; a shorter one, or a smaller pair under Models, takes less':
    '提示词（# 个字符）与模型一起放不进内存；缩短提示词，或在“模型”里换较小的一对',
  'it did not fit into memory; a smaller tree, or a smaller γ, takes less':
    '内存放不下；较小的树或较小的 γ 占用更少',
  '# guesses did not fit into memory': '# 个猜测放不进内存',
  "the models could not be made ready; the server's log says why": '模型无法就绪；原因见服务器日志',
  '# requests from your network are already waiting, the most allowed; try again when some are done':
    '来自你所在网络的 # 个请求已在等待，达到上限；等其中一些完成后再试',
  'too many of your questions are already waiting; let them be answered first':
    '你已有太多问题在等待；请先等它们得到回答',
  '0, or shared noise (the rule coupled): elsewhere the guesses of # never come to rest':
    '0，或共享噪声（规则 coupled）：否则 # 的猜测永远停不下来',
  'the pairs could not be listed': '无法列出模型对',
  '# is not in memory; choose it under Models, and run once it is ready':
    '# 不在内存中；请在“模型”里选它，就绪后再运行',
  '# needs about # on #, which has # free; choose a smaller pair, another device or dtype':
    '# 约需 #（#），可用仅 #；请换较小的一对、其他设备或 dtype',
  'needs about # on #, which has # free': '约需 #（#），可用仅 #',
  "# of memory, # and #; suits a laptop's CPU": '需 # 内存，#、#；适合笔记本电脑的 CPU',
  "# of memory, #; suits a laptop's CPU": '需 # 内存，#；适合笔记本电脑的 CPU',
  "# of memory, #; suits a desktop's CPU, any GPU": '需 # 内存，#；适合台式机的 CPU 或任何 GPU',
  '# of memory, #; suits a GPU of 24 GB': '需 # 内存，#；适合 24 GB 的 GPU',
  '# of memory, #; suits a GPU of 24 GB, ZeroGPU; with heads for # and #':
    '需 # 内存，#；适合 24 GB 的 GPU、ZeroGPU；附 # 和 # 的附加头',
  'your own, with a head for #': '你自己的，附 # 的附加头',
  'your own': '你自己的',
  'looking at both models': '正在查看两个模型',
  'reading the weights': '正在读取权重',
  'compiling the forward pass for this processor, once': '正在为本机处理器编译前向传播，仅此一次',
  'fetching #': '正在获取 #',
  'this pair has no #; choose another drafter': '这对模型没有 #；请换一种猜测方法',
  'no # were trained on this target; choose another drafter': '这个目标模型没有训练过 #；请换一种猜测方法',
  'this machine decodes the run differently, so it cannot be timed as it was recorded':
    '本机的解码结果与这次运行不同，无法按录制的结果计时',
  'the run took # s, too long to repeat # times here; ask for fewer tokens':
    '这次运行用了 # 秒，太长，无法在这里重复 # 次；请减少 token 数',
  'stopped after # s, as others are waiting for the models; ask for fewer runs, or fewer tokens':
    '# 秒后停止，因为有人在等模型；请减少运行次数或 token 数',
  '# of # samples in # s; ask for fewer samples, or for another token':
    '#/# 个样本，用时 # 秒；请减少样本，或换一个 token',
  '# is #; wanted one of #': '# 是 #；可选：#',
  '# is #; wanted a whole number from # to #': '# 是 #；应为 # 到 # 的整数',
  '# is #; wanted a whole number': '# 是 #；应为整数',
  '# is #; wanted a number': '# 是 #；应为数字',
  '# is #; wanted # to #': '# 是 #；应为 # 到 #',
});
