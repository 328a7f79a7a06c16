import type { Asset } from '@bowline/core/domain/assets';
import type { Candle } from '@bowline/core/domain/facts';
import type { Position } from '@bowline/core/domain/loan-part';
import type { Guard, Plan, Run } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { type Address, WAD } from '@bowline/core/domain/units';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { BTCB, fairProposal, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { keccak256, stringToBytes } from 'viem';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { serves } from '../api/deployment.ts';

export const OWNER = '0x1111111111111111111111111111111111111111';
const OTHER = '0x2222222222222222222222222222222222222222';
const UNLISTED = '0x3333333333333333333333333333333333333333';
const { pool: _, exchangePair: __, ...bare } = BTCB;
/** Includes an asset that is listed but has no pool. */
export const withUntraded: readonly Asset[] = [
  BTCB,
  USDT,
  { ...bare, symbol: 'GOLD', aliases: ['gold'], address: '0x0000000000000000000000000000000000000009' },
];
const block = { number: 1_000n, timestamp: NOW };

const plan = (id: bigint, changes: Partial<Plan> = {}): Plan => ({
  id,
  owner: OWNER,
  recipient: OWNER,
  executor: OTHER,
  verdictSigner: '0x0000000000000000000000000000000000000000',
  tokenIn: USDT.address,
  tokenOut: BTCB.address,
  amountPerRun: 100n * WAD,
  startAt: NOW - 3_600n,
  periodSeconds: 3_600n,
  windowSeconds: 900n,
  maxRuns: 10,
  expiresAt: NOW + 86_400n,
  priceSource: OTHER,
  limitPriceWad: 0n,
  maxSlippageBps: 100,
  farLimit: false,
  triggerPriceWad: 0n,
  status: 'active',
  cursor: 0n,
  runs: 1,
  records: 2,
  deferrals: 0,
  lastReason: 0,
  version: 1,
  ownerBalance: 1_000n * WAD,
  ownerAllowance: 1_000n * WAD,
  ...changes,
});

const run = (planId: bigint, record: number, changes: Partial<Run> = {}): Run => ({
  planId,
  record,
  outcome: 'executed',
  amountIn: 100n * WAD,
  amountOut: WAD / 1_000n,
  floor: (WAD * 99n) / 100_000n,
  time: NOW - 60n,
  slotStart: NOW - 100n,
  reasonCode: 0,
  verdict: 'GO',
  version: 1,
  isAttested: false,
  evidencePrefix: `0x${'ab'.repeat(19)}`,
  ...changes,
});

const guard = (id: bigint): Guard => ({
  id,
  borrower: OWNER,
  funder: OWNER,
  adapter: OTHER,
  market: OTHER,
  repayToken: USDT.address,
  triggerHealthWad: (WAD * 105n) / 100n,
  targetHealthWad: (WAD * 125n) / 100n,
  capPerRescue: 1_000n * WAD,
  capPerDay: 2_000n * WAD,
  minRepay: WAD,
  cooldownSeconds: 0n,
  expiresAt: NOW + 86_400n,
  status: 'active',
  lastRescueAt: 0n,
  day: 0n,
  takenInDay: 0n,
  rescues: 0,
});

const plans = [
  plan(1n),
  plan(2n, { owner: OTHER, tokenIn: UNLISTED, amountPerRun: 7n, status: 'paused', records: 0 }),
] as const;
const guards = [guard(1n), guard(2n)] as const;

const candle = (openedAt: bigint, openWad: bigint, closeWad: bigint): Candle => ({
  openedAt,
  openWad,
  closeWad,
  highWad: (openWad > closeWad ? openWad : closeWad) + WAD,
  lowWad: (openWad < closeWad ? openWad : closeWad) - WAD,
  volumeWad: WAD,
});

/** A small world of known numbers. The same tools run on the real chain in the end-to-end tests. */
export const world: ToolContext = {
  assets: [BTCB, USDT],
  limitsOf: limitsOfAsset,
  clock: () => NOW,
  drafter: { draft: async () => ({ state: 'refused', reason: 'balance_too_low' }) },
  hash: (text) => keccak256(stringToBytes(text)),
  self: async () => ({
    version: '0.1.0',
    description: 'Verdicts.',
    price: { price_usd: 0 },
    priced: [],
    links: { page: 'http://127.0.0.1:3000' },
    serves: async () => serves,
    readiness: async () => ({ ready: true, dependencies: {} }),
  }),
  exchange: {
    bookTicker: async () => ({ bidWad: 100_000n * WAD, askWad: 100_000n * WAD, answeredAt: NOW }),
    // For a day or less, two rising candles. The checks ask for a week: up and down by 0.1 %, now at the book's price.
    candles: async (_pair, _interval, count) => ({
      candles:
        count <= 100
          ? [candle(NOW - 7_200n, 90_000n * WAD, 95_000n * WAD), candle(NOW - 3_600n, 95_000n * WAD, 99_000n * WAD)]
          : Array.from({ length: count }, (_, at) => {
              const closeWad = (at - count) % 2 === 0 ? 99_900n * WAD : 100_000n * WAD;
              return candle(NOW - 3_600n * BigInt(count - 1 - at), closeWad, closeWad);
            }),
      answeredAt: NOW,
    }),
  },
  chain: {
    facts: async () => fairProposal().chain,
    price: async (_, quoteAsset) => {
      const { block, chainlink, venus, quoteToken, spotWad } = fairProposal().chain;
      const ofPool = quoteAsset && { ...(quoteToken && { quoteToken }), ...(spotWad && { spotWad }) };
      return { block, ...(chainlink && { chainlink }), ...(venus && { venus }), ...ofPool };
    },
    sourcePriceWad: async () => 100_000n * WAD,
    plans: async () => ({ block, plans: [...plans], unread: 0 }),
    plan: async (id) => {
      const found = plans.find((each) => each.id === id);
      if (found === undefined) throw new BowlineError('unknown_plan', `There is no plan ${id}.`);
      return found;
    },
    planWithFunds: async (id) => {
      const found = plans.find((each) => each.id === id);
      if (found === undefined) throw new BowlineError('unknown_plan', `There is no plan ${id}.`);
      return { plan: found, block };
    },
    newestPlans: async ({ owner, before, count }) => {
      const all = plans.filter((each) => owner === undefined || each.owner === owner).toReversed();
      const older = all.filter(({ id }) => before === undefined || id < before);
      const page = older.slice(0, count);
      const next = page.at(-1)?.id;
      return {
        block,
        plans: page,
        total: all.length,
        ...(next !== undefined && page.length < older.length && { next }),
        unread: 0,
      };
    },
    runs: async (id, from, to) =>
      [
        run(id, 0),
        run(id, 1, {
          outcome: 'deferred',
          amountIn: 0n,
          amountOut: 0n,
          floor: 0n,
          reasonCode: 16,
          reason: 'cost_high',
          verdict: 'NO_GO',
        }),
      ].slice(from, to),
    guards: async () => ({ block, guards: [...guards], unread: 0 }),
    guard: async (id) => {
      const found = guards.find((each) => each.id === id);
      if (found === undefined) throw new BowlineError('unknown_guard', `There is no guard ${id}.`);
      return found;
    },
    guardsFor: async () => ({ guards: [], total: 0, unread: 0 }),
    guardsOf: async (_, count) => ({ guards: guards.slice(0, count), total: guards.length, unread: 0 }),
    loan: async (borrower) => ({
      borrower,
      block,
      protocol: 'Venus',
      debtUsdWad: 1_000n * WAD,
      weightedCollateralUsdWad: 990n * WAD,
      healthWad: (WAD * 99n) / 100n,
      forcedDebts: [],
      parts: [
        position({ token: BTCB.address, supplied: 1n, usd: 1_000n, percent: 99n }),
        position({ token: USDT.address, debt: 1_000n, usd: 1n }),
      ],
    }),
    healthOf: async ({ borrower }) => world.chain.loan(borrower),
    guardedLoan: async () => Promise.reject(new Error('not asked')),
    preview: async (guardId) => (guardId === 1n ? { repay: 208n * WAD } : { error: 'cooling_down' }),
  },
};

interface Held {
  readonly token?: Address;
  /** Whole units of a token of 18 decimals. */
  readonly supplied?: bigint;
  readonly debt?: bigint;
  /** US dollars for one; absent: a fixed price of one, for which the protocol asks nobody. */
  readonly usd?: bigint;
  /** Percentage of a deposit's value that counts. */
  readonly percent?: bigint;
}

/** What one market adds to a loan. */
export function position({ token, supplied = 0n, debt = 0n, usd, percent = 80n }: Held): Position {
  const priceWad = (usd ?? 0n) * WAD;
  const weightedAt = (price: bigint) => (supplied * price * percent) / 100n;
  const debtAt = (price: bigint) => debt * (usd === undefined ? WAD : price);
  const values = { weightedWad: weightedAt(priceWad), debtWad: debtAt(priceWad) };
  const market = `0x${'0'.repeat(24)}${(token ?? OTHER).slice(2)}` as const;
  const amounts = { supplied: supplied * WAD, debt: debt * WAD };
  return { market, priceWad, weightedAt, debtAt, ...values, ...amounts, ...(token && { token }) };
}

const { quote: _quote, play: _play, spotWad: _spot, ...unquoted } = fairProposal().chain;

/** The same, with a pool that has no price and quotes no swap. */
export const withoutQuote: ToolContext = { ...world, chain: { ...world.chain, facts: async () => unquoted } };

export const unavailable = async (): Promise<never> => {
  throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });
};

/** Calls a tool of the list, and throws what it fails with. */
export async function ask(
  name: string,
  input: unknown,
  context: ToolContext = world,
): Promise<Record<string, unknown>> {
  const result = await callTool(tools, context, (error) => {
    throw error;
  })(name, input);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.value;
}
