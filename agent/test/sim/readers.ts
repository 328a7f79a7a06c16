import { asking, type ChainClient } from '@bowline/chain/chain-client';
import type { BalanceReader, GuardReader, HealthReader, PlanReader, PriceReader } from '@bowline/chain/readers';
import { isTraded } from '@bowline/core/domain/assets';
import type { Block as CoreBlock } from '@bowline/core/domain/facts';
import { numberOf } from '@bowline/core/domain/guard-key';
import type { MarketData, PythPrices } from '@bowline/core/domain/market-data';
import type { Guard, Plan } from '@bowline/core/domain/permissions';
import type { Clock } from '@bowline/core/domain/time';
import { BPS, WAD } from '@bowline/core/domain/units';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { BTCB, closes, fairProposal, USDT } from '@bowline/core/test/verdict/proposals';
import type { Hex } from 'viem';
import { zeroAddress, zeroHash } from 'viem';
import type { Sources } from '../../src/sources/propose.ts';
import { borrower, owner, swapExecutor, wallet } from './addresses.ts';
import type { Block, Chain } from './chain.ts';
import { isDue, type PlanTerms } from './contracts.ts';
import type { Line } from './network.ts';

// Stand-ins for the readers, at their ports: what they read is the model's state as a node of the line sees it.

const healthy = 125n * 10n ** 16n;
const endangered = 105n * 10n ** 16n;
const price = 100_000n * WAD;
const years = 10n ** 9n;

const blockOf = ({ number, timestamp }: Block): CoreBlock => ({ number: BigInt(number), timestamp });

export type Readers = ReturnType<typeof createReaders>;

/** @param guardIds guards with an odd id accept rescues from anybody, the others from the operator alone. */
export function createReaders(chain: Chain, line: Pick<Line, 'read'>, guardIds: readonly bigint[], operator: Hex) {
  const guardAt = (id: bigint, { state }: Block): Guard => {
    const records = state.rescues.get(id) ?? [];
    return {
      id,
      borrower,
      funder: borrower,
      adapter: wallet,
      market: zeroHash,
      repayToken: USDT.address,
      ...(id % 2n === 0n && { keeper: operator }),
      triggerHealthWad: 11n * 10n ** 17n,
      targetHealthWad: healthy,
      capPerRescue: years,
      capPerDay: years,
      minRepay: 1n,
      cooldownSeconds: 0n,
      expiresAt: 10n * years,
      status: 'active',
      lastRescueAt: records.at(-1)?.time ?? 0n,
      day: 0n,
      takenInDay: 0n,
      rescues: records.length,
    };
  };
  const isFallen = (id: bigint, block: Block): boolean => isDue(block.state, chain.around(block), id);
  const notModelled = () => Promise.reject(new Error('not modelled'));

  const guards: GuardReader & BalanceReader = {
    guards: () =>
      line.read((block) => ({
        block: blockOf(block),
        guards: guardIds.map((id) => guardAt(id, block)),
        unread: 0,
      })),
    preview: (key) =>
      line.read((block) =>
        isFallen(numberOf(key), block) ? { repay: 100n * WAD } : { error: 'health_not_below_trigger' },
      ),
    balances: (_owner, tokens) => line.read(() => tokens.map(() => WAD)),
    guard: notModelled,
    guardsOf: notModelled,
    guardsFor: notModelled,
    loan: notModelled,
    healthOf: notModelled,
    guardedLoan: notModelled,
  };
  const healths: HealthReader['healths'] = (asked) =>
    line.read((block) => asked.map(({ id }) => (isFallen(id, block) ? endangered : healthy)));
  const loans = readingEach(healths);
  return { guards, loans, plans: planReader(chain, line), prices: priceReader(line) };
}

/** Reads loans from whatever is behind the client. */
export function loansBehind(client: ChainClient): HealthReader {
  const healths: HealthReader['healths'] = (guards) =>
    asking(async () => {
      const method = 'model_due' as 'eth_chainId';
      const due = await client.request({ method, params: guards.map(({ id }) => id) as never });
      return (due as unknown as boolean[]).map((is) => (is ? endangered : healthy));
    });
  return readingEach(healths);
}

const readingEach = (healths: HealthReader['healths']): HealthReader => ({
  healths,
  watch: async (guards, isWanted = () => true) => {
    const wanted = guards.filter(isWanted);
    return { guards: wanted, healths: await healths(wanted) };
  },
  changed() {},
  falling: () => new Map(),
});

