/** Words that this agent gave a meaning, in both languages: what `meaningOf` finds is told in these sentences. */
export const glossary: Readonly<Record<string, { readonly names: string; readonly en: string; readonly zh: string }>> =
  {
    verdict: {
      names: 'verdicts?|评估|裁定|判定|结论|裁决',
      en: 'A verdict says whether a trade of one size is fairly priced now: GO, CAUTION, NO_GO or NO_DATA. It compares what the pool pays with independent prices (Chainlink, an exchange, Pyth) and follows from fixed rules, so anybody can work it out again from its evidence.',
      zh: '评估说明某一规模的交易现在价格是否公平：GO、CAUTION、NO_GO 或 NO_DATA。它把资金池的成交价与独立价格（Chainlink、交易所、Pyth）比较，规则固定，任何人都能用证据重新计算。',
    },
    go: {
      names: 'go',
      en: 'GO: every check passes, so the trade is fairly priced at that size, now.',
      zh: 'GO：所有检查都通过，这个规模的交易现在价格公平。',
    },
    caution: {
      names: 'caution',
      en: 'CAUTION: a check is past its warning line but within its limit. Plans wait; a person may accept it.',
      zh: 'CAUTION：有检查超过警戒线，但仍在限度内。计划会等待；个人可以自行接受。',
    },
    no_go: {
      names: 'no_go|no[ -]go|nogo',
      en: 'NO_GO: a check fails, so the trade is not fairly priced at that size. Nothing is executed and no calldata is given.',
      zh: 'NO_GO：有检查不通过，这个规模的交易价格不公平。不会执行，也不给出交易数据。',
    },
    no_data: {
      names: 'no_data|no data|nodata',
      en: 'NO_DATA: the sources do not suffice for a verdict, so nothing is executed.',
      zh: 'NO_DATA：数据不足，无法评估，所以不会执行。',
    },
    plan: {
      names: '(?:standing |dca )?plans?|计划|定投计划',
      en: 'A plan is a standing purchase that you sign on chain: what to buy, for how much, how often, until when. The agent runs it only with the verdict GO, and you can cancel it with one transaction.',
      zh: '计划是您在链上签署的定期购买：买什么、每次多少、多久一次、到什么时候。只有评估为 GO 时代理才执行；您用一笔交易就能取消。',
    },
    guard: {
      names: '(?:loan )?guards?|守护',
      en: 'A guard lets the agent repay part of a loan on your behalf when its health falls below your trigger, up to your limits, from funds you have approved.',
      zh: '守护允许代理在贷款健康系数低于您设定的触发值时，用您授权的资金在限额内替您偿还一部分。',
    },
    health: {
      names: 'health(?: factor)?|健康系数|健康因子|健康度',
      en: 'The health of a loan is its weighted collateral divided by its debt. Below 1 anybody may liquidate it.',
      zh: '健康系数是加权抵押品除以债务。低于 1 时任何人都可以清算这笔贷款。',
    },
    ticket: {
      names: '(?:verdict )?tickets?|凭证|票据',
      en: 'A ticket is a signed verdict for one swap: its tokens, the largest amount, the worst price and two minutes of time. A contract can check it.',
      zh: '凭证是对一笔兑换签了名的评估：代币、最大数量、最差价格和两分钟有效期。合约可以验证它。',
    },
    slippage: {
      names: 'slippage|滑点',
      en: 'Slippage is how much less than quoted a swap may pay; past the limit you set it reverts.',
      zh: '滑点是成交比报价少得的部分；超过您设定的限度，交易会回滚。',
    },
    liquidation: {
      names: 'liquidations?|清算|爆仓',
      en: 'Liquidation: when the health of a loan is below 1, anybody may repay part of the debt and take collateral at a discount.',
      zh: '清算：贷款健康系数低于 1 时，任何人都可以偿还部分债务，并以折价取走抵押品。',
    },
    evidence: {
      names: 'evidences?|证据',
      en: 'Evidence is everything a verdict follows from. Its hash is in the ticket and in the record on chain, so the verdict can be worked out again.',
      zh: '证据是评估所依据的全部数据。它的哈希在凭证和链上记录里，因此可以重新计算评估。',
    },
    slot: {
      names: 'slots?|时段',
      en: 'A slot is the window of time in which one run of a plan is allowed.',
      zh: '时段是计划的一次执行所允许的时间窗口。',
    },
    run: {
      names: '(?:plan )?runs?|执行',
      en: 'A run is one purchase of a plan, recorded on chain with its verdict.',
      zh: '执行是计划的一次购买，连同评估记录在链上。',
    },
    deferral: {
      names: 'deferrals?|推迟',
      en: 'A deferral is a record on chain that a plan did not run, and why. The slot is tried again until it closes.',
      zh: '推迟是链上的一条记录，说明计划为什么没有执行。在时段结束前会再试。',
    },
    rescue: {
      names: 'rescues?|救援',
      en: 'A rescue is the repayment that a guard makes when the health of the loan is below its trigger.',
      zh: '救援是贷款健康系数低于触发值时守护所做的偿还。',
    },
    trigger: {
      names: 'triggers?(?: health)?|触发值',
      en: 'The trigger is the health below which a guard repays.',
      zh: '触发值是守护开始偿还的健康系数。',
    },
    executor: {
      names: 'executors?|执行者',
      en: 'The executor is the key of the agent that runs plans. It can only do what a plan allows.',
      zh: '执行者是代理用来执行计划的密钥，只能做计划允许的事。',
    },
    dca: {
      names: 'dca|dollar.cost averaging|定投',
      en: 'DCA is buying for the same amount at regular times. A plan does that.',
      zh: '定投是定期买入相同金额。计划就是做这件事。',
    },
    'price impact': {
      names: 'price impact|价格影响',
      en: 'Price impact is how much a trade moves the price of its own pool.',
      zh: '价格影响是一笔交易使其所在资金池价格移动的幅度。',
    },
  };

