// A second implementation of the rules, written from docs/reference/rules.md alone. It imports nothing of the product,
// so an error in either shows as a difference.

// biome-ignore lint/suspicious/noExplicitAny: the document is read as the page describes it, not by the product's types
type Facts = any;
type Source = { low?: bigint; high?: bigint; why?: 'off' | 'silent' | 'stale' | 'uncertain' };
type Finding = { outcome: string; reason?: string | undefined; measured?: bigint | undefined };

const wad = 10n ** 18n;
const abs = (x: bigint) => (x < 0n ? -x : x);
const floor = (a: bigint, b: bigint) => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
const ceil = (a: bigint, b: bigint) => -floor(-a, b);
const dev = (a: bigint, b: bigint) => ceil(abs(a - b) * 10_000n, b);
const atLeast0 = (x: bigint) => (x > 0n ? x : 0n);
const whole = (x: Facts) => (x === undefined ? undefined : BigInt(x));
const usable = (x: Facts): x is string => x !== undefined && BigInt(x) > 0n;
const no = (outcome: string, reason: string, measured?: bigint): Finding => ({ outcome, reason, measured });
const within = (measured: bigint, limit: { caution: string; noGo: string }, reason: string): Finding => {
  if (measured > BigInt(limit.noGo)) return no('no_go', reason, measured);
  return measured > BigInt(limit.caution) ? no('caution', reason, measured) : { outcome: 'pass', measured };
};

function sourcesOf(p: Facts) {
  const { chain, limits } = p;
  const fresh = (from: Facts, to: Facts, limit: string, bothWays: boolean) => {
    if (from === undefined) return false;
    const age = BigInt(to) - BigInt(from);
    return bothWays ? abs(age) <= BigInt(limit) : age >= 0n && age <= BigInt(limit);
  };
  const sure = (low: bigint, high: bigint): Source => {
    if (low <= 0n) return { why: 'silent' };
    return ceil((high - low) * 10_000n, high + low) > BigInt(limits.costBps.caution)
      ? { why: 'uncertain' }
      : { low, high };
  };
  const feed = (price: Facts, limit: string): Source => {
    if (price === 'off') return { why: 'off' };
    if (!usable(price?.usdWad)) return { why: 'silent' };
    if (!fresh(price.updatedAt, chain.block.timestamp, limit, false)) return { why: 'stale' };
    return sure(BigInt(price.usdWad), BigInt(price.usdWad));
  };
  const pyth = (price: Facts): Source => {
    if (price === 'off') return { why: 'off' };
    if (!usable(price?.usdWad) || price.confidenceWad === undefined) return { why: 'silent' };
    if (!fresh(price.updatedAt, p.readAt, limits.pythAgeSeconds, true)) return { why: 'stale' };
    const [middle, c] = [BigInt(price.usdWad), BigInt(price.confidenceWad)];
    return c < 0n || c >= middle ? { why: 'uncertain' } : sure(middle - c, middle + c);
  };
  const exchange = (book: Facts, q: bigint | undefined): Source => {
    if (book === 'off') return { why: 'off' };
    if (!usable(book?.bidWad) || BigInt(book.bidWad) > BigInt(book.askWad) || q === undefined) return { why: 'silent' };
    if (!fresh(book.answeredAt, p.readAt, limits.exchangeAgeSeconds, true)) return { why: 'stale' };
    return sure(floor(BigInt(book.bidWad) * q, wad), ceil(BigInt(book.askWad) * q, wad));
  };
  return { feed, pyth, exchange };
}

const ordered = (values: bigint[], rising: boolean) =>
  values.toSorted((a, b) => (a < b === rising ? -1 : a === b ? 0 : 1));

function values(p: Facts) {
  const { chain, limits } = p;
  const buy = p.side === 'buy';
  const { feed, pyth, exchange } = sourcesOf(p);
  const quoteFeed = (price: Facts) => feed(price, limits.quoteAgeSeconds);
  const ofQuote = [
    quoteFeed(chain.quoteToken),
    pyth(p.quotePyth),
    quoteFeed(chain.quoteRedStone),
    quoteFeed(chain.quoteBinanceOracle),
  ];
  const quoteEnds = ofQuote.flatMap(({ low, high }) => (buy ? high : low) ?? []);
  const quoteWorst = ordered(quoteEnds, !buy);
  const q = quoteWorst[quoteWorst.length >= 3 ? 1 : 0];

  const ofExchange = exchange(p.exchange, q);
  const oracle = feed(chain.binanceOracle, limits.referenceAgeSeconds);
  const oracleSpeaks =
    p.exchange === 'off' ? oracle.why !== 'off' : ofExchange.why !== undefined && oracle.why === undefined;
  const chainlink = feed(chain.chainlink, limits.referenceAgeSeconds);
  const ofAsset = [
    chainlink,
    oracleSpeaks ? oracle : ofExchange,
    pyth(p.pyth),
    feed(chain.redStone, limits.referenceAgeSeconds),
  ];
  const edges = ordered(
    ofAsset.flatMap(({ low, high }) => (buy ? low : high) ?? []),
    buy,
  );
  const c = edges.length < 2 ? undefined : edges[edges.length >= 3 ? 1 : 0];
  return { buy, q, ofQuote, ofAsset, chainlink, c, worst: edges[0], count: edges.length };
}