function planReader(chain: Chain, line: Pick<Line, 'read'>): PlanReader & BalanceReader {
  const notModelled = () => Promise.reject(new Error('not modelled'));
  return {
    plans: () =>
      line.read((block) => ({
        block: blockOf(block),
        plans: chain.plans.map((terms) => planAt(terms, block)),
        unread: 0,
      })),
    runs: (planId, from, to) =>
      line.read(({ state }) =>
        (state.records.get(planId) ?? []).slice(from, to).map(({ slotStart, time, reasonCode }, at) => ({
          planId,
          record: from + at,
          outcome: reasonCode === 0 ? 'executed' : 'deferred',
          amountIn: WAD,
          amountOut: WAD,
          floor: WAD,
          time,
          slotStart,
          reasonCode,
          verdict: reasonCode === 0 ? 'GO' : 'NO_GO',
          version: 1,
          isAttested: false,
          evidencePrefix: '0x',
        })),
      ),
    balances: (_owner, tokens) => line.read(() => tokens.map(() => WAD)),
    plan: notModelled,
    planWithFunds: notModelled,
    newestPlans: notModelled,
  };
}

function planAt(terms: PlanTerms, { state }: Block): Plan {
  const records = state.records.get(terms.id) ?? [];
  const cursor = state.cursors.get(terms.id) ?? terms.startAt;
  const deferrals = records.filter(({ slotStart, reasonCode }) => reasonCode !== 0 && slotStart === cursor);
  return {
    owner,
    recipient: owner,
    executor: swapExecutor,
    verdictSigner: zeroAddress,
    tokenIn: USDT.address,
    tokenOut: BTCB.address,
    amountPerRun: 1_000n * WAD,
    maxRuns: 1_000_000,
    expiresAt: 10n * years,
    priceSource: zeroAddress,
    limitPriceWad: 10n ** 30n,
    maxSlippageBps: 0,
    farLimit: false,
    triggerPriceWad: 0n,
    status: 'active',
    cursor,
    runs: state.runs.get(terms.id)?.length ?? 0,
    records: records.length,
    deferrals: deferrals.length,
    lastReason: deferrals.at(-1)?.reasonCode ?? 0,
    version: 1,
    ownerBalance: 10n ** 30n,
    ownerAllowance: 10n ** 30n,
    ...terms,
  };
}

const priceReader = (line: Pick<Line, 'read'>): PriceReader => ({
  price: (asset) =>
    line.read((block) => ({
      block: blockOf(block),
      chainlink: {
        source: 'chainlink',
        feed: asset.feed as Hex,
        usdWad: isTraded(asset) && asset.symbol === BTCB.symbol ? price : WAD,
        updatedAt: block.timestamp,
      },
    })),
});

/** The fair pool, except that it is this many basis points dearer than everybody else. */
function poolAt(premiumBps: bigint) {
  const { chain, pyth } = fairProposal();
  const { quote, play, spotWad = 0n, twapWad = 0n } = chain;
  const dearer = (wad: bigint) => (wad * (BPS + premiumBps)) / BPS;
  const less = (amount: bigint) => (amount * BPS) / (BPS + premiumBps);
  if (quote === undefined || play === undefined || play === 'refused') throw new Error('The fair pool has a quote.');
  const fair = {
    ...chain,
    ...{ spotWad: dearer(spotWad), twapWad: dearer(twapWad) },
    quote: { ...quote, amountOut: less(quote.amountOut) },
    play: { ...play, received: less(play.received) },
  };
  return { chain: fair, pyth };
}

/** A market on which all is well, by every source. */
export function createSources(line: Pick<Line, 'read'>, clock: Clock, premiumBps = 0n): Sources {
  const { chain: fair, pyth } = poolAt(premiumBps);
  const exchange: MarketData = {
    bookTicker: async () => ({ bidWad: price, askWad: price, answeredAt: clock() }),
    candles: async () => ({ candles: candlesUpTo(clock()), answeredAt: clock() }),
  };
  return {
    assets: [BTCB, USDT],
    limitsOf: limitsOfAsset,
    clock,
    exchange,
    pyth: { price: async () => ({ ...(pyth as Awaited<ReturnType<PythPrices['price']>>), updatedAt: clock() }) },
    chain: {
      facts: () =>
        line.read(({ number, timestamp, parentHash }) => {
          const fresh = { updatedAt: timestamp };
          return {
            ...fair,
            block: { number: BigInt(number), timestamp, parentHash },
            finalBlock: BigInt(Math.max(0, number - 2)),
            chainlink: { ...(fair.chainlink as NonNullable<typeof fair.chainlink>), ...fresh },
            venus: { ...(fair.venus as NonNullable<typeof fair.venus>), ...fresh },
            quoteToken: { ...(fair.quoteToken as NonNullable<typeof fair.quoteToken>), ...fresh },
          };
        }),
    },
  };
}

const history = closes(0.005, 168);

function candlesUpTo(now: bigint) {
  const hour = now - (now % 3_600n);
  return history.map((closeWad, at) => ({
    openedAt: hour - 3_600n * BigInt(history.length - 1 - at),
    openWad: closeWad,
    highWad: closeWad,
    lowWad: closeWad,
    closeWad,
    volumeWad: WAD,
  }));
}
