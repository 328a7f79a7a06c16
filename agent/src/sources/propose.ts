import { type Asset, isTraded, quoteAssetOf, tradedAsset } from '@bowline/core/domain/assets';
import type {
  BookDepth,
  BookTicker,
  Candle,
  History,
  Limits,
  Priced,
  Proposal,
  Reference,
  Side,
  Size,
} from '@bowline/core/domain/facts';
import type {
  Clock,
  MarketData,
  MarketReader,
  OrderBook,
  PastPrices,
  PriceReader,
  PythPrices,
  TradingCalendars,
} from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { deviationBpsUp } from '@bowline/core/domain/units';
import { MIN_HOURS } from '@bowline/core/verdict/checks/price-in-history';

export interface Sources extends OffChainSources {
  readonly assets: readonly Asset[];
  readonly limitsOf: (asset: Asset) => Limits;
  readonly chain: MarketReader;
  readonly calendars: TradingCalendars;
  readonly clock: Clock;
}

/**
 * Gathers what the checks need to know of a trade, from the chain, the exchange and Pyth at the same time. Throws
 * `chain_unavailable` when the chain does not answer, since without a block there is nothing to judge; who else does not
 * answer is a missing fact, which the checks find. Throws `no_pool` for an asset that is not traded.
 */
export async function propose(sources: Sources, listed: Asset, side: Side, size: Size): Promise<Proposal> {
  const { assets, limitsOf, chain, calendars, clock } = sources;
  const asset = tradedAsset(listed);
  const quoteAsset = quoteAssetOf(assets, asset);
  const [facts, answers] = await Promise.all([chain.facts(asset, quoteAsset, side, size), askOffChain(sources, asset)]);
  const [readAt, limits] = [clock(), limitsOf(asset)];
  const session = asset.calendar === undefined ? undefined : calendars.session(asset.calendar, facts.block.timestamp);
  return {
    ...{ asset, quoteAsset, side, size, readAt, chain: facts, ...offChainFacts(answers, readAt, limits), limits },
    ...(session && { session }),
  };
}

export interface OffChainSources {
  /** Absent where no exchange is configured. */
  readonly exchange?: MarketData;
  /** Absent where Pyth is not configured. */
  readonly pyth?: PythPrices;
}

/** `off` where nobody was asked, undefined where nobody answered. */
interface Answers {
  readonly ticker: BookTicker | 'off' | undefined;
  readonly book: OrderBook | 'off' | undefined;
  readonly past: PastPrices | 'off' | undefined;
  readonly pyth: Reference | 'off' | undefined;
}

const OFF = 'off' as const;
const HOUR = 3_600n;
/** A week. */
const HOURS = 168;

/** Asks everything at the same time. One that does not answer takes no other answer with it. */
export async function askOffChain(sources: OffChainSources, asset: Asset): Promise<Answers> {
  const { exchange } = sources;
  const pair = asset.exchangePair;
  const asked = exchange && pair !== undefined ? { exchange, pair } : undefined;
  const [book, past, prices] = await Promise.all([
    asked ? orNothing(asked.exchange.depth(asked.pair)) : OFF,
    asked ? orNothing(asked.exchange.candles(asked.pair, '1h', HOURS)) : OFF,
    askPrices(sources, asset),
  ]);
  return { ...prices, book, past };
}

/** The prices of now alone. */
async function askPrices(
  { exchange, pyth: publishers }: OffChainSources,
  { exchangePair: pair, pythId }: Asset,
): Promise<Pick<Answers, 'ticker' | 'pyth'>> {
  const [ticker, pyth] = await Promise.all([
    exchange && pair !== undefined ? orNothing(exchange.bookTicker(pair)) : OFF,
    publishers && pythId !== undefined ? orNothing(publishers.price(pythId)) : OFF,
  ]);
  return { ticker, pyth };
}

async function orNothing<Fact>(answer: Promise<Fact>): Promise<Fact | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BowlineError && error.code === 'market_unavailable') return undefined;
    throw error;
  }
}

/**
 * What the checks may look at. Neither a book nor candles say whose they are, and neither fact says of when it is: what is not
 * of now, or does not stand round the best bid and ask, is of another time or another pair, and is none.
 */
