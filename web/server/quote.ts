import type { Asset } from '@bowline/core/domain/assets';
import type { MarketData } from '@bowline/core/domain/market-data';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import { z } from 'zod';
import { finding, type QuoteAnswer, verdictWord, type YearAnswer } from '../wire.ts';
import { type Agent, AgentRefusal } from './agent.ts';

/** Size of a requested verdict: small enough that the verdict is about the price, not the size. */
const sizeUsd = '100';
/** How long an answer is shared: many pages request it, but the agent allows 120 verdicts a minute. */
const freshMs = 5_000;
const hours = 24;

const verdictAnswer = z.object({
  verdict: verdictWord,
  reason: z.string().nullable(),
  findings: z.array(finding),
  largest_go_usd: z.string().nullable().optional(),
  ticket: z.object({ expires_at: z.string() }).nullable(),
  evidence: z.object({
    proposal: z.object({
      chain: z.object({
        block: z.object({ timestamp: z.string() }),
        chainlink: z.object({ usdWad: z.string() }).optional(),
      }),
    }),
  }),
});

/** The agent's state. Rescues and buys depend on every part that is not a loop, and each on its own loop. */
const readyAnswer = z.object({
  dependencies: z.object({
    chain: dependency(),
    gas: dependency(),
    operations: dependency(),
    stop_file: dependency().optional(),
    'loan-guard': dependency().optional(),
    executor: dependency().optional(),
  }),
});

function dependency() {
  return z.object({ ok: z.boolean(), reason: z.string().optional() });
}

type AssetQuote = QuoteAnswer['assets'][number];

/** Prices, their last day, and verdicts for every listed asset. An unavailable part is null, with its reason. */
export function createQuotes(
  agent: Agent,
  assets: readonly Asset[],
  exchange: MarketData | undefined,
  nowMs: () => number,
): () => Promise<QuoteAnswer> {
  let last: { readonly at: number; readonly answer: Promise<Omit<QuoteAnswer, 'sent_at'>> } | undefined;

  async function history({ exchangePair }: Asset): Promise<Pick<AssetQuote, 'history' | 'change_24h_percent'>> {
    if (exchange === undefined || exchangePair === undefined) return { history: [], change_24h_percent: null };
    const { candles, broken = 0 } = await exchange.candles(exchangePair, '1h', hours);
    if (broken > 0) throw new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true });
    const [first, newest] = [candles[0], candles.at(-1)];
    const change =
      first === undefined || newest === undefined
        ? null
        : // In hundredths of a percent, truncated.
          formatUnits(((newest.closeWad - first.openWad) * 10_000n) / first.openWad, 2);
    return {
      history: candles.map(({ openedAt, closeWad }) => [Number(openedAt), formatUnits(closeWad, 18)]),
      change_24h_percent: change,
    };
  }

  async function judged({ symbol }: Asset): Promise<Pick<AssetQuote, 'price_usd' | 'judged'>> {
    const asked = await agent.get('/verdict', { asset: symbol, side: 'buy', amount_usd: sizeUsd });
    const { data } = verdictAnswer.safeParse(asked);
    if (data === undefined) throw new AgentRefusal('agent_unavailable', 'The agent sent an unreadable verdict.');
    const { evidence, ticket, ...rest } = data;
    const { block, chainlink } = evidence.proposal.chain;
    const usdWad = chainlink?.usdWad;
    const times = { issued_at: block.timestamp, expires_at: ticket?.expires_at ?? null };
    return { judged: { ...rest, ...times }, price_usd: usdWad === undefined ? null : formatUnits(BigInt(usdWad), 18) };
  }

  async function quoteOf(asset: Asset): Promise<AssetQuote> {
    const [past, now] = await Promise.allSettled([history(asset), judged(asset)]);
    return {
      symbol: asset.symbol,
      ...(past.status === 'fulfilled' ? past.value : { history: [], change_24h_percent: null }),
      ...(now.status === 'fulfilled' ? now.value : { judged: null, price_usd: null }),
      unavailable: [past, now].flatMap((part) => (part.status === 'rejected' ? [codeOf(part.reason)] : [])),
    };
  }

  async function working(): Promise<Pick<QuoteAnswer, 'rescues' | 'buys'>> {
    const { data } = readyAnswer.safeParse(await agent.ready().catch(() => undefined));
    if (data === undefined) return { rescues: null, buys: null };
    const { executor, 'loan-guard': loanGuard, ...shared } = data.dependencies;
    const stateOf = (loop: z.infer<ReturnType<typeof dependency>> | undefined) => {
      if (loop === undefined) return null;
      const failed = [...Object.values(shared), loop].find((state) => state?.ok === false);
      return { ok: failed === undefined, reason: failed?.reason ?? null };
    };
    return { rescues: stateOf(loanGuard), buys: stateOf(executor) };
  }

  /** Passed on unchanged: the page decides how far to trust it. */
  async function stated(): Promise<Pick<QuoteAnswer, 'serves'>> {
    const statement = await agent.statement().catch(() => undefined);
    const isRecord = typeof statement === 'object' && statement !== null && 'serves' in statement;
    return { serves: isRecord ? statement.serves : null };
  }

  return async () => {
    const at = nowMs();
    // A clock that was set back must not make an old answer fresh.
    if (last === undefined || at < last.at || at - last.at >= freshMs) {
      const answer = Promise.all([working(), stated(), ...assets.map(quoteOf)]).then(([work, serves, ...quotes]) => ({
        time: new Date(at).toISOString(),
        ...work,
        ...serves,
        assets: quotes,
      }));
      last = { at, answer };
    }
    const answer = await last.answer;
    return { ...answer, sent_at: new Date(nowMs()).toISOString() };
  };
}

const codeOf = (reason: unknown): string =>
  typeof reason === 'object' && reason !== null && 'code' in reason ? String(reason.code) : 'internal';

const yearDays = 365;
/** How long an answer is shared. The last close is today's and still moves. */
const yearFreshMs = 600_000;

/**
 * Daily closes of the past year from the exchange, shared by all callers. Empty for an asset without a pair, or without
 * an exchange.
 * @returns undefined for an asset that is not listed.
 * @throws BowlineError `market_unavailable`
 */
export function createYears(
  assets: readonly Asset[],
  exchange: Pick<MarketData, 'candles'> | undefined,
  nowMs: () => number,
): (symbol: string) => Promise<YearAnswer | undefined> {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<YearAnswer> }>();

  async function read({ symbol, exchangePair }: Asset): Promise<YearAnswer> {
    if (exchange === undefined || exchangePair === undefined) return { symbol, closes: [] };
    const { candles, broken = 0 } = await exchange.candles(exchangePair, '1d', yearDays);
    // A chart would draw a line across the gaps.
    if (broken > 0) throw new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true });
    return { symbol, closes: candles.map(({ openedAt, closeWad }) => [Number(openedAt), formatUnits(closeWad, 18)]) };
  }

  return async (symbol) => {
    const asset = assets.find((each) => each.symbol === symbol);
    if (asset === undefined) return undefined;
    const last = known.get(symbol);
    if (last !== undefined && nowMs() - last.at < yearFreshMs) return last.answer;
    const answer = read(asset);
    known.set(symbol, { at: nowMs(), answer });
    // Failures are not cached: the next caller retries.
    answer.catch(() => known.delete(symbol));
    return answer;
  };
}
