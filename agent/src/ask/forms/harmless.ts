// An unknown word stops an answer only if it could change the question.

import type { Question } from '../question.ts';

const dangers = [
  // Negation, condition, comparison.
  "(?:\\w*n't|'t|(?:do|does|did|is|are|was|ca|wo|ai|should|would|could|have|has)nt|not|no|nor|never|neither|none|nothing|without|except|besides|unless|until|till|if|once|when|whenever|while|after|before|since|although|though|but|than|versus|instead|rather|either|unlike|else|other|others|another|most|more|less|least|same|both|respectively|vs|only|over|under|above|below|between|near|around|about|like|better|worse|higher|lower)",
  // Another time.
  '(?:tomorrow|tonight|later|soon|will|shall|forecast\\w*|predict\\w*|future\\w*|ago|yesterday|past|noon|midnight|earlier|previous\\w*|once|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|week|weeks|month|months|year|years|january|february|march|april|june|july|august|september|october|november|december|until|target|eventually|ever|long|term|went|gone|been|hits?|reach\\w*|wait\\w*)',
  // Other sides and other actions on an asset.
  '(?:drop\\w*|leav\\w*|left|take|takes|taking|took|part|parts|parting|let|lets|letting|go|goes|going|went|give|gives|giving|gave|get|gets|getting|got|receiv\\w*|return\\w*|pay\\w*|paid|send\\w*|sent|close\\w*|closing|open\\w*|unwind\\w*|reduc\\w*|trim\\w*|turn\\w*|replac\\w*|move|moves|moving|moved|rotat\\w*|switch\\w*|diversif\\w*|redeem\\w*|settle\\w*|obtain\\w*|make|makes|making|made|put|puts|place|placing|list|lists|listing|use|uses|used|using|hold|holds|holding|held|keep\\w*|kept|stay\\w*|stake\\w*|staking|stak|lend\\w*|lent|borrow\\w*|trad\\w*|swap\\w*|convert\\w*|exchang\\w*|spend\\w*|spent|invest\\w*|undo\\w*|undid|revers\\w*|cancel\\w*|stop\\w*|end|ends|ending|cover\\w*|shed\\w*|accept\\w*|offer\\w*|bid\\w*|ask|asks|asked|rid|sold|bought|sell\\w*|buy\\w*|bu?y|purchas\\w*|sale|sales|rebuy\\w*|resell\\w*|reload\\w*|enter\\w*|exit\\w*|free|freeing|pull\\w*|hand\\w*|lose\\w*|losing|lost|loss\\w*|unload\\w*|avoid\\w*|into|from|out|off|away|back|in|to|up|down|against|through|position|want\\w*|need\\w*|chang\\w*|chas\\w*|hedg\\w*|average|averaging|double|doubling|add|adding|withdraw\\w*|deposit\\w*|transfer\\w*|mint\\w*|burn\\w*|bridg\\w*|wrap\\w*|approv\\w*|sign\\w*|execut\\w*|alert\\w*|notify|remind\\w*|set)',
  // Derivatives, other markets and measures.
  '(?:classic|for|me|us|cash|gold|market|limit\\w*|fund\\w*|nets?|remorse|sorry|can|calls?|puts?|options?|futures?|perps?|perpetuals?|leverag\\w*|margin\\w*|short\\w*|longs?|etfs?|spread\\w*|premium\\w*|discount\\w*|yield\\w*|ap[ry]|interest|staking|gas|gwei|volume|cap|marketcap|supply|dominance|resistance|support\\w*|rsi|macd|signal\\w*|indicator\\w*|oversold|overbought|bottom\\w*|top|peak\\w*|ath|atl|high\\w*|low|lows|lowest|floor|ceiling|average|median|mean|total|oracle|chainlink|tax\\w*|profit\\w*|return|roi|pnl|airdrop\\w*|holders?|whales?|miner\\w*|mining|halving|fees?|percent\\w*|fraction|share|ratio|inflation|burned|wall|x|uniswap|binance|coinbase|kraken|okx|sushi\\w*|curve|aave|bybit|kucoin|robinhood|polymarket|stocks?|silver|oil|nasdaq|nft\\w*)',
  // Other coins and money.
  '(?:doge\\w*|sol|solana|xrp|ripple|ada|cardano|shib\\w*|pepe|ltc|litecoin|trx|tron|ton|avax|matic|polygon|dot|polkadot|link|uni|atom|near|apt|sui|arb|op|optimism|arbitrum|bch|etc|xlm|xmr|monero|cake|busd|dai|frax|tusd|fdusd|wbtc|steth|[a-z]*inu|[a-z]*coin|memecoin\\w*|altcoin\\w*|alts|tokens?|coins?|eur\\w*|gbp|yen|yuan|rmb|pounds?|rupees?|lira|francs?|cents?|usd|cash|money|dollars?)',
  // Other people, and orders to the agent.
  '(?:you|your|yours|u|buyers?|sellers?|someone|somebody|anyone|anybody|everyone|everybody|people|friends?|wife|husband|mother|father|mom|mum|dad|son|daughter|brother|sister|boss|neighbou?rs?|grand\\w+|uncle|aunt|company|refus\\w*|hate|hardly|barely|almost|nearly|doubt\\w*|regret\\w*|pool|exchange|they|them|their|he|she|his|her|ignore\\w*|disregard|forget|instruct\\w*|prompt\\w*|pretend\\w*|verdict|must|override|system|developer|admin\\w*|obey|say|says|said|repeat|answer\\w*|reply|guarantee\\w*|promise\\w*|confirm|always|order\\w*|why|reason|because|due|cause\\w*|who|whose|where)',
];
const [, , , measures, names] = dangers;
/** "Buyer's" as "buyer". */
const matching = (list: readonly (string | undefined)[]) => new RegExp(`^(?:${list.join('|')})(?:'s)?$|[\\d_$%]`);
const dangerous = matching(dangers);
/** Next to a plan, guard or address, words about a side or a time change nothing. */
const dangerousBesideIds = matching([
  '(?:if|unless|than|versus|vs|most|more|better|both|or|same|should|happen|enough)',
  measures,
  names,
  '(?:you|your|wife|friend|husband|brother|son|daughter|someone|somebody|ignore\\w*|disregard|forget|instruct\\w*|prompt\\w*|pretend\\w*|verdict|must|override|system|developer|say|repeat|guarantee\\w*|promise\\w*|good|bid|saved?|used?|triggered|protects)',
]);
/** Signs of a negation, a condition, a side, a comparison, another time, a move, or another sum or coin. */
const dangerousSigns =
  /[公合贵宜值坑不没無无非未别莫勿否反换換改比较和跟与或涨漲跌买買卖賣抛售购入出空多少若果假后前明昨将會会曾过另其他它谁为因停取消删加减补还借贷清算杠杆倍率手费气油钱币元块百千万亿半成几每现金经典链狗年月周友婆爸妈哥姐弟妹邻板客孩亲父母老同欧易火所矿送]/u;
