import type { MarketReader, PriceReader } from '@bowline/chain/readers';
import { type Asset, isTraded, quoteAssetOf, tradedAsset } from '@bowline/core/domain/assets';
import type { BookTicker, Candle, History, Limits, Priced, Proposal, Side, Size } from '@bowline/core/domain/facts';
import type { MarketData, PastPrices, PythPrices } from '@bowline/core/domain/market-data';
import type { Look } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { Clock } from '@bowline/core/domain/time';
import { deviationBpsUp } from '@bowline/core/domain/units';

export interface Sources extends OffChainSources {
  readonly assets: readonly Asset[];
  readonly limitsOf: (asset: Asset) => Limits;
  readonly chain: MarketReader;
  readonly clock: Clock;
}

/**
 * Gathers the facts for a trade's checks from the chain, the exchange and Pyth concurrently. Throws `chain_unavailable`
 * if the chain does not answer, since nothing can be judged without a block; any other silent source is a missing fact,
 * which the checks report. Throws `no_pool` for an asset that is not traded.
 */
export async function propose(sources: Sources, listed: Asset, side: Side, size: Size): Promise<Proposal> {
  const { assets, limitsOf, chain, clock } = sources;
  const asset = tradedAsset(listed);
  const quoteAsset = quoteAssetOf(assets, asset);
  const limits = limitsOf(asset);
  const [facts, answers] = await Promise.all([
    chain.facts(asset, quoteAsset, side, size),
    askOffChain(sources, asset, quoteAsset),
  ]);
  const readAt = clock();
  return {
    ...{ asset, quoteAsset, side, size, readAt, chain: facts, ...offChainFacts(answers, readAt, limits), limits },
  };
}

export interface OffChainSources {
  /** Absent if no exchange is configured. */
  readonly exchange?: MarketData;
  /** Absent if Pyth is not configured. */
  readonly pyth?: PythPrices;
}

/** A source's answer: `off` if it is not configured or has nothing on the asset, undefined if it does not answer. */
type Said<Fact> = Fact | 'off' | undefined;

/** Current prices as facts. */
type Prices = Pick<Priced, 'exchange' | 'pyth' | 'quotePyth'>;
type Answers = Prices & { readonly past: Said<PastPrices> };

const HOUR = 3_600n;
/** One week. */
const HOURS = 168;

/** Sends all requests concurrently. A failed one does not affect the others. */
export async function askOffChain(
  sources: OffChainSources,
  asset: Asset,
  quoteAsset: Asset | undefined,
): Promise<Answers> {
  const [past, prices] = await Promise.all([
    said(sources.exchange, asset.exchangePair, (exchange, pair) => exchange.candles(pair, '1h', HOURS)),
    askPrices(sources, asset, quoteAsset),
  ]);
  return { ...prices, past };
}

/** Current prices only. */
async function askPrices(
  { exchange, pyth: publishers }: OffChainSources,
  asset: Asset,
  quoteAsset: Asset | undefined,
): Promise<Prices> {
  const [ticker, pyth, quotePyth] = await Promise.all([
    said(exchange, asset.exchangePair, (of, pair) => of.bookTicker(pair)),
    said(publishers, asset.pythId, (of, id) => of.price(id)),
    said(publishers, quoteAsset?.pythId, (of, id) => of.price(id)),
  ]);
  return {
    ...(ticker && { exchange: ticker }),
    ...(pyth && { pyth }),
    ...(quotePyth && { quotePyth }),
  };
}

async function said<Source, Name, Fact>(
  source: Source | undefined,
  name: Name | undefined,
  ask: (source: Source, name: Name) => Promise<Fact>,
): Promise<Said<Fact>> {
  if (source === undefined || name === undefined) return 'off';
  try {
    return await ask(source, name);
  } catch (error) {
    if (error instanceof BowlineError && error.code === 'market_unavailable') return undefined;
    throw error;
  }
}

/** The facts the checks may use. */
export function offChainFacts(
  { past, ...prices }: Answers,
  readAt: bigint,
  limits: Limits,
): Pick<Proposal, 'exchange' | 'history' | 'pyth' | 'quotePyth'> {
  const history = past === 'off' ? past : past && historyOf(past, prices.exchange, readAt, limits);
  return { ...prices, ...(history && { history }) };
}

/**
 * Closes up to the current hour, which takes the ticker's price: its candle is from another moment and differs in fast
 * markets. Candles name no pair: one that is off by a factor belongs to another. The checks decide if there are enough.
 */
