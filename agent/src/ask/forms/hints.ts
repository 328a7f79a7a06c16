import type { FixedTopic } from '../question.ts';
import { rowsOf } from '../rows.ts';

/** Words that hint at the topic of a question that is not understood. Their matches are offered as choices, never answered. */
export const hints = rowsOf(String.raw`
stop → cancel|\bany ?more\b|no longer|\bstop|pause|revoke|\bquit|undo|unsubscrib|turn.{0,9}off|delete|remove|\bend\b|取消|停|撤销|退出|关闭|终止
makePlan → recurring|weekly|daily|monthly|\bevery\b|\bdca\b|automat|regular|schedul|creat|set ?-?up|\bnew plan|定投|创建|新建|自动|定期|每[天周月个]
makeGuard → protect|\bguard|(?:avoid|prevent|stop).*liquidat|保护|守护|(?:避免|防止)
fee → \bfees?\b|\bgas\b|commission|percentage|\bcut\b|抽成|费|一次多少钱|\bfree\b|charge|\bcosts?\b.*(?:use|you)|commission|pricing|\bpay (?:you|for)|(?:你|服务|bowline).*费|收费|免费|收钱
custody → \bfunds?\b|\bkeys?\b|trust|custod|steal|hack|scam|\bhold my|(?:my|users?'?) (?:money|coins|wallet)|资金|私钥|托管|保管|偷
working → \bwrong with\b|\bworking\b|\bdown\b|online|alive|broken|outage|operational|正常|在线|故障
who → \bwho\b|\bbehind\b|\byou (?:do|for)\b|\bquestions?\b|哪些问题|功能|about you|yourself|bowline|\bhuman|\bbot\b|谁|介绍
`).map(([topic, pattern]) => [topic as FixedTopic, new RegExp(pattern)] as const);
