// What English questions are made of, as data. Marks stand for what was taken out before (slots.ts, trades.ts): A asset, D dollars, B a number
// without a unit, C a percentage, X address, L plan, G guard, T trade, W price that moves, H target health, V price that is named.

import { lendingNames } from '@bowline/core/registry/lending';
import type { Named } from '../question.ts';
import { replacementsOf, rowsOf } from '../rows.ts';

/** Words written otherwise: the word, and how else. */
const spellings = `
price: px prise pirce prcie; health: hf; liquidation: liq liquidatoin liqudation; average: avg; will: wil; last: lst; next: nxt;
the: teh; when: wen; which: wich; much: mutch mcuh; should: shud shld shoud shuold; what: wut wat waht; plan: pln plna;
change: chg chng
`;
const spelt = new Map(
  spellings.split(';').flatMap((line) => {
    const [word = '', others = ''] = line.trim().split(': ');
    return others.split(' ').map((other) => [other, word] as const);
  }),
);

/** One meaning written in another way, before anything is read. None names a side, an asset or a number. */
const rewrites = replacementsOf(String.raw`
\b(what|how|where|who|when|that|there|it(?='))'?s(?= ) → $1~is
\b(i)'?m\b → $1~am
\b(overpay(?:ing)?|ok|okay|fine|fair|deal|much) if (?=i\b) → $1~
 ?\/ ?usd[tc]?\b → ~price
\b(buy|sell)(?: \1)+\b → $1
\ba single\b → one
\bshall (?=i\b|we\b) → should~
\bwill i (?=overpay|be (?:ripped|scammed|overcharged)|get (?:ripped|scammed|fleeced|a (?:good|fair|bad|decent))) → do~i~
\b(?:can|could|would|will) (?:you|u) (?:please |kindly )?(?:check|say|find out|look|see) (?:if|whether)\b|\bsupposed to\b → ~
\bspend(?:ing)? on (?!gas|fees) → buy~
\b(?:one|a|1) (usd[ct]|tether) (?:(?:still|really|is|worth|equal to|at) )*(?:a|one|1) dollar → $1~pegged
\bhow (?:much|many) (?:dollars|usdt?|bucks) (?:do|would|can|will) (?:i|you|we) get for (?:an?|one|1) (?!quarter|half|tenth) → price~of~
\b(you|u) (?:guys|people|folks|all)\b → you
^y (?=no|not|did|is|has) → why~
\bsorry to (?:bother|disturb|ask)(?: you)?(?: (?:again|but))?\b,?(?: but)?|\b(?:my|our|the) (?:boss|friend|wife|husband|mum|mom|dad|partner|brother|sister|client|manager)s? (?:wants?|asks?|asked|would like) (?:me )?(?:to know )?(?:if|whether)\b|\bprice-?wise\b|\bmarket[ -](?=(?:buy|sell)ing\b)|\b(?:un)?till? now\b|\bto date\b → ~
\bwtf\b|\bwhat (?:the (?:hell|heck|fuck)|on earth)\b → what
\b(?:i am |are you )?(?:not )?sure (?:if|whether|that)?\b|\bwhether or not\b|\bfirst,? (?=(?:buy|sell)\b)|\bto you(?= ?[?.]|$)|\b(?:can|could|would) you (?=(?:judge|assess|trust|rate|explain) )|\bafter all\b → ~
\bdo(?:n.t| not) (?:tell|show|give)(?: me)? (?:the )?(?:price|value|history)(?: of)? (\w+),? (?:just |but |only )*tell me (?:whether|if) it is → $1
\bdo(?:n.t| not) (?:buy|sell) (\w+),? (?=(?:just|only|but) ) → $1~
\b(?:un)?safe not to (?=(?:buy|sell)\b) → fair~to~
\bwould (?:you|u) (?=(?:buy|sell|grab|dump)\b) → should~i~
\b(i|you|we)'?(?:d|ll|ve)\b(?<!\b(?:ill|id)) → $1
\bat present\b|\b(?:quite )?(?:honestly|frankly)\b|\b(?:about|around|roughly|approximately) (?=\$?\d) → ~
\bby (?:a )?half\b|\b(?:by )?(?:a )?half (?:of )?(?:its|their) (?:value|price)\b → by~50%
\bby (?:a )?quarter\b|\b(?:by )?(?:a )?quarter (?:of )?(?:its|their) (?:value|price)\b → by~25%
\bby (?:a )?third\b|\b(?:by )?(?:a )?third (?:of )?(?:its|their) (?:value|price)\b → by~33.33%
\bfor the week\b → last~week
\b(week|month)ly (?=performance|chart|change) → last~$1~
\bevery plan\b → all~plans
\b(?:got )?enough (?:usd[tc]|u|bnb)\b(?: for (?:the |its )?next (?:buys?|runs?|ones?|purchases?))? → enough~funds
\bgot enough\b → enough
\bto reach (?=(?:a )?health) → to~
\b(?:that )?(?:you|u)(?: would|.?d)? (?:still )?(?:call|consider|deem|find) (?=fair|safe|ok|a go) → still~
\bwhat are you able to help\b|\bwhat can you help\b|\bhow can you help\b → what~can~you~do
\b(?:(?:purchas|acquir)ing|enter(?:ing)?|go(?:ing)? all in on|buy(?:ing)? the dip in)(?= (?:my |the )*\w) → buying
\b(?:pull(?:ing)?|sell(?:ing)?|step(?:ping)?) out of\b|\bsell back\b|(?<=\b(?:i|to|we) )liquidate (?!my (?:loan|position|debt)) → sell~
\b(?:terrible|awful|lousy|horrible) (?=(?:time|moment|idea|price|deal)) → bad~
\brip off\b|\b(?:robbed|cheated|overcharged|robed|burned)\b → scammed
\bin (?:one|a single) (?:go|trade|shot|order)\b|\b(?:is it )?possible (?=to\b)|\b(?:simulate|stress(?:[ -]?test)?)\b(?=.*0x)|\bstress\b → ~
\bhave to (?:re)?pay(?: back)?(?= to\b) → must~repay
\bgood (?:morning|evening|afternoon|day)\b(?=.{12})|\bgoing (?=(?:price|rate)s?\b) → ~
(?<=^|\bi |\bi am )(?:gonna|going to|about to|will) (?=(?:buy|grab|purchase|pick up|sell|dump|offload|unload|get rid)\b) → to~
\b(?:if|when|once) (?:my |the )?(?:loan|health|position)(?: factor)? (?:(?:gets|falls|drops|goes|sinks|becomes|is) ?(?:worse|down|low|bad|too low|below)?)\b → ~
\b(?:i (?:am|want|do|would)(?: not|n.t)|not)(?: want)?(?: to)?(?: be)? (?:a )?(?:buy|sell)(?:ing|er)?(?: anything| it)?\s*[,.;!]*(?: (?:but|instead|no))?,? (?:i (?:am|want to|would) )?(?:a |the )?(?=(?:buy|sell)(?:ing|er)?\b) → ~
\b((?:buy|sell)(?:ing)?),? not (?:to )?(?:buy|sell)(?:ing)?\b → $1
\b(?:i am|as) (?:the |a )?(buy|sell)er\b → to~$1
\bwats\b → what~is
 n (?=\w) → ~and~
\bwan+a\b → want~to
\b(?:past |last )?fortnight\b → last~2~weeks
\bsince (?:this )?(?:morning|midnight)\b → last~24~hours
(?<!\bwhat\b.*)\b(?:may|can|could) i ask\b|\bif (?:it is no trouble|you (?:please|do not mind|don.t mind)|possible|i may)\b → ~
\bdump (?=the (?:\w+ )?(?:log|records?|history)\b) → show~
\bfor (?:the |a )?value of\b → worth
\bwrapped bnb\b → wbnb
\b(?:is|are|would) ?n.?t (?:it |this |that )?(?:a |an )?(?=rip|overp|scam) → is~
\b(?:cut in half|loses? half|lost half|halves|halved|gets? halved)\b(?: its value)? → falls~50%
\b(?:without|until|till?|before|b4|while) (?:the )?(?:price|it(?:'?s)?|that|this) (?:a )?(?:(?:is|goes|go|going|becomes|becoming|being|turns|turning|gets|getting|stays|still|no|more|longer|to|not|any|too) )*(?:unfair|bad|worse|fair|expensive|high|no_go)\b(?: price| deal)? → ~largest~
\b(?:at|up to|to) (?:what|which) (?:size|amount) (?:does|do|would|will|is) (.*?) (?:stops?|ceases?|stays?|remains?|becomes?|gets?|turns?|goes) (?:being |to be )?(?:fair|unfair|bad|too \w+|a no_go|no_go|a go)\b → ~largest~$1~
\bw\/(?= |\$|\d) → with
\bw\/o\b → without
\bhi(?:gh)?\s*[/&-]?\s*lo(?:w)?\b → high~and~low
\bgo\s*(?:\/|or|-)\s*no[ _-]?go\b → verdict
\bno[ -]go\b → no_go
\bno data\b → no_data
\ball[ -]?time\b → all_time
\bset ?-?up\b → setup
\bnow that\b → since
\bprice check\b → price
\bi(?: |')?(?:ve)? got\b → i~have
\b(?:double|sanity|quick)[- ]check\b → check
`);