function historyOf(
  { candles, answeredAt }: PastPrices,
  ticker: Said<BookTicker>,
  readAt: bigint,
  { exchangeAgeSeconds, jumpBps }: Limits,
): History | undefined {
  const last = candles.at(-1);
  if (last === undefined || last.closeWad <= 0n) return undefined;
  const nowWad = ticker === undefined || ticker === 'off' ? last.closeWad : (ticker.bidWad + ticker.askWad) / 2n;
  if (deviationBpsUp(nowWad, last.closeWad) > jumpBps.caution) return undefined;
  // The current hour's candle is up to an hour old: a stale cached response would pass by its candles alone.
  if (answeredAt < readAt - exchangeAgeSeconds || answeredAt > readAt + exchangeAgeSeconds) return undefined;
  const age = readAt - last.openedAt;
  // The hour may have changed in transit, and the exchange has its own clock.
  const isOfThisHour = age >= -exchangeAgeSeconds && age <= HOUR + exchangeAgeSeconds;
  const closesWad = isOfThisHour ? unbroken(candles) : undefined;
  return closesWad && { intervalSeconds: HOUR, closesWad: [...closesWad.slice(0, -1), nowWad] };
}

/**
 * The newest hourly closes without a gap, oldest first. Exchanges occasionally lack an hour, and
 * candles before the gap are older than they seem. Undefined if candles are out of order or not of whole hours: then
 * nothing in the answer can be relied on.
 */
function unbroken(candles: readonly Candle[]): readonly bigint[] | undefined {
  const steps = candles.slice(1).map(({ openedAt }, at) => openedAt - (candles[at]?.openedAt ?? 0n));
  if (steps.some((step) => step <= 0n || step % HOUR !== 0n)) return undefined;
  return candles.slice(steps.findLastIndex((step) => step !== HOUR) + 1).map(({ closeWad }) => closeWad);
}

type PriceSources = Omit<Sources, 'chain'> & { readonly chain: PriceReader };

/** Gathers the price facts of an asset, traded or not. Throws `chain_unavailable`. */
export async function priceOf(sources: PriceSources, asset: Asset): Promise<Priced> {
  const { assets, chain: reader, clock, limitsOf } = sources;
  const quoteAsset = isTraded(asset) ? quoteAssetOf(assets, asset) : undefined;
  const [chain, prices] = await Promise.all([reader.price(asset, quoteAsset), askPrices(sources, asset, quoteAsset)]);
  return { asset, readAt: clock(), chain, limits: limitsOf(asset), ...prices };
}

/** How long a response, or its absence, is shared with identical requests. A response carries its own time. */
const keptSeconds = 5n;

/**
 * Shares identical requests to the exchange and Pyth for a few seconds. Otherwise many plans or many callers would
 * exhaust the rate limit and leave the loops without an independent source, and each would wait separately for a source
 * that does not answer.
 */
export function sparing({ exchange, pyth }: OffChainSources, clock: Clock): OffChainSources {
  return {
    ...(exchange && {
      exchange: {
        bookTicker: keeping((...question) => exchange.bookTicker(...question), clock),
        candles: keeping((...question) => exchange.candles(...question), clock),
      },
    }),
    ...(pyth && { pyth: { price: keeping((id) => pyth.price(id), clock) } }),
  };
}

function keeping<Question extends readonly (string | number)[], Answer>(
  ask: (...question: Question) => Promise<Answer>,
  clock: Clock,
): (...question: Question) => Promise<Answer> {
  const answers = new Map<string, { readonly at: bigint; readonly answer: Promise<Answer> }>();
  return (...question) => {
    const now = clock();
    // Remove all expired entries: candle requests have thousands of different keys.
    for (const [key, { at }] of answers) if (at > now || now >= at + keptSeconds) answers.delete(key);
    const key = question.join(' ');
    const kept = answers.get(key);
    if (kept !== undefined) return kept.answer;
    const answer = ask(...question);
    answers.set(key, { at: now, answer });
    return answer;
  };
}

/** Whether each price source off chain has a price. @param seen is called when one has. */
export function sourceLooks({ assets, exchange, pyth }: Sources, seen: (source: string) => void): Look[] {
  const pair = assets.find(({ exchangePair }) => exchangePair !== undefined)?.exchangePair;
  const pythId = assets.find((asset) => asset.pythId !== undefined)?.pythId;
  const source = (name: string, of: string, ask: () => Promise<unknown>): Look => {
    // Its age is counted from start-up.
    seen(name);
    const look = async () => {
      await ask();
      seen(name);
      return `${of} has a price`;
    };
    return { name, look };
  };
  return [
    ...(exchange && pair !== undefined ? [source('exchange', pair, () => exchange.bookTicker(pair))] : []),
    ...(pyth && pythId !== undefined ? [source('pyth', pythId, () => pyth.price(pythId))] : []),
  ];
}
