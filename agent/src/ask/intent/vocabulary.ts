// Every word a question may contain besides names and numbers. Unknown words are never ignored: one of them may change
// the question ("average", "doge", "leverage").

export const words = (list: string): string[] => list.trim().split(/\s+/);

/** Words of a question besides names and numbers. */
export const knownWords: ReadonlySet<string> = new Set([
  // Grammar.
  ...words(`a an the this that these those it its itself i me my mine myself we us our you your he she they them their one
    ones someone somebody anyone anybody everybody people user there here what which who whom whose when where why how is
    are was were be been being am do does did done have has had having will would shall should can could may might must
    ought not no nor and or but so if then than as of in on at to for from by with without about into onto over under up
    down out off above below via per against vs versus between some any each both either all every much many lot more less
    enough such only just really very quite pretty rather too also even still yet already again else actually honestly
    basically simply exactly roughly anything something nothing everything because since ago before after during while
    until through around whether though however own same let ll re ve im id ill ive lets thats whats hows wheres whos
    maybe perhaps possibly probably somewhat here isnt arent wasnt dont doesnt didnt cant couldnt wouldnt shouldnt wont hasnt havent not_that bit little`),
  // Questions and politeness.
  ...words(`please pls plz kindly thanks thank thx cheers hello hi hey yo dear sir mate buddy guys dude bro ok okay k yes
    yeah yep sure well hmm um uh oh tell show give list display print say let know see look view find get fetch pull bring
    explain describe help ask question answer wonder want wish like love need think thought consider plan idea opinion
    believe suppose mean understand inform update report read out tip hint advise advice recommend suggest suggestion
    bid bidding accumulate load loading scoop snag ditch profit profits
    land lands arrive fire fires save saves kick intervene shift throw
    thoughts honest legit solid sane crazy insane ripped scammed screwed rekt fleeced decision autonomous money fund funds balance
    budget portfolio treasury savings position order clip trader investor hurry second sec happening stuck
    curious quick quickly brief briefly short shortly detail summary summarise summarize number value info information
    overview status state situation u ur wanna lemme gimme whats up doing going gonna gotta due soon upcoming mind run make sense
    wise smart pick grab treat able carry step act call simulate appear seem feel interested tempted planning considering
    immediately exact precise approximate slot slots overpay depegged able action touch rating altogether interested instead start stop try use take keep hold go goes gone went come comes came end left remain remaining happen occur exist real
    true false right wrong good bad great fine nice decent alright big small large huge tiny major hard easy`),
  // Present time and periods.
  ...words(`now today current currently present presently moment atm rn instant time times day days week month year hour
    minute daily weekly monthly hourly yearly last past latest newest recent recently late lately since ago previous this
    whole next ever long often once always first time point far utc`),
  // Prices and verdicts.
  ...words(`price pricing priced prised cost worth value valued valuation rate quote quotation trade trading trades
    market level levels premium discount overpaid fair fairly fairness fairer overprice overvalue underprice undervalue misprice misvalue mis de
    expensive cheap cheaper cheaply pricey steep safe safely unsafe safety reasonable reasonably sensible realistic
    justified okay verdict check test judge judgement judgment assess assessment evaluate pass fail guard no_go nogo go ahead
    caution red green light flag manipulate manipulation tamper fishy suspicious shady weird odd strange normal abnormal
    trust trustworthy trusted reliable peg pegged depeg dollar dollars usd us bucks cash stable stablecoin impact slippage
    depth deep liquid liquidity agree agreement disagree match line consistent avoid risk risky risks danger dangerous wait
    rip ripoff scam stale fresh freshness outdated old differ difference different deviate deviation gap away oracle oracles
    chainlink venus exchange binance pancakeswap pancake dex pool pools chain onchain reference references source sources
    spot twap mean push pushed high low highs lows higher lower highest lowest top bottom entry exit enter deal bargain opportunity moment
    clear act too`),
  // Trades and sizes.
  ...words(`buy buyer buying bought buys sell seller selling sold sale sells purchase acquire invest investment investing
    spend spent put swap convert conversion receive receiving received return returns output outcome amount size sized order
    trade position get gets getting got obtain pay pays paying paid gives given hand proceeds expected estimate worth into
    dump offload unload rid cash ape spot coin coins token tokens asset assets crypto cryptocurrency currency symbols symbol
    units unit whole single entire stack bag bags holdings total`),
  // History.
  ...words(`history historical historic chart charts graph trend trends trending perform performed performance candle
    candles ohlc close closes closing open opening rise rose risen rising fall fell fallen falling drop dropped dropping
    move moved moving movement movements change changed changes percent percentage pct volatile volatility swing swings
    gain gained gains lose lost loss losses climb climbed jump jumped slide slid evolve evolved develop developed fared fare
    compare compared comparison trajectory course interval bars`),
  // Plans, guards, loans.
  ...words(`plans planned dca recurring standing scheduled schedule set setup owner owners owned owns own run runs ran
    running record records recorded deferral deferrals defer deferred delay delayed skip skipped execute executed execution
    executions active inactive paused pause cancelled canceled cancel expire expires expiry expired terms settings amount
    frequency period address wallet account belong belongs result results fail failed failure reason reasons permissions
    history bought lately guard guards guarded guarding policy policies rescue rescued rescues rescuing preview trigger
    triggers triggered protect protects protected protecting protection loan loans health healthy healthiness unhealthy
    factor liquidate liquidated liquidation liquidatable liquidations borrow borrowed borrower borrowing borrows debt debts
    owe owes owed owing collateral collateralised collateralized underwater repay repaid repayment back lend lending`),
  // Capabilities.
  ...words(`cover covers covered support supported supports capable capabilities able offer offers available
    talk works work bowline agent service bot name names`),
]);