const ask = (word: string): RegExp[] => [
  new RegExp(
    `^(?:(?:hi|hello|hey|please|in (?:simple|plain|easy) (?:words|terms|english)|so|and|ok|sorry|can you|could you|tell me|explain|explain to me|i do not understand|i don't understand|do you know)[ ,.:]*)*(?:(?:what|wat) ?(?:is|are|does|do|'s|s)|define|definition of|(?:the )?meaning of|explain|what do you mean (?:by|with)|what is meant by|how (?:do|does|is)|why is it called) (?:an? |the |your |this |that )?["'“]?(?:${word})["'”]?(?: (?:of a loan|in a plan|of a plan|mean|means|stand for|work|works|made|here|exactly|for|about|status|verdict|in bowline|on bowline|in this context|calculated|computed|signify|term|to me|please))*[ ?.!]*$`,
  ),
  new RegExp(
    `^["'“]?(?:${word})["'”]?(?: verdict)?,? (?:meaning|means|definition|explained|means what|what does (?:it|that) mean|what is (?:it|that))[ ?.!]*$|^(?:please |can you )?(?:explain|tell me)(?: to me)? what (?:a |an |the |your )?["'“]?(?:${word})["'”]? (?:is|are|means?)[ ?.!]*$|^(?:what does|what is) (?:it|that) (?:mean )?(?:when|if) (?:you say |it says |the verdict is )["'“]?(?:${word})["'”]?(?: mean)?[ ?.!]*$`,
  ),
  new RegExp(
    `^(?:[\\w' ]+[,.] *)?(?:i (?:do not|don't) understand )?(?:the |this )?(?:word|term) ["'“]?(?:${word})["'”]?(?:[,.:]? *(?:could|can) you (?:please )?explain(?: it)?(?: to me)?)?[ ?.!]*$|^[a-z' ]*["'“]?(?:${word})["'”]?[ ,.:-]+what (?:does|is) (?:it|that|this)(?: (?:word|term))?(?: mean)?\\?*(?: i am new)?[ ?.!]*$`,
  ),
  new RegExp(
    `^(?:请问|请解释|解释一下|解释|什么是|什么叫|何为|请问什么是)? ?[“"「]?(?:${word})[”"」]? ?(?:是什么意思|是啥意思|啥意思|什么意思|是什么|代表什么|是指什么|是啥|是怎么算的|怎么算|怎么计算|指什么|的意思|的意思是什么|的含义)?[ ?？。]*$`,
  ),
];
const asked = Object.entries(glossary).map(([word, { names }]) => [word, ask(names)] as const);

/** The word whose meaning a question in lower case asks for, and nothing else. */
export function meaningOf(text: string): string | undefined {
  const plain = text.trim().replace(/\s+/g, ' ');
  const chinese = /什么|解释|啥|意思|何为|代表|是啥|怎么算|怎么计算|含义/.test(plain);
  return asked.find(
    ([, [english, short, said, zh]]) =>
      english?.test(plain) || short?.test(plain) || said?.test(plain) || (chinese && zh?.test(plain)),
  )?.[0];
}
