// Topics of a question about assets; the first match wins.

export const verdict =
  /\bfair\w*|\bover ?-?(?:pric|valu)\w*|\bunder ?-?(?:pric|valu)\w*|\bmis-?(?:pric|valu)\w*|\bexpensive\b|\bpricey\b|\bcheap\w*|\bsteep\b|\b(?:un)?safe\w*|\bshould (?:i|we|one|you)\b|\b(?:good|bad|right|great|wrong|fine) (?:time|idea|price|deal|moment|entry|buy|sale|opportunity)\b|\bbargain\b|\bworth (?:buying|selling|it)\b|\bverdict\b|\bcheck\w*|\bno[ _-]?go\b|\bmanipulat\w*|\btamper\w*|\bpushed\b|\bfishy\b|\bsuspicious\b|\bshady\b|\bweird\b|\bodd\b|\bstrange\b|\btrust\w*|\breliable\b|\breasonabl[ey]\b|\bsensible\b|\bjustified\b|\bok(?:ay)?\b|\b(?:off )?peg\w*|\bde-?peg\w*|\bworth a dollar\b|\b(?:price )?impact\b|\bdepth\b|\bdeep\b|\bliquid(?:ity)?\b|\bslippage\b|\bagree\w*|\bavoid\b|\brisk\w*|\bwait\b|\bpass(?:es)?\b|\bjudge\w*|\bassess\w*|\bevaluat\w*|\bgo (?:for it|ahead)\b|\bis (?:it |@ )?(?:a )?go\b|\brate (?:this|my|the)\b|^go\b|\bover-?pay\w*|\bany good\b|\bwise\b|\bmakes? sense\b|\bgreen light\b|\brip-?off\b|\bscam\b|\bdanger\w*|\bstale\b|\bfresh\w*|\boutdated\b|\bdiffer\w*|\bdeviat\w*|\bhow far\b|\btoo (?:high|low|much)\b|\bcaution\b|\bhow much (?:do|would|will|could) (?:i|we) lose\b/;

/** Checks that a question names; the answer then includes what they measured. */
export const checks: readonly (readonly [RegExp, string])[] = [
  [/\bimpact\b|\blose\b|\bdepth\b|\bdeep\b|\bliquid(?:ity)?\b|\bslippage\b/, 'price_impact'],
  [/\bpeg\w*|\bde-?peg\w*|\bworth a dollar\b/, 'stablecoin_peg'],
  [/\bstale\b|\bfresh\w*|\boutdated\b/, 'reference_freshness'],
  [/\bagree\w*/, 'reference_agreement'],
  [/\bmanipulat\w*|\btamper\w*|\bpushed\b|\btwap\b/, 'spot_against_twap'],
];

export const swap =
  /\bswap\w*|\bconver[ts]\w*|\bexchang(?:e|ing) (?!rate|price)|\breceiv\w*|\boutput\b|\bcomes? out\b|\bget out\b|\bproceeds\b/;

export const bought =
  /\bhow (?:much|many)\b.*\b(?:get|have|buy|receive|gives?|left)\b|\b(?:gives?|get|gets|buys) (?:me )?how (?:much|many)\b|\bwhat (?:would|do|could|can|will) (?:i|we) (?:get|end up)\b|\bhow (?:much|many) stablecoin\b.*\b(?:for|from)\b/;

export const asksForAmount =
  /\bhow (?:much|many)\b|\bwhat (?:would|do|will|could)\b|\bexpected\b|\bquot\w*|^what(?: is|'s)? D\b/;

export const history =
  /\bhistor\w*|\bchart\w*|\bgraph\b|\btrend\w*|\bperform\w*|\bcandles?\b|\bsince\b|\b(?:go(?:ne)?|went|going) (?:up|down)\b|\b(?:up|down) or (?:up|down)\b|\b(?:is|was|are) @ (?:up|down)\b|\b(?:rise|rose|risen|rising|fall|fell|fallen|falling|climb\w*|jump\w*|gain\w*|los[et]s?|drop\w*|mov(?:e|ed|es|ing|ements?)|chang\w*|volatil\w*|swings?)\b|\bhighs?\b|\blows?\b|\b(?:has|have|did|how (?:is|are|was)) .*\b(?:done|do|doing|fared?)\b/;

export const price =
  /\bpri[cs]\w*|\bprcie\b|\bcosts?\b|\bworth\b|\bvalu\w*|\bhow much\b|\bhow many (?:dollars|usd)\b|\btrad(?:es?|ing)\b|\bquot\w*|\brate\b|\b(?:go(?:es|ing)?|sell(?:s|ing)?) for\b|\bwhat (?:can|could|would|do) (?:i|we|one) (?:buy|sell) @ (?:for|at)\b|\b(?:chainlink|oracles?|references?)\b|\bwhere\b.*\bat\b|@ ?\/? ?usd\b/;

/** A question about one source's price: the answer to "price" lists every source. */
export const priceOfSource =
  /\b(?:chainlink|venus|oracle|reference|exchange|pool|spot|market)\s+price\b|\bprice (?:from|of|by|on|in|at) (?:the )?(?:chainlink|venus|oracle|exchange|pool)\b/;