const contraction =
  /^(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|would|should|wo|ca|must|need|ai)n'?t|(?:i|you|we|they|it|that|what|who|how|there|he|she)'?(?:m|d|ll|ve|re))$/;

/** Words of a question, after names and numbers are taken out, that no rule knows; without duplicates. */
export function unknownWords(text: string): string[] {
  // D, N and B stand for numbers.
  const found = text.match(/[\p{L}\p{N}_']+|\p{Sc}/gu) ?? [];
  return [...new Set(found.map((word) => word.replace(/^'+|'+$/g, '')))].filter(
    (word) => word !== '' && !/^[DNB$]$/.test(word) && !isKnown(word),
  );
}

/** Whether a rule knows the word. */
export const isKnown = (word: string): boolean => contraction.test(word) || isWordOf(knownWords, word);

/**
 * Whether a word is another one misspelt: one letter extra, missing or wrong, or two swapped (Damerau-Levenshtein). In
 * words of four letters two swapped only, and none shorter: too many of them are one letter apart.
 */
export function isMisspelt(word: string, other: string): boolean {
  if (word === other || other.length < 4 || Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(word.length, other.length) - start;
  while (end < most && word.at(-1 - end) === other.at(-1 - end)) end++;
  const [ours, theirs] = [word.slice(start, word.length - end), other.slice(start, other.length - end)];
  const swapped = ours.length === 2 && theirs.length === 2 && ours[0] === theirs[1] && ours[1] === theirs[0];
  return swapped || (other.length >= 5 && ours.length <= 1 && theirs.length <= 1);
}

/** Whether a word or its base form is in a list. */
export function isWordOf(list: ReadonlySet<string>, word: string): boolean {
  if (list.has(word)) return true;
  const stem = /^(.{3,}?)(?:s|es|ed|d|ing|ly)$/.exec(word)?.[1];
  // "swapped", "priced"
  return stem !== undefined && [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')].some((form) => list.has(form));
}

// Topics of a question about assets; the first match wins.

export const verdict =
  /\bfair\w*|\bover ?-?(?:pric|valu)\w*|\bunder ?-?(?:pric|valu)\w*|\blegit\b|\bsolid\b|\bthoughts on\b|\b(?:ripped off|scammed|screwed|rekt|fleeced)\b|\bpremium\b|\bdiscount\b|\bmis-?(?:pric|valu)\w*|\bexpensive\b|\bpricey\b|\bcheap\w*|\bsteep\b|\b(?:un)?safe\w*|\bshould (?:i|we|one|you)\b|\b(?:good|bad|right|great|wrong|fine|nice|decent) (?:time|idea|value|price|deal|moment|entry|buy|sale|opportunity)\b|\bbargain\b|\bworth (?:buying|selling|it)\b|\bverdict\b|\bcheck\w*|\bno[ _-]?go\b|\bmanipulat\w*|\btamper\w*|\bpushed\b|\bfishy\b|\bsuspicious\b|\bshady\b|\bweird\b|\bodd\b|\bstrange\b|\btrust\w*|\breliable\b|\breasonabl[ey]\b|\bsensible\b|\bjustified\b|\bok(?:ay)?\b|\b(?:off )?peg\w*|\bde-?peg\w*|\bworth a dollar\b|\b(?:price )?impact\b|\bdepth\b|\bdeep\b|\bliquid(?:ity)?\b|\bslippage\b|\bagree\w*|\bavoid\b|\brisk\w*|\bwait\b|\bpass(?:es)?\b|\bjudge\w*|\bassess\w*|\bevaluat\w*|\bgo (?:for it|ahead)\b|\bis (?:it |@ )?(?:a )?go\b|\brate (?:this|my|the)\b|^go\b|\bover-?pay\w*|\bany good\b|\bwise\b|\bmakes? sense\b|\bgreen light\b|\brip-?off\b|\bscam\b|\bdanger\w*|\bstale\b|\bfresh\w*|\boutdated\b|\bdiffer\w*|\bdeviat\w*|\bhow far\b|\btoo (?:high|low|much)\b|\bcaution\b|\bhow much (?:do|would|will|could) (?:i|we) lose\b/;

/** Checks that a question names; the answer then includes what they measured. */
export const checks: readonly (readonly [RegExp, string])[] = [
  [
    /\bimpact\b|\blose\b|\bdepth\b|\bdeep\b|\bliquid(?:ity)?\b|\bslippage\b|\bagree\w*|\bmanipulat\w*|\btamper\w*|\bpushed\b|\btwap\b/,
    'all_in_cost',
  ],
  [/\bpeg\w*|\bde-?peg\w*|\bworth a dollar\b/, 'stablecoin_peg'],
  [/\bstale\b|\bfresh\w*|\boutdated\b/, 'chain_freshness'],
];

export const swap =
  /\bswap\w*|\bconver[ts]\w*|\bexchang(?:e|ing) (?!rate|price)|\breceiv\w*|\boutput\b|\bcomes? out\b|\bget out\b|\bproceeds\b/;

export const bought =
  /\bhow (?:much|many)\b.*\b(?:get|have|buy|receive|gives?|left|land|arrive)\b|\b(?:gives?|get|gets|buys) (?:me )?how (?:much|many)\b|\bwhat (?:would|do|could|can|will) (?:i|we) (?:get|end up)\b|\bhow (?:much|many) stablecoin\b.*\b(?:for|from)\b/;

export const asksForAmount =
  /\bhow (?:much|many)\b|\bwhat (?:would|do|will|could)\b|\bexpected\b|\bquot\w*|^what(?: is|'s)? D\b/;

export const history =
  /\bhistor\w*|\bchart\w*|\bgraph\b|\btrend\w*|\bperform\w*|\bcandles?\b|\bsince\b|\b(?:go(?:ne)?|went|going) (?:up|down)\b|\b(?:up|down) or (?:up|down)\b|\b(?:is|was|are) @ (?:up|down)\b|\b(?:rise|rose|risen|rising|fall|fell|fallen|falling|climb\w*|jump\w*|gain\w*|los[et]s?|drop\w*|mov(?:e|ed|es|ing|ements?)|chang\w*|volatil\w*|swings?)\b|\bhighs?\b|\blows?\b|\b(?:has|have|did|how (?:is|are|was)) .*\b(?:done|do|doing|fared?)\b/;

export const price =
  /\bpri[cs]\w*|\bcosts?\b|\bworth\b|\bvalu\w*|\bhow much\b|\bhow many (?:dollars|usd)\b|\btrad(?:es?|ing)\b|\bquot\w*|\brate\b|\bspot\b|\bwhat(?:'?s|'re| is| are)? @ at\b|\b(?:go(?:es|ing)?|sell(?:s|ing)?) for\b|\bwhat (?:can|could|would|do) (?:i|we|one) (?:buy|sell) @ (?:for|at)\b|\b(?:chainlink|oracles?|references?)\b|\bwhere\b.*\bat\b|@ ?\/? ?usd\b/;

/** A question about one source's price: the answer to "price" lists every source. */
export const priceOfSource =
  /\b(?:chainlink|venus|oracle|reference|exchange|pool|spot|market)\s+price\b|\bprice (?:from|of|by|on|in|at) (?:the )?(?:chainlink|venus|oracle|exchange|pool)\b/;
