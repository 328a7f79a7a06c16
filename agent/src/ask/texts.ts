// Texts that need no tool, in both languages. Each line is a row with cells between arrows; {names} are filled in.
import type { Asset } from '@bowline/core/domain/assets';
import type { Back, FixedTopic, Language } from './question.ts';
import { rowsOf } from './rows.ts';

type Worded = Readonly<Record<Language, string>>;
const tableOf = (table: string): ReadonlyMap<string, readonly string[]> =>
  new Map(rowsOf(table).map(([name, ...cells]) => [name, cells]));

const menu: Worded = {
  en: 'I can say whether a trade is fair and up to which size, what a price is or was, what a swap would pay, when a plan runs and why it waited, how safe a loan is, what it needs, and whether a guard would act. Assets: {assets}.',
  zh: '我可以回答：一笔交易的价格是否公允、多大数量以内仍公允，现在和过去的价格，兑换能得到多少，计划何时执行、为什么等待，贷款是否安全、需要补多少，以及守护是否会触发救援。资产：{assets}。',
};

/** A text that lists what can be asked, and the assets. */
export const withLists = (text: string, language: Language, assets: readonly Asset[]): string =>
  text
    .replace('{menu}', menu[language])
    .replace('{assets}', assets.map(({ symbol }) => symbol).join(language === 'zh' ? '、' : ', '));