const silence = (sources: Source[]) => {
  const first = sources.find(({ why }) => why !== undefined && why !== 'off')?.why ?? 'silent';
  return { stale: 'reference_stale', uncertain: 'reference_uncertain', silent: 'reference_missing', off: '' }[first];
};

type Values = ReturnType<typeof values>;

function chainHealth({ chain, limits }: Facts): Finding {
  if (chain.finalBlock === undefined) return no('no_data', 'finality_missing');
  const behind = atLeast0(BigInt(chain.block.number) - BigInt(chain.finalBlock));
  return within(behind, limits.finalityBlocks, 'finality_stalled');
}

function chainFreshness(p: Facts, { q, ofQuote }: Values): Finding {
  const age = abs(BigInt(p.readAt) - BigInt(p.chain.block.timestamp));
  if (age > BigInt(p.limits.blockAgeSeconds)) return no('no_go', 'reference_stale', age);
  return q === undefined ? no('no_data', silence(ofQuote)) : { outcome: 'pass', measured: age };
}

function priceJump(p: Facts, { q }: Values): Finding {
  const { chain, exchange } = p;
  const pairs: [bigint, bigint][] = [];
  if (usable(chain.chainlinkBeforeWad) && usable(chain.chainlink?.usdWad))
    pairs.push([BigInt(chain.chainlinkBeforeWad), BigInt(chain.chainlink.usdWad)]);
  const mean = q === undefined || chain.twapWad === undefined ? 0n : floor(BigInt(chain.twapWad) * q, wad);
  if (mean > 0n && q !== undefined) {
    const others = [chain.chainlink, chain.redStone, chain.binanceOracle, p.pyth, chain.venus].map((each) =>
      whole(each?.usdWad),
    );
    if (exchange?.bidWad !== undefined && BigInt(exchange.bidWad) <= BigInt(exchange.askWad))
      others.push(floor(floor(BigInt(exchange.bidWad) + BigInt(exchange.askWad), 2n) * q, wad));
    for (const other of others) if (other !== undefined && other > 0n) pairs.push([mean, other]);
  }
  if (pairs.length === 0) return no('no_data', 'reference_missing');
  const apart = pairs.map(([a, b]) => (a > b ? dev(a, b) : dev(b, a)));
  return within(
    apart.reduce((a, b) => (a > b ? a : b)),
    p.limits.jumpBps,
    'price_jumped',
  );
}

function executability({ chain, limits }: Facts): Finding {
  if (chain.play === 'refused') return no('no_go', 'swap_would_revert');
  if (!usable(chain.quote?.amountOut)) return no('no_data', 'quote_missing');
  if (chain.play === undefined) return no('no_data', 'simulation_missing');
  const out = BigInt(chain.quote.amountOut);
  return within(atLeast0(ceil((out - BigInt(chain.play.received)) * 10_000n, out)), limits.taxBps, 'token_taxed');
}

function wayBack({ chain, asset, limits }: Facts): Finding {
  if (chain.quote === undefined || chain.play === undefined || chain.play === 'refused')
    return no('no_data', 'simulation_missing');
  if (chain.play.returned === undefined) return no('no_go', 'no_way_back');
  const pools: { feeMillionths: number }[] = chain.route ?? [asset.pool];
  const k = pools.reduce((product, { feeMillionths }) => product * BigInt(1_000_000 - feeMillionths), 1n);
  const due = floor(BigInt(chain.quote.amountIn) * k ** 2n, 10n ** BigInt(12 * pools.length));
  const lost = due > 0n ? atLeast0(ceil((due - BigInt(chain.play.returned)) * 10_000n, due)) : 10_000n;
  return within(lost, limits.roundTripBps, 'way_back_dear');
}

function stablecoinPeg(p: Facts, { buy, c, q }: Values): Finding {
  if ((buy ? p.asset : p.quoteAsset).class !== 'stable') return { outcome: 'pass' };
  const u = buy ? c : q;
  return u === undefined ? no('no_data', 'peg_missing') : within(dev(u, wad), p.limits.pegBps, 'stablecoin_off_peg');
}