export const rewritten = (text: string): string =>
  rewrites.reduce(
    (plain, [pattern, replacement]) => plain.replace(pattern, replacement),
    text.replace(/\b[a-z]+\b/g, (word) => spelt.get(word) ?? word),
  );

/** What a swap would pay, said in ways that look like a trade. */
export const quoted = replacementsOf(String.raw`
\bhow (?:much|many) (A\d+) (?:would|do|does|could|can|will|for) (D\d+)(?: (?:P|get|gets|give|gives|fetch))?(?: me| us)? → ~quote~$1~$2~
\bhow (?:much|many) (?:of )?(A\d+) (?:(?:can|could|would|will|do|does|i|we|one|P|get|receive|have|end up with|for|with|from|if i spend|spending|my|to) )+(D\d+) → ~quote~$1~$2~
(?:\bif i |\bwhen i )?\b(?:spend|pay|use|put|invest|swap|exchange|convert) (D\d+) (?:on|for|in|into|to) (A\d+) ?,? (?:how (?:much|many)(?: of it| A\d+)?|what) (?:do|would|will|can|could) i (?:get|receive|have|end up with)(?: back| out)? → ~quote~$2~$1~
(?:\bif i |\bwhen i )?\b(?:swap|exchange|convert|use|spend) (D\d+) ,? ?how (?:much|many) (A\d+) (?:(?:do|would|will|can|could|i|get|receive|have|end up with) ?)+ → ~quote~$2~$1~
(D\d+) ?,? (?:should|can|could) i (?:put|invest|spend) (?:it|this|that|them)? ?(?:all )?(?:into|in|on) (A\d+) → ~$1~P~$2~
\bi have (D\d+) ,? ?how (?:much|many) (A\d+) is (?:that|it) → ~quote~$2~$1~
\b(?:how much|what) (?:is|are) (D\d+) (?:in|worth of) (A\d+) → ~quote~$2~$1~
\b(?:quote|convert|swap|exchange)(?: me)?(?: a swap of)? ([DB]\d+) (?:into|to|for|->|→|in) (A\d+)(?!.*\b(?:fair|fairly|ok|okay|good|safe|should|worth|verdict)\b) → ~quote~$2~$1~
\bwhat (?:would|does|will|do) (A\d+) cost(?: me)?(?: in the pool)? to P\b|\bwhat do i pay for (A\d+) → ~quote~P~$1$2~
\bhow (?:much|many) M (?:(?:for|do|would|will|can|could|i|we|get|receive|from|out of|back|my) )+(A\d+) → ~quote~M~$1~
\bhow much would (D\d+) (?:P|get|give) (?:me )?(?:of|in) (A\d+) → ~quote~$2~$1~
`);

/** Words that sell or buy, as marks S and P. Past trades and other traders are none. */
export const sale =
  /\b(?:tak(?:e|ing) profits? (?:on|in)|ditch(?:ing)?|sell(?:ing)?(?: off)?(?!-[a-z])|dump(?:ing)?|(?:off|un)load(?:ing)?|get(?:ting)? (?:rid|out) of(?! (?:(?:my|the|this|that|all) )*(?:[LG]\b|plans?|guards?|dca))|cash(?:ing)? out(?: of)?|exit(?:ing)?(?: for)?|(?<!on |for )sales?(?: of)?|(?<=A\d+ |or |and )be sold|(?:as|for) (?:a seller|sellers)|(?<!\b(?:an?|my|our|the|this|that|any) )(?:go(?:ing)? )?short(?:ing)?(?: on)?(?= (?:my |the )*A\d))\b/g;
export const purchase =
  /\b(?:buy(?:ing)?(?!-[a-z])(?: (?:it )?back)?|purchas(?:es?|ing)(?: of)?|acquir(?:e|ing)|grab(?:bing)?|pick(?:ing)? up|get(?:ting)? into|invest(?:ing)? in(?:to)?(?= (?:the |some )*A)|entry(?: for| into)?|ap(?:e|ing) into|accumulat(?:e|ing)|load(?:ing)? up on|scoop(?:ing)? up|snag(?:ging)?|(?<=A\d+ |or |and )be bought|(?:as|for) (?:a buyer|buyers)|(?<!\b(?:an?|my|our|the|this|that|any) )(?:go(?:ing)? )?long(?:ing)?(?: on)?(?= (?:my |the )*A\d))\b/g;

