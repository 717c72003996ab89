/**
 * words.js: the page in Simplified Chinese: the tables of base, trace, page and stage, in the same shape;
 * tabs/zh has the rest. Pure. Chinese punctuation; a space between Chinese and Latin letters or numbers;
 * “token” stays, as people say it.
 * guess 猜测 · draft model 草稿模型 · target 目标模型 · big, small model 大模型、小模型 · pass 前向传播 · check, test 验证 (检验 is
 * a statistician's) · accept 接受 · reject 拒绝 · drop 丢弃 · replacement 替换 · bonus 奖励 token · what is left of p
 * p 的剩余（残差）· roll back 回滚 · entry 条目 · overlap 重叠 · distribution 分布 · plain decoding 普通解码 · shared noise
 * 共享噪声 · lossy 有损 · speed-up 加速比 · branch 分支 · level 层 · lane of a race 赛道, of a chart 走势图 · run 运行 · round
 * 轮 · draw 采样 · samples 样本 · acceptance 接受率. Names of methods and parameters stay as they are.
 */

import * as guide from './guide.js';
import { heads } from './heads.js';
import { quiz, sheet, tour } from './quiz.js';
import * as run from './run.js';
import * as say from './say.js';
import * as stage from './stage.js';

export const words = { ...stage, ...run, ...guide, ...say, quiz, sheet, tour, heads };