function allInCost(p: Facts, { buy, q, c, worst, ofAsset }: Values): Finding {
  const { quote } = p.chain;
  if (quote === undefined) return no('no_data', 'quote_missing');
  if (c === undefined || worst === undefined) return no('no_data', silence(ofAsset));
  const amountIn = BigInt(quote.amountIn);
  const [asset, coin] = [10n ** BigInt(p.asset.decimals), 10n ** BigInt(p.quoteAsset.decimals)];
  const costAt = (value: bigint) => {
    if (q === undefined || amountIn <= 0n) return undefined;
    const paid = buy ? ceil(amountIn * q, coin) : ceil(amountIn * value, asset);
    const received = buy ? floor(BigInt(quote.amountOut) * value, asset) : floor(BigInt(quote.amountOut) * q, coin);
    const lost = paid - received;
    if (paid <= 0n) return undefined;
    return lost > 0n ? ceil(lost * 10_000n, paid) : -floor(-lost * 10_000n, paid);
  };
  const [atWorst, atReference] = [costAt(worst), costAt(c)];
  if (atWorst === undefined || atReference === undefined) return no('no_data', 'reference_missing');
  return within(atWorst > BigInt(p.limits.costBps.noGo) ? atWorst : atReference, p.limits.costBps, 'cost_high');
}

const inDoubles = (closes: string[]) => closes.map((close) => Number(close) / 1e18);
const changesOf = (closes: number[]) => closes.slice(1).map((close, i) => Math.log(close / (closes[i] ?? 0)));
const sum = (xs: number[]) => xs.reduce((total, x) => total + x, 0);

function volatility({ history, limits }: Facts): Finding {
  const closes: string[] = history?.closesWad?.slice(-25) ?? [];
  if (closes.length < 25 || BigInt(history.intervalSeconds) <= 0n || !closes.every(usable))
    return BigInt(limits.fittedHours) > 0n ? { outcome: 'pass' } : no('caution', 'past_missing');
  const changes = changesOf(inDoubles(closes));
  const m = sum(changes) / changes.length;
  const d = Math.sqrt(sum(changes.map((x) => (x - m) ** 2)) / (changes.length - 1));
  const measured = Math.ceil(10_000 * d * Math.sqrt(3_600 / Number(history.intervalSeconds)));
  return within(BigInt(measured), limits.volatilityBps, 'volatility_high');
}

function threeCloses({ history, chain }: Facts, { chainlink }: Values): string[] | undefined {
  const newest: string[] = history?.closesWad?.slice(-3) ?? [];
  if (newest.length === 3 && newest.every(usable)) return newest;
  const [hourAgo, twoHoursAgo] = chain.chainlinkPast ?? [];
  if (chainlink.why !== undefined || hourAgo === undefined || twoHoursAgo === undefined) return undefined;
  const olderBy = ({ updatedAt }: Facts, seconds: bigint) =>
    BigInt(updatedAt) > 0n && BigInt(chain.block.timestamp) - BigInt(updatedAt) >= seconds;
  if (!olderBy(hourAgo, 3_600n) || !olderBy(twoHoursAgo, 7_200n)) return undefined;
  const rounds = [twoHoursAgo.usdWad, hourAgo.usdWad, chain.chainlink.usdWad];
  return rounds.every(usable) ? rounds : undefined;
}

function recentMove(p: Facts, of: Values): Finding {
  const closes = threeCloses(p, of);
  if (closes === undefined) return no('caution', 'past_missing');
  const [a = 0, b = 0] = changesOf(inDoubles(closes));
  const largest = [b, a, a + b].reduce((most, x) => (Math.abs(x) > Math.abs(most) ? x : most));
  const fall = largest < 0;
  const m = Math.ceil(10_000 * Math.abs(largest));
  const share = 10_000 * (fall ? 1 - Math.exp(-m / 10_000) : Math.exp(m / 10_000) - 1);
  const finding = within(BigInt(m), p.limits.moveBps, 'price_moving');
  const measured = BigInt(Math.ceil(Math.min(share, 1e9)));
  if (of.buy && fall && of.count >= 3) return { outcome: 'pass', measured };
  return { ...finding, measured };
}

/** The outcome, reason and measure of every check, and the verdict, of the proposal in an evidence document. */
export function judgeAgain(p: Facts) {
  const of = values(p);
  const findings: Record<string, Finding> = {
    chain_health: chainHealth(p),
    chain_freshness: chainFreshness(p, of),
    price_jump: priceJump(p, of),
    executability: executability(p),
    way_back: wayBack(p),
    stablecoin_peg: stablecoinPeg(p, of),
    all_in_cost: allInCost(p, of),
    volatility: volatility(p),
    recent_move: recentMove(p, of),
  };
  const outcomes = Object.values(findings).map(({ outcome }) => outcome);
  const verdict = ['no_go', 'no_data', 'caution'].find((each) => outcomes.includes(each))?.toUpperCase() ?? 'GO';
  return { verdict, findings };
}