/** What an asset does by itself: "what does A sell for", "A is dumping". */
export const itsOwn =
  /\b(?:(?:is|are) A\d+ (?:now |currently )?selling|(?:do|does) A\d+ sell)\b|A\d+ (?:is |are )?(?:now |currently )?sell(?:s|ing) (?:at|for)\b|A\d+ (?:(?:is|are|was|keeps?|now|still|just) )*dump(?:s|ed|ing)\b/g;

const lending = lendingNames.join('|').toLowerCase();
const funds = '(?:funds?|money|coins?|tokens?|keys?|assets?|crypto|wallet|savings|balance|capital)';
const yours = '(?:(?:my|the|our|any|of|users?|customers?|all|some|your|private|people|own) )*';
const you = '(?:(?:you|u|bowline|this (?:bot|agent|service|thing|app|site)|(?:the|your) (?:bot|agent|service))\\b)';
const source = "(?:(?:the )?oracles?|chainlink|pyth|(?:its|the) references?)(?:'s)?";
const standing =
  '(?:plans?|dca|guards?|L|G|access|permissions?|approvals?|allowances?|everything|it all|recurring (?:buys?|runs?)|automation)';
const stops =
  '(?:cancel|withdraw|stop|pause|end|delete|remove|revoke|kill|disable|terminate|shut down|turn off|switch off|undo|halt|quit|opt out of|get (?:out|rid) of|abort|close)';
const makes =
  '(?:create|make|setup|set|start|open|add|begin|schedule|automate|new|build|register|write|sign up for|configure)';
const each =
  '(?:every|each) (?:single )?(?:day|week|month|hour|monday|friday|morning|two weeks|other day|\\w+days?)|daily|weekly|monthly|hourly|regularly|automatically|on autopilot';

/** What a phrase is about. */
export type Topic =
  | Named<'hello assets fee custody who working stop makeGuard makePlan order largest limit lacks moved covered rescue total terms why next'>
  | Named<'funded quoted quote slip peg mine plans plan loan guards fair amount price future causes compared runs past status'>;