const signsBesideIds = /[若果假比和跟与停取消删换改另谁气油每明友婆爸妈哥姐弟妹邻板客孩亲父母老同年加]/u;

/** More unknown words may be a sentence of their own. */
const MAX_UNKNOWN = 6;
const MAX_BESIDE_TOPIC = 3;

/** What one does with a plan that does not exist yet. */
const starting = /^(?:start\w*|begin\w*|automatic\w*|arrange\w*|steps?|like|wish)$/;
/** Topics with a fixed reply, which does not depend on other words. */
const fixedTopics = ['stop', 'custody', 'fee', 'makeGuard'] as const;

/** Whether the understood part is complete and none of the other words could change it. */
export function areHarmless(question: Question): boolean {
  const { unknown, trades, items, plans, guards, addresses, topics, hinted, span } = question;
  if (topics.has('makePlan') && unknown.every((word) => starting.test(word))) return true;
  const isOther = (['stop', 'makePlan', 'makeGuard'] as const).some(
    (topic) => hinted.includes(topic) && !topics.has(topic) && !(topic === 'makeGuard' && guards.length > 0),
  );
  if (isOther) return false;
  const ids = plans.length + guards.length + addresses.length;
  const assets = trades.length + items.length;
  const isOfId = ids === 1 && assets === 0 && !(plans.length > 0 && topics.has('fair'));
  const isFixed = ids + assets === 0 && fixedTopics.some((topic) => topics.has(topic)) && unknown.length <= 2;
  const [latin, signs] = isOfId || isFixed ? [dangerousBesideIds, signsBesideIds] : [dangerous, dangerousSigns];
  if (unknown.some((word) => (/\p{Script=Han}/u.test(word) ? signs : latin).test(word))) return false;
  if (isOfId || (trades.length === 1 && items.length + ids === 0 && question.isJudged))
    return unknown.length <= MAX_UNKNOWN;
  if (unknown.length > MAX_BESIDE_TOPIC || ids > 0) return false;
  const isOfPast = assets === 1 && (topics.has('moved') || span !== undefined);
  return (
    isFixed ||
    isOfPast ||
    (trades.length === 1 && assets === 1 && topics.has('largest')) ||
    (assets === 1 && question.language === 'zh' && topics.size > 0)
  );
}