/** The question that a fixed reply answers, and the reply, which is true of every deployment. */
const fixed = tableOf(`
hello → Who are you? → Hello. I am Bowline's agent on BNB Chain. {menu} → 你是谁？ → 你好。我是 Bowline 在 BNB Chain 上的代理。{menu}
who → Who are you? → I am Bowline, an on-chain finance agent for BNB Chain: a program, not a person. You sign terms, I act only within them, anyone can check every action, and one transaction stops everything. {menu} → 你是谁？ → 我是 Bowline，BNB Chain 上的链上金融代理，是程序而不是人。条款由你签署，我只在条款之内行动，我的每次操作任何人都能核查，一笔交易就能全部停止。{menu}
fee → What do you charge? → I take no fee from a plan, a trade or a rescue. A swap pays the fee of its pool, which every verdict counts in its cost, and you pay the gas of what you sign. What an answer costs here, if anything, is "price_usd" at GET /x402 (0: free). → 怎么收费？ → 我不从计划、交易或救援中收费。兑换要付资金池手续费（评估已计入成本），你签署的交易由你支付 gas。这里每次回答的价格见 GET /x402 的 price_usd（0 表示免费）。
custody → Do you hold my funds? → No. Your funds stay in your wallet and I never have your keys. For a plan or a guard you give a contract an allowance. It lets me take only what your terms permit, and pays only you or your loan. You can cancel it at any time. Never give anybody your private key. → 你保管我的资金吗？ → 不保管。资金留在你的钱包里，我从不掌握你的私钥。计划或守护只使用你授予合约的授权额度，合约只允许条款之内的操作，并且只付给你自己或你的贷款。你随时可以取消。不要把私钥交给任何人。
working → Are you working? → I am answering, so I am up. GET /ready says whether my node, price sources and loops work now, and GET /served what I leave out and why. → 运行正常吗？ → 我能回答，说明我在运行。节点、价格源和各循环现在是否正常，见 GET /ready；我不服务的计划和守护及其原因，见 GET /served。
stop → How do I cancel a plan or guard? → You cancel with your own wallet; I cannot do it for you. On the page, open /plans or /guard, choose it and pause or cancel it; one button there stops everything at once. Programs get the unsigned transaction from the tool draft_revoke. It works without me: revoking the token allowance stops it, too. → 怎么取消计划或守护？ → 取消由你自己的钱包签署，我不能代办。在页面打开 /plans 或 /guard，选择后暂停或取消；那里也可以一键全部停止。程序可用工具 draft_revoke 取得未签名的交易。没有我也能停止：撤销代币授权同样有效。
makePlan → How do I create a plan? → A plan is signed by your own wallet; I cannot create it for you. On the page, open /plans and choose what to buy or sell, how much, how often and until when. Programs get the unsigned transactions from the tool draft_plan. → 怎么创建计划？ → 计划由你自己的钱包签署，我不能代办。在页面打开 /plans，选择买卖什么、每次多少、多久一次、到什么时候。程序可用工具 draft_plan 取得未签名的交易。
makeGuard → How do I create a guard? → A guard is signed by your own wallet; I cannot create it for you. On the page, open /guard, choose the loan, the health that triggers it and the most it may repay. Programs get the unsigned transactions from the tool draft_guard. → 怎么设置守护？ → 守护由你自己的钱包签署，我不能代办。在页面打开 /guard，选择贷款、触发的健康系数和最多偿还多少。程序可用工具 draft_guard 取得未签名的交易。
`);
/** Why nothing is answered. */
const backs = tableOf(`
asset → Which asset do you mean? I cover {assets}. → 哪一种资产？我支持 {assets}。
unlisted → I do not know {about}. I cover {assets}. → 我不认识{about}。我支持 {assets}。
side → I am not sure whether you mean a purchase or a sale. → 我不确定你是要买还是要卖。
size → For which size? Give US dollars or an amount of the asset, one for each asset. → 多少？请写美元金额或资产数量，每种资产一个。
address → Which address? I do not know yours. Write it out: 0x and 40 hexadecimal digits. → 哪一个地址？我不知道你的地址。请写全：0x 加 40 位十六进制数字。
plan → Which plan? Give its number, or the address of its owner. → 哪一个计划？请写编号，或其所有者的地址。
guard → Which guard? Give its number. → 哪一个守护？请写编号。
number → {about} can be read in two ways. Use a point for decimals and commas or nothing for thousands. → {about} 有两种读法。小数用点，千位用逗号或不写。
unit → {about} of what? US dollars, or units of the asset? → {about} 是美元，还是资产的数量？
price_or_size → Is {about} the price of one unit, or how much you would spend? → {about} 是一个单位的价格，还是你要花的金额？
percent → {about} of what? I do not know what you hold. Give an amount. → {about} 的多少？我不知道你持有多少，请写数量。
currency → I work in US dollars or in units of the asset, not in {about}. → 我只用美元或资产数量计算，不用 {about}。
not_understood → I did not understand {about}, and I do not guess. {menu} → 我没有看懂{about}，也不会猜。{menu}
several → I cannot answer all of that at once and will not leave parts out silently. Ask one thing at a time. → 我不能一次回答全部，也不会悄悄略去一部分。请一次问一件事。
both_sides → That names more than one trade. Ask about one at a time. → 这里有不止一笔交易。请一次问一笔。
pairs → I do not compare assets: each is judged by itself, and prices are in US dollars. → 我不比较资产：每种资产单独评估，价格以美元计。
only_reads → I only answer questions: I sign, send and change nothing. Your own wallet does that. → 我只回答问题，不签署、不发送、不改变任何东西。这要由你自己的钱包来做。
forecast → I do not forecast: I cannot say what a price will be. {menu} → 我不做预测：我不能说价格将会怎样。{menu}
only_now → A verdict is about now: I cannot say whether a price was fair at another time. → 评估只针对现在：我不能说过去某时的价格是否公允。
causes → I cannot say why a price moved or is what it is. → 我不能说价格为什么变动。
instructed → A verdict comes from its checks, and no request changes how I work. {menu} → 评估来自检查，任何要求都不能改变我的工作方式。{menu}
unread → I read English and Chinese (我读英文和中文). {menu} → 我读英文和中文。{menu}
`);
/** Words that this agent gave a meaning, with the patterns of their names. */
const glossary = tableOf(`
verdict → verdicts?|评估|裁定|判定|结论|裁决 → A verdict says whether a trade of one size is fairly priced now: GO, CAUTION, NO_GO or NO_DATA. It compares what the pool pays with independent prices (Chainlink, an exchange, Pyth) and follows from fixed rules, so anyone can recompute it from its evidence. → 评估说明某一数量的交易现在价格是否公允：GO、CAUTION、NO_GO 或 NO_DATA。它把资金池的成交价与独立价格（Chainlink、交易所、Pyth）比较；规则固定，任何人都能根据证据重新计算。
go → go → GO: every check passes, so the trade is fairly priced at that size, now. → GO：所有检查都通过，这一数量的交易现在价格公允。
caution → caution → CAUTION: a check is past its warning line but within its limit. Plans wait; a person may accept it. → CAUTION：有检查超过警戒线，但仍在限值之内。计划会等待；个人可以自行接受。
no_go → no_go|no[ -]go|nogo → NO_GO: a check fails, so the trade is not fairly priced at that size. Nothing is executed and no calldata is given. → NO_GO：有检查不通过，这一数量的交易价格不公允。不会执行，也不给出 calldata。
no_data → no_data|no data|nodata → NO_DATA: there is too little data for a verdict, so nothing is executed. → NO_DATA：数据不足，无法评估，所以不会执行。
plan → (?:standing |dca )?plans?|计划|定投计划 → A plan is a standing purchase or sale that you sign on chain: of what, how much, how often, until when. The agent runs it only with the verdict GO, and you can cancel it with one transaction. → 计划是你在链上签署的定期买入或卖出：买卖什么、每次多少、多久一次、到什么时候。只有评估为 GO 时代理才执行；你用一笔交易就能取消。
guard → (?:loan )?guards?|守护 → A guard lets the agent repay part of a loan on your behalf when its health falls below your trigger, up to your limits, from funds you have approved. → 守护允许代理在贷款健康系数低于你设定的触发值时，在你设定的限额内，用你授权的资金替你偿还一部分债务。
health → health(?: factor)?|健康系数|健康因子|健康度 → The health of a loan is its weighted collateral divided by its debt. Below 1, anyone may liquidate it. → 健康系数是加权抵押品除以债务。低于 1 时任何人都可以清算这笔贷款。
ticket → (?:verdict )?tickets?|凭证|票据 → A ticket is a signed verdict for one swap: its tokens, maximum amount and worst price. It is valid for two minutes, and a contract can check it. → 凭证是对一笔兑换的已签名评估，写明代币、最大数量和最差价格，两分钟内有效。合约可以验证它。
slippage → slippage|滑点 → Slippage is how much less than quoted a swap pays out; beyond the limit you set, it reverts. → 滑点是兑换实际所得比报价少的部分；超过你设定的上限时，交易会回滚。
liquidation → liquidations?|清算|爆仓 → Liquidation: when the health of a loan is below 1, anyone may repay part of the debt and take collateral at a discount. → 清算：贷款健康系数低于 1 时，任何人都可以偿还部分债务，并以折价取走抵押品。
evidence → evidences?|证据 → Evidence is everything a verdict follows from. Its hash is in the ticket and in the record on chain, so the verdict can be recomputed. → 证据是评估所依据的全部数据。它的哈希写在凭证和链上记录中，因此任何人都能重新计算评估。
slot → slots?|时段 → A slot is the window of time in which one run of a plan is allowed. → 时段是允许计划执行一次的时间窗口。
run → (?:plan )?runs?|执行 → A run is one trade of a plan, recorded on chain with its verdict. → 执行是计划的一次交易，与其评估一起记录在链上。
deferral → deferrals?|推迟 → A deferral is a record on chain that a plan did not run, and why. The slot is retried until it closes. → 推迟是链上的一条记录，说明计划为什么没有执行。时段结束前会重试。
rescue → rescues?|救援 → A rescue is the repayment that a guard makes when the health of the loan is below its trigger. → 救援是贷款健康系数低于触发值时守护所做的还款。
trigger → triggers?(?: health)?|触发值 → The trigger is the health below which a guard repays. → 触发值是一个健康系数，低于它时守护会还款。
executor → executors?|执行者 → The executor is the agent's key that runs plans. It can only do what a plan allows. → 执行者是代理用来执行计划的密钥，只能做计划允许的事。
dca → dca|dollar.cost averaging|定投 → DCA is buying with the same amount at regular intervals. A plan does that. → 定投是定期买入相同金额。计划就是做这件事。
price impact → price impact|价格影响 → Price impact is how much a trade moves the price of its own pool. → 价格影响是一笔交易使其资金池价格变动的幅度。
`);
/** Calls as buttons, and as questions that are read as these calls. */
const choices = tableOf(`
check_asset → Fair to {side} {size}? → Is {asset} fairly priced? → {asset} 价格公允吗 → {asset} 现在价格公允吗？
check_asset side → Fair to {side} {size}? → Is {asset} fairly priced to {side}? → {does} {sizeZh} 公允吗 → {does} {sizeZh} 公允吗？
check_asset size → Fair to {side} {size}? → Is it fair to {side} {size}? → {does} {sizeZh} 公允吗 → {does} {sizeZh} 公允吗？
check_asset price → {price} is the price of one {asset} → Is {price} a fair price for {asset}? → {asset} 价格公允吗 → {asset} 现在价格公允吗？
check_asset at → Fair to {side} {size} at {price}? → Is it fair to {side} {size} at {price}? → {does} {sizeZh} 公允吗 → {does} {sizeZh} 公允吗？
check_asset largest → Largest fair {trade} of {asset} → What is the largest fair {trade} of {asset}? → {asset} 最多{does}多少仍公允 → {asset} 最多能{does}多少？
quote_swap sell → Quote: {side} {size} → How much would I get for selling {size}? → {does} {sizeZh} 能得多少 → {does} {sizeZh} 能得到多少？
quote_swap usd → Quote: {side} {size} → How much {asset} would I get for {usd}? → {does} {sizeZh} → {does} {sizeZh} 公允吗？
quote_swap → Quote: {side} {size} → Give me a quote to buy {size} → {does} {sizeZh} → {does} {sizeZh} 公允吗？
get_price → Price of {asset} → What is the price of {asset}? → {asset} 的价格 → {asset} 现在多少钱？
get_history → {asset} lately → How has {asset} done? → {asset} 的走势 → {asset} 走势如何？
get_history count → {asset} lately → Show the last {count} {candles} candles of {asset} → {asset} 的走势 → {asset} 走势如何？
what_if → What the loan lacks → How much must I add or repay for a health of {target_health}? My loan is {borrower} → 需要补多少 → {borrower} 的贷款健康系数到 {target_health} 需要补多少？
what_if moved → If {moved} {moves} by {percent} % → What if {moved} {moves} by {percent} %? My loan is {borrower} → 如果{movedZh} {movesZh} {percent} % → 如果{movedZh} {movesZh} {percent} %，{borrower} 的贷款会怎样？
loan_health → Loan of {short} → Health of {borrower} → {short} 的贷款 → {borrower} 的贷款健康吗？
preview_rescue → Guard {guard}: would it rescue? → Would guard {guard} rescue? → 守护 {guard} 会救援吗 → 守护 {guard} 现在会救援吗？
plan_outlook → Next run of plan {plan} → When does plan {plan} run next? → 计划 {plan} 下次执行 → 计划 {plan} 下次什么时候执行？
list_runs → Runs of plan {plan} → What happened to plan {plan}? → 计划 {plan} 的记录 → 计划 {plan} 的执行记录
list_runs count → Runs of plan {plan} → Show the last {count} runs of plan {plan} → 计划 {plan} 的记录 → 计划 {plan} 的执行记录
list_runs total → Total of plan {plan} → What has plan {plan} spent in total? → 计划 {plan} 的总额 → 计划 {plan} 总共花了多少？
list_plans → All plans → What plans are there? → 所有计划 → 有哪些计划？
list_plans plan → Terms of plan {plan} → What are the terms of plan {plan}? → 计划 {plan} 的条款 → 计划 {plan} 的条款
list_plans owner → Plans of {short} → Plans of {owner} → {short} 的计划 → {owner} 有哪些计划？
list_assets → Assets → Which assets do you cover? → 支持哪些资产 → 支持哪些资产？
`);

/** The cells of a row; the second half is Chinese. */
const ofLanguage = (cells: readonly string[] = [], language: Language): readonly string[] => {
  const half = cells.length / 2;
  return language === 'zh' ? cells.slice(half) : cells.slice(0, half);
};

export const fixedTexts = (topic: FixedTopic, language: Language): readonly string[] =>
  ofLanguage(fixed.get(topic), language);
export const backText = (back: Back, language: Language): string => ofLanguage(backs.get(back), language)[0] ?? '';
export const meaningText = (word: string, language: Language): string =>
  ofLanguage(glossary.get(word)?.slice(1), language)[0] ?? '';
export const choiceTexts = (key: string, language: Language): readonly string[] =>
  ofLanguage(choices.get(key), language);
export const namesOfWords: readonly (readonly [word: string, names: RegExp])[] = [...glossary].map(
  ([word, [names = '']]) => [word, new RegExp(`^(?:${names})(?: verdict| status)?$`)],
);