/** In this order; a match takes its words out of the text. */
export const phrases = rowsOf(String.raw`
hello → ^(?:(?:hi|hiya|hello|hey|yo|sup|gm|gn|good (?:day|morning|evening|afternoon)|thanks?|thank you|thx|cheers|ty|great|nice|cool|perfect|awesome|helpful|that (?:was|is)|there|again|bot|ser|sir|mate|very|much|so|a lot|ok|okay|[,.!])\s*)+$
assets → \b(?:what|which) (?:other )?(?:assets|tokens|coins|cryptos|symbols)(?: (?:do|can|are) (?:you|i|we)| are)?(?: (?:know|support|cover|check|judge|supported|listed|have|trade|ask))?(?: (?:you )?about)?|^(?:assets|tokens|coins)$|\blist (?:of )?(?:all )?(?:assets|tokens|coins)|\bsupported (?:assets|tokens|coins)|\bwhat do you (?:support|cover)
fee → \bwhat (?:does|do) (?:an? |your |each )?(?:answers?|questions?|verdicts?|calls?|requests?) cost\b|\b(?:is there |are there )?(?:a |any |the )?\bfees?\b(?: (?:on|for|per|with|in) (?:each|every|a|an|my|your) (?:T|P|S|run|trade|plan|swap|rescue|question|verdict|answer))?|\bwho pays(?: for)? (?:the )?gas\b|\bgas (?:fees?|costs?)\b|\bany (?:costs?|charges?|fees?)(?: for (?:me|this|users?|using(?: (?:you|this|it))?))?\b|\bsubscription\b|\bper (?:question|request|call|answer)\b|\bdo i (?:have to |need to )?pay\b(?! back)(?: (?:you|anything|something|for (?:this|it)))*|\bcharge\b(?: (?:per|for each|for a) (?:question|request|call|answer|trade|run))?|^\W*(?:fees?|charges|pricing)\W*$|\bhow much (?:do|does|will|would|must) ${you} (?:charge|cost|take|earn|keep)|\b(?:do|does|will) ${you} (?:charge|cost|take (?:a|any) (?:fee|cut|commission))(?: (?:me|us|anything|money|fees?|a fee|something))*|\bwhat (?:do|does) ${you} (?:charge|cost|take)|\b(?:what|how much) (?:does|would|will) (?:it|this) cost(?: me)?(?: to (?:use|ask)(?: you| this| it| bowline)?)?(?! (?:to|me to)\b)|\b(?:is|are) (?:${you}|it|this) (?:really |completely |totally )?free|\bfree (?:to use|of charge)|\bdo i (?:have to|need to|must) pay\b(?! back)(?: (?:you|anything|something|for (?:this|that|it)))*|\b(?:cost|price) (?:to use|of using|of asking|per (?:question|request|call|answer)|for (?:using|asking))(?: (?:you|this|it|bowline|a question))?|\b(?:your|any|service|the|hidden|there) (?:own )?(?:fees?|charges?|commissions?|pricing|cut|tariffs?)(?: structure)?|\b(?:what|how (?:much|high)) (?:is|are) (?:the |your )?(?:fees?|charges?|commissions?|pricing)|\bhow (?:do|does) ${you} (?:make|earn) money|\bwho pays (?:for )?(?:you|this)|^fees?$|\bbusiness model
custody → \b(?:is|are) (?:it|this|you) (?:safe|secure|ok) (?:to use|with|on|to trust)(?: ${you})?|\bgive (?:you|u) (?:my )?(?:private )?(?:keys?|seed|money|coins|funds)\b|\bget (?:my )?(?:money|funds|coins|tokens) (?:back|out)\b|\b(?:are|is) my (?:keys?|coins|funds|money|tokens) with (?:you|bowline)\b|\b(?:is|are) ${you} (?:really )?(?:safe|secure|trustworthy|reliable)(?: to use)?\b|\bhow (?:safe|secure) (?:is|are) ${you}|\bwho (?:has|have) access to my \w+|\b(?:do you )?(?:need|have|know|store|see) my (?:private keys?|keys?|seed phrase)|\b(?:do|does|can|could|will|would|are|is) ${you} (?:able to |ever )?(?:hold|holding|keep|have|store|control|own|take|steal|spend|move|access|touch|withdraw|lose|run (?:off|away) with|custody)(?: access to| control (?:of|over)| custody of)? ${yours}${funds}(?: (?:or|and) ${yours}${funds})*(?: away| without (?:me|asking|my (?:permission|consent)))?|\b(?:non-?)?custod(?:y|ial|ian)\b(?: or not)?|\bwhere (?:are|is) my ${funds}(?: (?:stored|kept|held))?|\b(?:is|are) my ${funds} safe(?: with (?:you|bowline))?|\bwho (?:holds|has|controls|keeps|owns) my ${funds}|\bdo you need my (?:private key|keys?|seed|password)|\bdo i (?:have|need) to (?:deposit|send|give|trust|transfer)(?: (?:you|my|any|money|funds|coins))+(?: (?:to )?(?:you|funds|money|coins))*|\bwhat happens to my ${funds} if ${you} (?:is|are|goes?|gets?) (?:hacked|down|offline|away|bankrupt)|\bcan i (?:trust you|lose my money)|\bwhat (?:stops|prevents|keeps) ${you} from (?:running (?:away|off) with|stealing|taking|spending) (?:my )?${funds}
who → ^help(?: me)?$|\bwhat can (?:this|it|this (?:thing|bot|agent|app|service|site)|bowline) do\b|\bwhat (?:can|do|could) (?:you|u) (?:do|know|answer|offer|tell)(?: for me| me)?|\bwhat (?:(?:kind|sort)s? of )?(?:questions? |things? )?(?:can|could|should) i ask(?: you)?(?: about)?|\bhow (?:do|can) i use (?:you|this)|\bwhat are you able to (?:do|answer)|\bwhat are your (?:features|capabilities|functions)|\bwhat to ask|\bwho am i (?:talking|speaking|chatting) (?:to|with)|\bwhat exactly (?:are|is) ${you}|\bwho (?:built|made|created|wrote|runs) (?:this|it)\b|\bwho (?:are|r|is|made|built|runs|operates|created|owns|is behind|develops) ${you}|\bwhat (?:are|is) ${you}(?: for| exactly| about| all about)?|\b(?:are|r) (?:you|u) (?:an? )?(?:real )?(?:bot|human|ai|person|robot|agent|machine|llm|chatgpt|real|scam)(?: person| being)?(?: or (?:an? )?(?:bot|human|ai|person))?|\bam i (?:speaking|talking|chatting) (?:to|with) (?:an? )?(?:person|human|machine|bot|robot|ai)(?: or (?:to |with )?(?:an? )?(?:person|human|machine|bot|robot|ai))?|\bwho exactly (?:are|is) ${you}|\b(?:tell me |talk )?(?:more )?about (?:yourself|bowline)|\bintroduce yourself|\bwhat (?:is|are) your (?:name|job|purpose|role|goal)|\bwhat do you do|\bhow (?:do|does) (?:you|bowline|this|it) work|\bdescribe yourself
working → \beverything (?:is )?(?:running|working)(?: (?:smoothly|fine|ok|okay|well|properly|normally))?\b|\b(?:is )?everything (?:ok|okay|fine|alright|good)(?: (?:with|at) ${you})?|\b(?:is|are) ${you} live(?: and \w+)?\b|\bare all systems go\b|\b(?:you|u) (?:alive|up|online|there|ok|awake|working)\b|\bdoes the (?:agent|executor|bot|service) (?:run|work)(?: right)?\b|\b(?:are|is) (?:${you}|everything|the (?:system|server|loops?|chain|executor)|your (?:system|server|service)|all) (?:still |currently |actually |all )?(?:working|up|online|alive|okay|ok|running|down|healthy|live|broken|fine|operational|awake|good|functional|offline)(?: and running)?(?: today)?|\b(?:do|does) (?:${you}|everything) (?:still )?work(?: properly)?\b|\b(?:system|service|agent|server|bot) (?:status|health|ok)|\b(?:status|health|state) of (?:the |your |this )?(?:agent|service|system|bot|server)|\bany (?:outages?|downtime|known (?:problems|issues))|^ping$|^status$|\bare you there|\bis (?:it|this) (?:working|up|down|online|running|alive|on)\b|\bis this thing on|\bstill (?:there|alive|running|working)
stop → \bstop (?:P|run\w*|investing)\b|\b(?:wallet|account|keys?|phone)(?: (?:was|is|got|has been|have been|may be|might be))+ (?:hacked|compromised|stolen|drained|phished)\b|\bshut (?:it|this|everything|all|all of (?:it|this)) (?:all )?(?:down|off)\b|\bdo(?: not|n.?t) want (?:(?:the|my|this|that|a|any) )?(?:plan|guard|dca|L|G)s?(?: to (?:run|act|go on|continue))?(?: any ?more)?\b|\bkill ?switch\b|\bwhat (?:happens|do i do) if i (?:want to )?(?:quit|stop|cancel|leave)\b|\bi (?:want to|wanna) (?:quit|stop|leave|cancel)\b|\b${stops}(?:ping|ing|ling|d)? (?:(?:my|the|this|that|all|every|any|a|an|of|our|active|standing|your|buying with|buying for|its) )*${standing}(?: (?:and|or) (?:my |the |all )*${standing})*|\bhow (?:do|can|could|to|would) (?:i )?(?:stop|cancel|pause|revoke|quit|undo)(?: (?:you|this|it|bowline|buying|the agent|everything))?|\b(?:stop|revoke|cancel) (?:everything|all|you|bowline|the agent)|\bemergency (?:stop|exit|button)|\bstop button|\bpanic button|\bi want out
rescue → \b(?:will|would|can|could|does|should|did|is) G (?:still |really |also |be able to )?(?:save|protect|help|guard|defend|rescue)(?: (?:me|us|my (?:loan|position)))?
makeGuard → \b(?:prevent|avoid|stop) (?:(?:my|the|a|being|getting) )*(?:liquidation|liquidated)\b|\b(?:put|place|set|install|attach) (?:a |an |my |the )?(?:loan )?guards?(?: (?:on|for|over|to) (?:my |the |a )?(?:loan|position|debt))?|\b(?:can you |could you |please )?(?:protect|guard|watch|secure|save)(?:ing)? (?:me|my loan|my position|us)(?: from (?:getting |being )?liquidat\w+)?|\b${makes}(?:ting|ing)? (?:up )?(?:(?:a|an|my|new|the|another|one|loan|up) )*(?:guards?|protection)(?: (?:for|on|of|over) (?:my|the|a|our) (?:loan|position|debt|borrow))?|\b(?:protect|guard|watch over|secure|safeguard|insure|defend)(?:ing)? (?:my|the|a|our) (?:loan|position|debt|borrow\w*|collateral)(?: from (?:liquidation|being liquidated))?|\bhow (?:do|can|to|could) (?:i )?(?:get|have|use|set) (?:a )?guards?|\b(?:want|need|get|draft|like) (?:a|an|another) (?:loan )?guard|\bavoid (?:being liquidated|liquidation)|\bautomatic(?:ally)? (?:repay|rescue|protection)\w*(?: (?:for )?my loan)?
plans → ^(?:are there |is there )?(?:any|what|which) recurring (?:buys|runs|purchases|plans)(?: setup)?
makePlan → \b(?:recurring|automatic|scheduled|periodic) T|\bT (?:${each})\b|\b(?:start|setup|create|begin|make|schedule|do|have) (?:a |an |my )*(?:recurring|regular|weekly|daily|monthly|automatic) (?:T|P|run|buy)|\bautomate (?:my |the |an? )*(?:A )?(?:purchases?|buys?|buying|P|runs?|T)(?: of A)?(?: (?:${each}))?|\bmake me (?:a |an )?(?:dca )?plan\b|\b(?:setup|create|start|make|have|want|schedule|automate) (?:a |an |my |some )*(?:recurring|regular|weekly|daily|monthly|automatic|repeating|scheduled|periodic) (?:A )?(?:buys?|runs?|purchases?|P|orders?|investments?|plans?)(?: of A)?|\b(?:recurring|automatic|scheduled|periodic) (?:buys?|runs?|purchases?|P|orders?|investments?)\b(?: of A)?|\b${makes}(?:ting|ing)? (?:up )?(?:(?:a|an|my|new|the|another|one|recurring|standing|weekly|daily|monthly|dca|savings|up|investment) )*(?:plans?|dca|recurring (?:buys?|runs?|runs)|standing orders?|buys?)\b(?: (?:for|of|into|in|that (?:buys|runs)|to (?:buy|run)) (?:D (?:of )?)?A)?(?: with D)?(?: (?:${each}))?(?: of D)?|\b(?:run|P|T|buy|invest|put)(?: (?:A|D|of|in|into|some|a|little))* (?:${each})(?: (?:of|in|into|for|A|D))*|\bdca (?:into|in) A(?: (?:${each}))?|\bhow (?:do|can|to) (?:i )?(?:dca|automate)(?: my (?:buys?|purchases?|P|runs?|investing))?|\b(?:want|need|draft|like|get|start) (?:a|an|another) (?:new )?(?:dca )?(?:plan|dca)|\bautomat(?:e|ic)\w* (?:buy|invest|purchas|run)\w*(?: (?:of )?A)?(?: (?:${each}))?
order → ^(?:please |kindly |now |just |go |can you |could you |i want you to |i need you to )*(?:transfer|send|withdraw|deposit|approve|execute|place|move|borrow|repay|lend|stake|mint|bridge|sign|rescue (?:my|the|this|that|it)|alert|notify|remind|(?:edit|modify|update|adjust|change|increase|decrease|raise|lower|double|halve|rename|clone|copy|resume|restart|extend|renew|liquidate|hack|fund|top up|trigger|activate|enable|reset|run|fire)(?! (?:the )?guard checks?)(?= (?:(?:my|the|this|trigger|threshold|amount|limit|of|loan) )*(?:[LGX]|plan|guard)\b))\b|(?<!^(?:sum|check|look|tell|show|explain|calculate|find|list|read|judge)\b.*)\b(?:for me|on my behalf)$|\b(?:how|where) (?:do|can|could|to|would|should) (?:i |we )?(?:S|P|T|swap|trade|borrow|repay|lend|stake)\b(?!.*\b(?:fair\w*|safely)\b)
largest → \b(?:what is |which is )?(?:a |the )?(?:fair|safe|good|reasonable) (?:size|amount)s?(?: (?:for|of|to))?\b|\b(?:before|until) it (?:gets|becomes|turns|stops being|is|would be) (?:unfair|too expensive|a no_go|no_go|a go|fair|not fair)\b|\b(?:what|which) (?:size|amount)s?(?: of)?(?: A)?(?= (?:can|could|may|should|would|is still|T))|\bhow (?:much|many)(?: of)?(?: the)? (?=T)|\bup to how (?:many|much)(?: M| dollars)?(?: of)?|\bhow many (?:M|dollars)(?: worth)? of(?= T)|\b(?:(?:what|which) (?:is|would be|are) (?:the )?)?(?:largest|biggest|max(?:imum|imal)?|most|highest|greatest)\b(?: (?:fair|safe|possible|amount|size|trade|order|quantity|sum|purchase|P|that|i|in|can|could|is|fairly|ticket|A|order|position)\b)*|\bhow (?:much|many)(?: of)?(?: A)? (?:can|could|may|might) (?:i|one|we)(?: still)? (?:(?:safely|fairly|sensibly|reasonably) )?(?=[SPT]|trade)|\bhow deep(?: is the A pool)?|\bhow (?:big|large)(?: (?:a|an|of a))?(?: (?:trade|order|purchase|A|P|S|T|position|amount))* (?:can|could|may|is|would)(?: (?:i|one|we|be|still|it|go|fair|the|before|stops|being|a GO))*|\bup to (?:what|which) (?:size|amount)|\bsize limit
limit → \bwhen (?:would|will|does|do|is) (?:X|i|my loan|it) (?:get |be )?liquidated|\b(?:at |below |under )?(?:what|which) (?:A )?prices?(?: level)?(?: (?:of|for) A)?\b(?=.*liquidat)|\b(?:at )?(?:what|which) (?:A )?prices?(?: (?:of|for) A)?(?: (?:am i|is it|is X|will i be|would i be|do i get|is my loan|does my loan get|will my loan be|gets|would my loan be|are we))* liquidated|\bliquidation (?:prices?|levels?|points?|thresholds?)|\bhow (?:far|much|low|deep) (?:can|could|may|must|does|would|do|will) (?:A|prices?|the price(?: of A)?|the market|my collateral)(?: have to| need to)? (?:fall|drop|go|crash|decline)(?: down)?(?: before| until| till| to)?(?: (?:they|someone|anyone|somebody|the protocol) (?:takes?|liquidates?|seizes?|sells?)(?: (?:my )?(?:collateral|loan|position))?)?|\bhow (?:close|near|far) (?:am i|is my loan|is X|is (?:it|that loan|the loan)|are we) (?:to|from)(?: being| getting)?(?: liquidat\w+)?|\bwhen (?:do|will|would|am) i (?:get |be )?liquidated
lacks → \bneeds? (?:how much |some )?(?:more|extra|additional) (?:collateral|money)\b|\bmissing\b|\bneed (?:to add )?(?:more|extra|additional) collateral\b|\bto (?:get|bring|raise|lift)(?= X)|\b(?:to )?(?:get|be|stay|bring it|get it)(?: back)? (?:up )?to(?= a? ?health)|\b(?:how much|what|how many)(?: more)?(?: (?:collateral|A|money|usdt|dollars?|M|debt|of (?:it|my debt)))?(?: (?:X|do|must|should|would|can|to|need|have|i|we|is|needed|be|extra|more|to be|he|she|they))* (?:add(?:ed)?|deposit|supply|top up|repay|repaid|pay (?:back|off|down)(?=.*\b(?:safe|health|liquidat\w*)\b)|put in)(?: or (?:add|repay|deposit))?(?: (?:more|collateral|back|A|M|to it))*|\badd (?:to be|to stay) safe|\bhow (?:do|can|could|to) (?:i )?(?:improve|raise|increase|fix|lift|rescue|save|get|make|bring) (?:my |the )?(?:health(?: factor)?|loan)(?: (?:safe|safer|up|back up|back to))*|\bwhat does (?:my|the|this) loan (?:lack|need)|\bmake (?:my|the) loan safer?|\b(?:top.?up|repayment) needed
peg → \b(?:at|worth|equal to) (?:exactly )?(?:a|one|1) dollar\b|\bD\d* flat\b|\b(?:off |lost |lose |losing |holding |hold |keep |near )?(?:its |the )*(?:dollar )?(?:de)?peg(?:ged)?\b|\bstable\b
moved → \b(?:history|historical|charts?|graph|trend\w*|perform\w*|candles?|ohlc|volatil\w*|swings?)\b(?: of)?|\bhow (?:has|have|did|is|was) A (?:been )?(?:done|do|doing|fared?|developed|evolved|moved|performed)|\bwhat did A do|\b(?:is|has|did|was|have|are|how (?:much|far) (?:has|did|is)) A (?:gone |go |been |went |going )?(?:up or down|up|down|rise|risen|rising|fallen|falling|fall|drop(?:ped|ping)?|mov(?:e|ed|ing)|chang(?:e|ed)|climb\w*|gain(?:ed)?|los[et]|pump(?:ed|ing)?|crash(?:ed|ing)?)(?: or (?:los[et]|gain(?:ed)?|down|up|fall(?:en)?|drop(?:ped)?))?(?: in price)?|\b(?:highest|lowest)\b|\bhighs?(?: and lows?)?\b|\blows?\b|\b(?:price |percent(?:age)? )?(?:change|movements?|moves?)\b
covered → \b(?:have|has|got) (?:the |any )?(?:funds|money|balance|cash)(?: to act)?\b|\b(?:is|are) (?:G|my guards?|the guards?) (?:fully )?(?:covered|funded|active|working|ready|able)|\b(?:enough|sufficient) (?:allowance|balance|funds|money|approval|usdt|M)\b(?:(?: and| or|,)? (?:allowance|balance|funds|money|approval))*
rescue → \bif G (?:was |were )?(?:triggered|called)\b|\bif called\b|\b(?:will|would|can|could|does) G (?:be able to )?pay(?: for)?\b|\brescu\w+|\b(?:will|would|can|could|does|is|should) (?:G|my guard|the guard) (?:still |really |also )?(?:going to |about to |due to )?(?:act|fire|step in|work|trigger|triggered|intervene|kick in|save|repay|help|protect|do|cover|pay back|be triggered|due|react|jump in|come in|run)\b(?: (?:me|my loan|it|something|anything|for me|now|back))*|\bwhat (?:would|will|does|is) (?:G|my guard|the guard) (?:do|doing)|\b(?:step(?:ping)? in|trigger(?:ed)?|preview|fire|intervene|act|simulate|(?<=G )due|repays?|pay back|called)\b
total → \bhow many times (?:did|has|have)\b(?: L)?|\b(?:accumulated|collected) by\b|\bper (?:A|unit|coin|token)\b|\bhow much A(?: has| did)? L(?: has)?(?: run| bought| get| got| collect)?(?: me)?|\bfrom L\b|\bsum up\b|\badd(?:s|ed)? up\b|\b(?:in )?total(?:s|ed)?\b|\b(?:spent|paid|bought) by\b|\baltogether|\bso far|\bin all\b|\bup to now|\baverag\w+(?: (?:price|cost|entry|buy|run))?|\bsum of|\bhow much (?:has|did|have) (?:L|my plan|the plan|it|i)(?: already)? (?:run|spent|spend|paid|pay|cost|accumulated?|bought|received?|invested)|\bmean price|\bhow much A (?:has|did) (?:L|my plan)(?: run| accumulate\w*| receive\w*| get| got)?|\b(?:accumulated|invested|spent|paid)\b
terms → \bhow many run\b|\b(?:when (?:does|will) L )?expir\w*
why → \bfrom run(?:ning)?\b|\b(?:got|was|were|been|is|keeps?|getting) (?:skipped|deferred|delayed|postponed|missed)\b|\bskipping\b|\bwait(?:ing|ed)\b|\bwasn.t\b|\bhold(?:ing|s)? (?:it |L )?(?:up|back)|\bheld up\b|\bblocking\b|\bin the way\b|\bdeferr?(?:ed|als?|ing)?\b|\bskipped\b|\bdelayed\b|\bwith reasons\b|\bgoing on\b|\bwhy\b|\bhow come\b|\bwhat (?:is|was|went) wrong\b|\bwhat (?:stopped|stops|blocks|blocked|prevents|prevented|delayed|is blocking|is stopping|keeps|kept)\b|\breasons?\b|\bwait(?:ed|ing|s)?\b(?= |$)(?<!or wait)|\b(?:skip(?:ped|s|ping)?|stuck|deferr?\w*|delay\w*|postponed?|miss(?:ed|ing)?|refus\w+|nothing|did ?n[o']t run|did not|didn'?t|has not|hasn'?t|not run(?:ning)?|has not run|does not|doesn'?t|is not|isn'?t|not been|never|not yet|no run|not)\b(?= ?.*\b(?:run|happen\w*|L|plan|execut\w*|slot|today|yesterday|last|it|bought)\b)|\bnothing (?:has )?happen\w*
next → \beta\b|\bhow (?:long|soon|many (?:hours|days|minutes))(?: (?:until|till|before|is it until|do i have to wait|to wait))*\b|\bschedule\b|\bwhen (?:is|are) (?:my|the) next\b|\b(?:be )?able to run\b|\b(?:when|what time) (?:is|are|will be)(?: (?:my|the|its))*(?= next\b)|\bnext (?:time|run|slot|execution|order|trade|one|buy|purchase|P)\b|\b(?:when|what time)(?: exactly)? (?:does|will|is|do|can|should|are) (?:L|my plan|my plans|the plan|it|they|my dca|i)(?: going to| due to| due| next| planned to| scheduled to)*(?: run| execute| again| happen| fire| start)*|\bnext\b|\boutlook\b|\bupcoming\b|\bagain\b|\bdue\b|\bscheduled\b
terms → \b(?:active|paused?|cancell?ed|expir\w*|how often|owners?|owns?|whose|who|belongs?|terms|settings|slippage(?=.*\bL\b)|(?<=\bL\b.*)slippage|frequency|period|interval|left|remain\w*|how many (?:times|runs)|exists?|is there (?:a )?L|details?|describe|configured|set to)\b(?: to)?|\b(?:what|which|how much) (?:does|is|will|do) L(?! +·)(?: set to)?(?: do| run| spend)?
funded → \bhow many (?:more )?(?:times|runs) (?:will|can|could) (?:L|my plan|it) (?:still )?run(?: with (?:my|the|this) (?:balance|money|funds|usdt))?|\benough (?:money|funds?|balance|budget|M|cash)(?: left| remaining)?|\b(?:enough|sufficient) (?:money|funds?|balance|budget|usdt|M|cash)|\b(?:money|funds?|balance|budget|usdt|M)(?: is| are)? (?:left|remaining|enough)|\bfunded\b|\bhow long (?:will|do|does|can) (?:my |the )?(?:money|funds?|balance|budget|M)? ?last|\brun(?:ning)? out of (?:money|funds|M)
quoted → \bquot(?:e|ation|es)\b(?: (?:for|on|to|of))?
quote → \bif i T(?=.*\b(?:what|how much) )|\b(?:how (?:much|many)(?: (?:usdt|usd|dollars?|M|bucks|stablecoins?))?|what|how many of it) (?:would|do|could|can|will|does) (?:i|we|one|you) (?:get|receive|end up with|be paid|be given)(?: (?:out of|out|back|for|if i|when i|in return for|from|if|when))*|\bwhat (?:would|does|will) (?:it )?cost(?: me)? to (?=T)|\bhow (?:much|many) (?:A|M) (?:for|with|from|do|would|can|could|will|does|i|we|get|receive|buy|you|me)+\b(?: (?:i|we|get|receive|buy|for|from|with|me|if|out of|you))*|\b(?:give|gives|get|gets|buys?) (?:me |us )?(?:how (?:much|many)|what)|\bhow much (?:would|will|do|does|could) (?:it )?(?:give|pay|land|arrive|come out)\b|\bproceeds\b|\bexpected output(?: for| of)?|\bif i (?=T.*\b(?:what|how much)\b)|\bwhat (?:comes|would come|will come) out\b
slip → \bwithout (?:much |any |too much )?(?:slippage|(?:price )?impact)\b|\benough (?:depth|liquidity)\b|\b(?:price )?impact\b|\b(?:how (?:bad|big|high|large|much) is (?:the )?)?(?:price impact|slippage)(?: (?:when|if|on|for))?\b|\b(?:(?:is not|isn.t|not) )?(?:being |been )?manipulated\b(?: (?:the )?(?:A )?pool)?|\b(?:someone |somebody )?manipulat\w*(?: (?:the )?(?:A )?pool)?|\bpool (?:been |being )?manipulated\b|\b(?:for|in) the pool\b|\bthe pool (?:take|absorb|handle)\b|\bthe pool\b(?= safe)|\bmoving the price\b|\bslippage\b(?: (?:when|if|on|for))?|\bdepth\b|\bdeep\b(?: enough)?|\bliquid(?:ity)?\b|\btamper\w*|\bpushed\b|\bhow much (?:do|would|will|could) (?:i|we) lose\b
mine → \bmy (?:plans|runs|dcas|guards)\b|\bplans do i\b|\bplans (?:of mine|i have)\b
plans → \b(?:all|which|what|any|list|every|show|standing|recurring) (?:(?:all|the|of|my|dca|standing|recurring|scheduled|every|any) ){0,4}(?:plans|orders|dca plans?|dca plan)(?: (?:there )?(?:are|exist|do i have|are there|does X have|there are|have i|on chain|set up|setup))*|\bplans (?:of|owned by|by|for)|\bhow many plans|\bscheduled\b|\bplans\b
plan → \bplan\b|\bdca\b
loan → \b(?:(?:close|near) to )?(?:get |gets |be |being |getting |got )liquidat\w+|\b(?:close|near) to liquidat\w+|\b(?:am i|will i|would i|could i|can i|might i|is X|is it|do i)(?: about to| going to| at risk of| in danger of)*(?: be| get| being| getting)* liquidat\w+|\bloans?\b|\bborrow\w*|\bhealth\w*(?: factor| score| rate)?|\bliquidat\w*|\bcollateral\w*|\bdebts?\b|\bow(?:e|es|ed|ing)\b|\b(?:at )?risk(?:s|ed)?\b|\bin danger\b|\bdanger\b|\bposition\b|\b(?:${lending})\b|\bcooked\b|\bunderwater\b|\brepa(?:y|id)\b
guards → \bguards?\b(?: (?:on|for|of))?|\bguarded\b|\bprotect(?:s|ed|ion)?\b
fair → \b(?:pool )?(?:price )?(?:far|differ\w*|agree\w*|diverg\w*|deviat\w*|off)(?: A)?(?: (?:from|with|on|than)) ${source}|\bhow far is A from ${source}|\b${source} (?:agree|differ|diverge)(?: on)?(?: the price(?: of)?)?|\bwithout (?:overpaying|getting (?:a bad price|ripped off|rekt|fleeced|scammed)|(?:mov|crash|hurt|tank|affect|push|kill|wreck|shift|drain)ing (?:the )?(?:price|market|pool)(?: (?:much|too much|down|up))?|(?:much |too much )?(?:slippage|impact)|losing (?:much|too much|money))|\b(?:be )?smart\b|\b(?:be |being )?treated fairly\b|\b(?:still )?(?:get|be|gets|getting|a) (?:a )?go\b|\btake profits?\b|\b(?:how|what) about\b(?=.*\b[TA]\b)|\b(?:getting|get|gonna get|be) (?:rekt|ripped|rip-?off|scammed|fleeced|screwed)(?: off)?|\b(?:good|best|fair|right|decent|sane|legit) (?:or bad|or not|rate)|\b(?:your )?(?:thoughts|opinion|advice|recommendation)\b(?: on)?(?= T)|\bdecision\b|\ba steal\b|\bworthwhile\b|\battractive\b|\badvisable\b|\brecommend\b|\bpass(?:es)? (?:all )?(?:your |the )?checks\b|\bapprove of\b|\banything (?:fishy|wrong|odd|strange|suspicious|off)\b(?: (?:with|about))?|\b(?:to hold|(?:the )?market (?:is )?treat\w* me)\b|\bshould\b(?= (?:T|A \S+ [SP]))|\b(?:how )?risky\b|\bdangerous\b|\bno_go\b|\bstale\b|\b(?:safe|sound|fair) pool\b|\bfair(?:ly|er|ness)?\b(?: valued?| deal| price[ds]?)?|\bunfair\b|\bover-?(?:pric|valu)(?:ed|ing)\b|\bunder-?(?:pric|valu)(?:ed|ing)\b|\bmis-?(?:pric|valu)ed\b|\b(?:over|fair|under)-? ?or (?:over|under)-?(?:pric|valu)ed\b|\bexpensive\b|\bpricey\b|\bcheap(?:ly)?\b|\bsteep\b|\b(?:un)?safe(?:ly)?\b|\bshould (?:i|we|one)\b|\b(?:good|bad|right|great|wrong|fine|nice|decent|sensible|sane|stupid|dumb|okay|ok|reasonable|smart|best) (?:time|idea|value|price|deal|moment|buy|opportunity|point|entry|choice)\b(?: now)?|\bbargain\b|\bworth (?:buying|selling|it)\b|\bverdict\b|\b(?:run )?(?:your |the )?(?:guard )?checks?\b(?: (?:on|if|whether|for))?|\bfishy\b|\bsuspicious\b|\btrust(?:worthy)?\b|\breasonabl[ey]\b|\bsensible\b|\bjustified\b|\b(?:ok|okay|alright)\b|\brip-?off\b|\bscammed\b|\boverpay(?:ing)?\b|\b(?:getting |be |being |get )?ripped off\b|\bwise\b|\b(?:insane|dumb|stupid|crazy|silly|foolish)\b|\bpass\b$|\b(?:pool )?price (?:close|near|equal|similar) to (?:the |its )?(?:market|real|true|fair)(?: (?:price|value))?|\b(?:am i |do i |would i |will i )?(?:getting|get|gets|got) an? (?:decent|good|fair|bad|ok|okay|great|awful|terrible) (?:price|deal|rate)\b|\bhurts?\b|\bsane\b|\b(?:your )?take on\b|\bfine\b|\b(?:any ?where )?(?:near|at|around|off|for|from) (?:its|the|a) (?:real|fair|true|actual) (?:value|price|worth)\b|\b(?:does |will |would )?the price (?:still )?(?:hold|stay)s? (?:up|ok|fair|stable)\b|\bgo (?:for it|ahead)\b|\b(?:is it |is A )?a go\b|\bany good\b|\bjudge\b|\bassess\b|\bevaluate\b|\bdecent\b|\bgood\b|\blegit\b|\bany good\b|\bmakes? sense\b|\bhonest\b|\bproper\b|\bcorrect\b|\bnormal\b|\ball right\b|\bthoughts on\b|\bwhat do you think (?:of|about)\b|\btoo (?:high|low|much|late|early)\b|\bat a (?:good|fair) price\b
amount → \bhow much\b|\bhow many (?:dollars|usd|bucks|M)\b
price → \b(?:(?:on pancake\w* )?(?:the )?same as(?: on)?|compares? (?:with|to)|(?:does|do|is)) ${source}(?: (?:report|say|show|quote)s?)?(?: for)?|\bin M\b|(?<=A )usd$|\bdollar value\b(?: of)?|\bprices?\b(?: (?:of|for))?|\bpriced\b|\bcosts?\b|\bworth\b|\bvalue\b(?: of)?|\btrad(?:es?|ing)\b(?: (?:at|for))?|\b(?:exchange )?rate\b|\bspot\b|\bwhat is A at\b|\bgo(?:es|ing)? for\b|\bwhere is A\b|\bvalued\b
future → \bwill\b|\bgoing to\b|\bgonna\b|\b(?:predict|forecast)\w*|\btomorrow\b|\btonight\b|\bsoon\b|\blater\b|\bby the end of\b|\b(?:in|within) (?:an?|one|two|three|five|ten|the coming) (?:hours?|days?|weeks?|months?|years?)\b
causes → \bbecause of what\b|\bwhat (?:made|makes|caused|drove)\b
compared → \bcompar\w+|\bvs\.?\b|\bversus\b|\bbetter\b|\bthan\b|\brelative to\b|\bor rather\b|\binstead\b
runs → \bwhen (?:did|was) L\b|\brunning\b|\bgo(?:es|ne)? through\b|\bthrough\b|\b(?:explain|slots?|anything|something|everything|ever|go|pay|buys?|since (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b|\b(?:happen(?:ed|s|ing)?|runs?|ran|records?|has|history|execut\w*|fail\w*|last|latest|bought|results?|already|yet|recent|newest|been|log|work(?:ed|ing)?|doing|going|done)\b
past → \b(?:did|was|were|had)\b|\bi (?:already |just )?(?:sold|bought)\b
status → \b(?:status|overview|summary|info(?:rmation)?|show|list|about|check|look|how)\b
`) as readonly (readonly [Topic, string, ...string[]])[];