export function offChainFacts(
  { ticker, book, past, pyth }: Answers,
  readAt: bigint,
  limits: Limits,
): Pick<Proposal, 'exchange' | 'depth' | 'history' | 'pyth'> {
  const standsRound = (priceWad: bigint): boolean =>
    ticker === undefined ||
    ticker === 'off' ||
    deviationBpsUp(priceWad, (ticker.bidWad + ticker.askWad) / 2n) <= limits.referencesBps.noGo;
  const depth = book === 'off' ? book : book && depthOf(book, readAt, limits, standsRound);
  const history = past === 'off' ? past : past && historyOf(past, readAt, limits, standsRound);
  return {
    ...(ticker && { exchange: ticker }),
    ...(depth && { depth }),
    ...(history && { history }),
    ...(pyth && { pyth }),
  };
}

type StandsRound = (priceWad: bigint) => boolean;

const isOfNow = (answeredAt: bigint, readAt: bigint, seconds: bigint): boolean =>
  answeredAt >= readAt - seconds && answeredAt <= readAt + seconds;

function depthOf(
  { bidsWad, asksWad, middleWad, answeredAt }: OrderBook,
  readAt: bigint,
  { exchangeAgeSeconds }: Limits,
  standsRound: StandsRound,
): BookDepth | undefined {
  return isOfNow(answeredAt, readAt, exchangeAgeSeconds) && standsRound(middleWad) ? { bidsWad, asksWad } : undefined;
}

/** Up to the hour under way. Whether there are enough is for the checks to say. */
function historyOf(
  { candles, answeredAt }: PastPrices,
  readAt: bigint,
  { exchangeAgeSeconds }: Limits,
  standsRound: StandsRound,
): History | undefined {
  const last = candles.at(-1);
  if (last === undefined || !standsRound(last.closeWad)) return undefined;
  // The hour under way is of any age up to an hour: an answer that somebody kept for us would pass by its candles alone.
  if (!isOfNow(answeredAt, readAt, exchangeAgeSeconds)) return undefined;
  const age = readAt - last.openedAt;
  // The hour may have changed on the way, and the exchange's clock is another.
  const isOfThisHour = age >= -exchangeAgeSeconds && age <= HOUR + exchangeAgeSeconds;
  const closesWad = isOfThisHour ? hourly(candles) : undefined;
  return closesWad && { intervalSeconds: HOUR, closesWad };
}

/**
 * Closes of every hour; undefined where more than one hour is missing, or one of the newest that the checks need at least.
 * Exchanges do lack an hour now and then. Its close is put where both of its moves are the same: whatever it was, their squares
 * add up to no more than the true ones, so that the usual move is never found larger, and nothing is judged more loosely.
 */
function hourly(candles: readonly Candle[]): readonly bigint[] | undefined {
  const closes = candles.map(({ closeWad }) => closeWad);
  let missing: number | undefined;
  for (let at = 1; at < candles.length; at += 1) {
    const step = (candles[at]?.openedAt ?? 0n) - (candles[at - 1]?.openedAt ?? 0n);
    if (step === HOUR) continue;
    if (step !== 2n * HOUR || missing !== undefined || candles.length - at < MIN_HOURS) return undefined;
    missing = at;
  }
  if (missing === undefined) return closes;
  return closes.toSpliced(missing, 0, rootDown((closes[missing - 1] ?? 0n) * (closes[missing] ?? 0n)));
}

/** Square root, by Newton's steps from above. */
function rootDown(square: bigint): bigint {
  if (square <= 0n) return 0n;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

type PriceSources = Omit<Sources, 'chain' | 'calendars'> & { readonly chain: PriceReader };

/** Gathers what the price of an asset follows from, also of one that is not traded. Throws `chain_unavailable`. */
export async function priceOf(sources: PriceSources, asset: Asset): Promise<Priced> {
  const { assets, chain: reader, clock, limitsOf } = sources;
  const quoteAsset = isTraded(asset) ? quoteAssetOf(assets, asset) : undefined;
  const [chain, { ticker, pyth }] = await Promise.all([reader.price(asset, quoteAsset), askPrices(sources, asset)]);
  return {
    ...{ asset, readAt: clock(), chain, limits: limitsOf(asset) },
    ...(ticker && { exchange: ticker }),
    ...(pyth && { pyth }),
  };
}