/** Phrases and words that change nothing. A word in no list stops the answer if it could change the question. */
export const idle: readonly RegExp[] = [
  /\b(?:can|could|would|will) (?:you|u) (?:please |kindly )?(?:tell|show|check|give|let|help|say|explain|look|find|list|have a look)(?: (?:me|us|up|at))*(?: know)?(?: (?:if|whether|how))?\b/g,
  /\b(?:do|would|did) (?:you|u) (?:think|say|reckon|believe|know|recommend|advise|consider|suggest)(?: (?:that|if|whether|of|about))?\b/g,
  /\b(?:tell|show|give|let|help)(?: me| us)+(?: know)?(?: (?:about|if|whether))?\b/g,
  /\b(?:i|we) (?:am|was|are|were|have been)? ?(?:wondering|thinking|curious|considering|planning|looking|interested|tempted|about|trying|want(?:ing)?|need|wish|plan|intend|wonder|like|love|going)(?: (?:of|about|to|in|if|whether|know|see|how|what|is))*\b/g,
  /\b(?:right now|at (?:the|this|that) (?:moment|point|time|price|level)s?|at (?:current|these|today) (?:prices?|levels?)|these days|for now|as of now|as we speak|or (?:not|nah|no)|y\/n|yes\/no|yes or no|let me know|in (?:short|general|dollars|usd|us dollars)|in (?:the|your) (?:pool|opinion|view)|thank you|good (?:morning|evening|day|afternoon)|by the way|(?:could|can|may) i (?:get|have|see)|thinking(?: (?:of|about))?|i (?:hold|own)|(?:before|until) it (?:gets|becomes|turns|stops being|is) (?:unfair|too expensive|a no_go|no_go|a go|fair|not fair)|(?:that )?you(?: would|d)? (?:still )?(?:approve|accept|allow|call fair|give a go|say go)(?: to| of)?|(?:could|can|may) i (?:get|have|see)|(?:i am )?(?:thinking (?:of|about)|considering|planning (?:to|on))|i (?:hold|own)|(?:before|until) it (?:gets|becomes|turns|stops being|is) (?:unfair|too expensive|a no_go|no_go|a go|fair|not fair)|(?:that )?you(?: would|d)? (?:still )?(?:approve|accept|allow|call fair|give a go|say go)(?: to| of)?|at once|in one go|i have|have|i own|in dollars|in usd|right away|or (?:wait|hold|keep)(?: it| them)?|hold or|(?:on|at) (?:pancakeswap|bnb chain)|my (?:address|wallet|account|borrower)(?: is)?|the (?:address|wallet|account) is|address|wallet|account|borrower|check (?:if|whether))\b/g,
  /\b(?:a|an|the|whether|report|this|that|these|it|its|is|are|am|be|do|does|i|me|my|mine|we|us|our|to|of|on|at|in|and|or|so|then|now|today|currently|current|please|pls|plz|hi|hello|hey|there|here|just|really|very|quite|any|some|for|as|with|atm|rn|thanks|thx|sir|mate|bro|dude|buddy|yo|can|could|would|may|one|what|which|well|also|too|much|bit|little|lot|such|actually|exactly|number|gm|tell|say|want|need|know|think|quick|quickly|minute|question|time|moment|still|pancakeswap|token|coin|crypto|chain|trade|see|latest|hmm|um|uh|thing|man|guys|folks|team|kindly|ser|all|how|factor|yes|no worries|safer|worried|only reads?)\b/g,
];
