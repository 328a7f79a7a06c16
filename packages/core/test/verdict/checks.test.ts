import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Proposal, Reference } from '../../domain/facts.ts';
import { BPS, WAD } from '../../domain/units.ts';
import type { Outcome } from '../../domain/verdict.ts';
import { checks } from '../../verdict/checks/index.ts';
import { limitsOf } from '../../verdict/limits.ts';
import { BTCB, closes, fairProposal, NOW, USDT, withChain } from './proposals.ts';

const USD = 100_000n * WAD;
/** 100,000 USD, moved by `bps`. */
const moved = (bps: bigint) => (USD * (BPS + bps)) / BPS;
const reference = (source: Reference['source'], usdWad: bigint, updatedAt = NOW): Reference => ({
  source,
  usdWad,
  updatedAt,
});
/** An exchange with this bid and ask, equal by default, that answered `secondsAgo` before now by its clock. */
const exchangeAt = (bidWad: bigint, askWad = bidWad, secondsAgo = 0n): Proposal => ({
  ...fairProposal(),
  exchange: { bidWad, askWad, answeredAt: NOW - secondsAgo },
});

const fair = fairProposal();
const fairQuote = fair.chain.quote;
if (fairQuote === undefined) throw new Error('the fair proposal has a quote');
const pythOf = (usdWad: bigint, confidenceUsd = 0n) =>
  ({ pyth: { source: 'pyth', usdWad, updatedAt: NOW, confidenceWad: confidenceUsd * WAD } }) as const;
const bidAsk = (bidWad: bigint, askWad: bigint) => ({ exchange: { bidWad, askWad, answeredAt: NOW } });

/** USDC, bought with USDT. */
const usdc = (usdWad: bigint | undefined): Proposal => ({
  ...withChain({ chainlink: usdWad === undefined ? undefined : reference('chainlink', usdWad) }),
  ...pythOf(usdWad ?? WAD),
  ...bidAsk(usdWad ?? WAD, usdWad ?? WAD),
  asset: { ...USDT, symbol: 'USDC' },
  limits: limitsOf.stable,
});

/** The fair proposal without one of its facts. */
function without(fact: 'exchange' | 'history' | 'pyth'): Proposal {
  const { [fact]: _, ...proposal } = fair;
  return proposal as Proposal;
}

/** Pyth at `usdWad`, give or take `confidenceWad`. */
const pythSure = (confidenceWad: bigint, usdWad = USD): Proposal => ({
  ...fair,
  pyth: { source: 'pyth', usdWad, updatedAt: NOW, confidenceWad },
});
const pythAt = (usdWad: bigint, secondsAgo = 0n): Proposal => ({
  ...fair,
  pyth: { source: 'pyth', usdWad, updatedAt: NOW - secondsAgo, confidenceWad: 0n },
});

const simulatedTo = (play: Proposal['chain']['play']) => withChain({ play });
const [received, returned] = [fairQuote.amountOut, 999_000_250_000_000_000_000n];

/** The sample standard deviation of n changes that alternate up and down by `change`. */
const deviation = (change: number, n: number) => change * Math.sqrt(n / (n - 1));
/** A day whose hourly changes deviate by a little less than `bps`, so that rounding up gives exactly `bps`. */
const stormy = (bps: number): Proposal => ({
  ...fair,
  history: { intervalSeconds: 3_600n, closesWad: closes((bps - 0.5) / 10_000 / deviation(1, 24), 25) },
});
/** Fifty hours up and down by half a percent, then a fall of 8 % `kind` hours ago; 2: half in each of the last two. */
function crashed(kind: 1 | 2 | 3): bigint[] {
  const past = closes(0.005, 50);
  const last = past.at(-1) ?? 0n;
  const fallen = (parts: bigint) => (last * (1_000n - parts)) / 1_000n;
  const falls = {
    1: [fallen(80n), fallen(80n)],
    2: [fallen(40n), fallen(80n)],
    3: [fallen(80n), fallen(80n), fallen(80n)],
  };
  return [...past, ...falls[kind]];
}

const pastOf = (closesWad: bigint[]): Proposal => ({ ...fair, history: { intervalSeconds: 3_600n, closesWad } });
/** The feed's answer of the round before. */
const before = (chainlinkBeforeWad: bigint | undefined) => withChain({ chainlinkBeforeWad });

const dated = (usdWad: bigint, updatedAt: bigint) => reference('chainlink', usdWad, updatedAt);
const quoteDated = (updatedAt: bigint) => withChain({ quoteToken: dated(WAD, updatedAt) });
const chainlinkDated = (updatedAt: bigint) => withChain({ chainlink: dated(USD, updatedAt) });

/** 1,000 USDT buy BTCB at 100,000 USD each, less a cost of `bps`. */
const quoteAtCost = (bps: bigint) => ({
  ...withChain({ quote: { ...fairQuote, amountOut: (WAD * (BPS - bps)) / (100n * BPS) } }),
  ...pythOf(USD),
});
/** A hundredth of a BTCB is sold at a cost of `bps`. */
const soldAtCost = (bps: bigint): Proposal => ({
  ...withChain({
    quote: {
      side: 'sell',
      tokenIn: BTCB.address,
      tokenOut: USDT.address,
      amountIn: WAD / 100n,
      amountOut: (1_000n * WAD * (BPS - bps)) / BPS,
    },
  }),
  side: 'sell',
});
/** Pyth and the exchange are `bps` above Chainlink; the pool asks that much more, plus `costBps`. */
const bothFlatter = (costBps: bigint, bps: bigint): Proposal => ({
  ...withChain({ quote: { ...fairQuote, amountOut: (WAD * (BPS - costBps - bps)) / (100n * BPS) } }),
  ...pythOf(moved(bps)),
  ...bidAsk(moved(bps), moved(bps)),
});
/** The USDT paid is worth `parts`/10,000 of a dollar. The exchange quotes in USDT and gives the same price in USD. */
const paidAt = (parts: bigint) => ({
  chain: { ...withChain({ quoteToken: dated((WAD * parts) / BPS, NOW) }).chain },
  ...bidAsk((USD * BPS) / parts, (USD * BPS) / parts),
});
/** The price has moved by `bps` in the current hour. */
const lastMove = (bps: number): Proposal => ({
  ...fair,
  history: { intervalSeconds: 3_600n, closesWad: closes(0, 51, bps / 10_000) },
});

const selling = (proposal: Proposal): Proposal => ({ ...proposal, side: 'sell' });
const unfitted = (proposal: Proposal): Proposal => ({ ...proposal, limits: { ...proposal.limits, fittedHours: 0n } });
/** The exchange's history is off, and the feed's past rounds are these. */
const feedPast = (chainlinkPast: Proposal['chain']['chainlinkPast']): Proposal => ({
  ...withChain({ chainlinkPast }),
  history: 'off',
});
const noPast = () => feedPast(undefined);
/** The feed's answers one and two hours ago, or one and two times `seconds` ago. */
const feedWas = (hourAgo: bigint, twoHoursAgo: bigint, seconds = 3_600n): Proposal =>
  feedPast([
    { usdWad: hourAgo, updatedAt: NOW - seconds },
    { usdWad: twoHoursAgo, updatedAt: NOW - 2n * seconds },
  ]);

type Case = [what: string, proposal: Proposal, outcome: Outcome, reason?: string | undefined, measured?: bigint];
const cases: Record<string, Case[]> = {
  chain_health: [
    ['two blocks', fair, 'pass', undefined, 2n],
    ['at the caution limit', withChain({ finalBlock: 900n }), 'pass', undefined, 100n],
    ['beyond it', withChain({ finalBlock: 899n }), 'caution', 'finality_stalled', 101n],
    ['at the limit', withChain({ finalBlock: 600n }), 'caution', 'finality_stalled', 400n],
    ['beyond it', withChain({ finalBlock: 599n }), 'no_go', 'finality_stalled', 401n],
    ['final by now', withChain({ finalBlock: 1_001n }), 'pass', undefined, 0n],
    ['unknown', withChain({ finalBlock: undefined }), 'no_data', 'finality_missing'],
  ],
  chain_freshness: [
    ['fresh', fair, 'pass', undefined, 0n],
    ['the block at its limit', { ...fair, readAt: NOW + 60n }, 'pass', undefined, 60n],
    ['the block older', { ...fair, readAt: NOW + 61n }, 'no_go', 'reference_stale', 61n],
    ['the block ahead of the clock', { ...fair, readAt: NOW - 61n }, 'no_go', 'reference_stale', 61n],
    ['the quote token at its limit', quoteDated(NOW - 1_800n), 'pass', undefined, 0n],
    ['the quote token older', quoteDated(NOW - 1_801n), 'no_data', 'reference_stale'],
    ['the quote token from the future', quoteDated(NOW + 1n), 'no_data', 'reference_stale'],
    ['no price of the quote token', withChain({ quoteToken: undefined }), 'no_data', 'reference_missing'],
    ['a price of zero', withChain({ quoteToken: reference('chainlink', 0n) }), 'no_data', 'reference_missing'],
  ],
  price_jump: [
    ['none', fair, 'pass', undefined, 0n],
    ['the feed from its last answer, at the caution limit', before((USD * 10n) / 13n + 1n), 'pass', undefined, 3_000n],
    ['beyond it', before((USD * 10n) / 13n - WAD), 'caution', 'price_jumped', 3_001n],
    ['doubled', before(USD / 2n), 'caution', 'price_jumped', 10_000n],
    ['more than doubled', before(USD / 2n - 1n), 'no_go', 'price_jumped', 10_001n],
    ['halved and more', before(2n * USD + 1n), 'no_go', 'price_jumped', 10_001n],
    ['its first answer, held against the pool alone', before(undefined), 'pass', undefined, 0n],
    [
      'a ratio for a price, on its first answer',
      withChain({ chainlink: reference('chainlink', WAD), chainlinkBeforeWad: undefined }),
      'no_go',
      'price_jumped',
      999_990_000n,
    ],
    ['an exchange in another unit', exchangeAt(WAD), 'no_go', 'price_jumped', 999_990_000n],
    [
      'nothing to hold it against',
      withChain({ chainlinkBeforeWad: undefined, twapWad: undefined }),
      'no_data',
      'reference_missing',
    ],
  ],
  executability: [
    ['as quoted', fair, 'pass', undefined, 0n],
    ['more than quoted', simulatedTo({ received: received + 1n, returned }), 'pass', undefined, 0n],
    ['one unit less', simulatedTo({ received: received - 1n, returned }), 'no_go', 'token_taxed', 1n],
    ['a tenth less', simulatedTo({ received: (received * 9n) / 10n, returned }), 'no_go', 'token_taxed', 1_000n],
    ['refused', simulatedTo('refused'), 'no_go', 'swap_would_revert'],
    ['refused, and not even quoted', withChain({ play: 'refused', quote: undefined }), 'no_go', 'swap_would_revert'],
    ['not simulated', simulatedTo(undefined), 'no_data', 'simulation_missing'],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'quote_missing'],
  ],
  way_back: [
    ['the fees alone', fair, 'pass', undefined, 0n],
    [
      'at the caution limit',
      simulatedTo({ received, returned: (returned * 9_990n) / BPS + 1n }),
      'pass',
      undefined,
      10n,
    ],
    ['beyond it', simulatedTo({ received, returned: (returned * 9_990n) / BPS - 1n }), 'caution', 'way_back_dear', 11n],
    [
      'at the limit',
      simulatedTo({ received, returned: (returned * 9_950n) / BPS + 1n }),
      'caution',
      'way_back_dear',
      50n,
    ],
    ['beyond it', simulatedTo({ received, returned: (returned * 9_950n) / BPS - 1n }), 'no_go', 'way_back_dear', 51n],
    ['nothing comes back', simulatedTo({ received, returned: 0n }), 'no_go', 'way_back_dear', 10_000n],
    ['refused', simulatedTo({ received }), 'no_go', 'no_way_back'],
    ['not simulated', simulatedTo(undefined), 'no_data', 'simulation_missing'],
    ['the way there refused', simulatedTo('refused'), 'no_data', 'simulation_missing'],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'simulation_missing'],
  ],
  stablecoin_peg: [
    ['what is received is no stablecoin', fair, 'pass'],
    ['the coin that is paid is off its peg', { ...fair, ...paidAt(9_000n) }, 'pass'],
    ['a sale for a quote token that is no stablecoin', { ...soldAtCost(5n), quoteAsset: BTCB }, 'pass'],
    ['a sale brings a dollar', { ...fair, side: 'sell' }, 'pass', undefined, 0n],
    ['at the caution limit', { ...fair, ...paidAt(9_950n), side: 'sell' }, 'pass', undefined, 50n],
    ['beyond it', { ...fair, ...paidAt(9_949n), side: 'sell' }, 'caution', 'stablecoin_off_peg', 51n],
    ['at the limit', { ...fair, ...paidAt(9_900n), side: 'sell' }, 'caution', 'stablecoin_off_peg', 100n],
    ['beyond it', { ...fair, ...paidAt(9_899n), side: 'sell' }, 'no_go', 'stablecoin_off_peg', 101n],
    ['above a dollar', { ...fair, ...paidAt(10_101n), side: 'sell' }, 'no_go', 'stablecoin_off_peg', 101n],
    ['a stablecoin is bought', usdc(WAD), 'pass', undefined, 0n],
    ['a falling one is bought', usdc((WAD * 97n) / 100n), 'no_go', 'stablecoin_off_peg', 300n],
    ['a falling one is sold', { ...usdc((WAD * 97n) / 100n), side: 'sell' }, 'pass', undefined, 0n],
    ['a coin of which nothing is known', { ...usdc(WAD), pyth: 'off', exchange: 'off' }, 'no_data', 'peg_missing'],
    [
      'a sale for a coin without a price',
      { ...withChain({ quoteToken: undefined }), side: 'sell' },
      'no_data',
      'peg_missing',
    ],
  ],
  // GD-15
  all_in_cost: [
    ['the fee alone', fair, 'pass', undefined, 5n],
    ['at the caution limit', quoteAtCost(40n), 'pass', undefined, 40n],
    ['beyond it', quoteAtCost(41n), 'caution', 'cost_high', 41n],
    ['at the limit', quoteAtCost(90n), 'caution', 'cost_high', 90n],
    ['beyond it', quoteAtCost(91n), 'no_go', 'cost_high', 91n],
    ['a gain', quoteAtCost(-500n), 'pass', undefined, -500n],
    [
      'by the median of three, not by one that flatters',
      { ...quoteAtCost(30n), ...pythOf(moved(500n)) },
      'pass',
      undefined,
      30n,
    ],
    ['nor by one that is 50 below', { ...quoteAtCost(30n), ...pythOf(moved(-50n)) }, 'pass', undefined, 30n],
    ['but one that makes it dear stops it', { ...quoteAtCost(30n), ...pythOf(moved(-62n)) }, 'no_go', 'cost_high', 92n],
    ['two that flatter together do not hide the third', bothFlatter(30n, 70n), 'no_go', 'cost_high', 100n],
    [
      'by the worse of two',
      { ...quoteAtCost(30n), ...pythOf(moved(-20n)), exchange: 'off' },
      'caution',
      'cost_high',
      50n,
    ],
    [
      'by the low edge of Pyth',
      { ...quoteAtCost(30n), ...pythOf(USD, 200n), exchange: 'off' },
      'caution',
      'cost_high',
      50n,
    ],
    [
      'by the bid of the exchange',
      { ...quoteAtCost(30n), ...bidAsk(moved(-20n), moved(20n)), pyth: 'off' },
      'caution',
      'cost_high',
      50n,
    ],
    ['a sale: the fee alone', soldAtCost(5n), 'pass', undefined, 5n],
    ['a sale beyond the caution limit', soldAtCost(41n), 'caution', 'cost_high', 41n],
    [
      'a sale by the ask of the exchange',
      { ...soldAtCost(30n), ...bidAsk(moved(-20n), moved(20n)), pyth: 'off' },
      'caution',
      'cost_high',
      50n,
    ],
    ['dearer through what is paid', { ...fair, ...paidAt(10_100n), ...pythOf(USD) }, 'no_go', 'cost_high', 104n],
    ['no Chainlink', withChain({ chainlink: undefined }), 'pass', undefined, 10n],
    ['no exchange', without('exchange'), 'pass', undefined, 10n],
    ['no Pyth', without('pyth'), 'pass', undefined, 5n],
    [
      'fewer than two sources, the others off',
      { ...fair, exchange: 'off', pyth: 'off' },
      'no_data',
      'reference_missing',
    ],
    ['the others silent', { ...without('exchange'), pyth: 'off' }, 'no_data', 'reference_missing'],
    ['one of another time', { ...chainlinkDated(NOW - 181n), pyth: 'off' }, 'no_data', 'reference_stale'],
    ['one of the future', { ...chainlinkDated(NOW + 1n), pyth: 'off' }, 'no_data', 'reference_stale'],
    ['an exchange of another time', { ...exchangeAt(USD, USD, 31n), pyth: 'off' }, 'no_data', 'reference_stale'],
    ['an exchange ahead of the clock', { ...exchangeAt(USD, USD, -31n), pyth: 'off' }, 'no_data', 'reference_stale'],
    ['a book that is crossed', { ...exchangeAt(USD + 1n, USD), pyth: 'off' }, 'no_data', 'reference_missing'],
    ['Pyth older', { ...pythAt(USD, 61n), exchange: 'off' }, 'no_data', 'reference_stale'],
    // A source whose uncertainty exceeds what the trade may cost does not count, however uncertain it is.
    ['Pyth as sure as it must be', { ...pythSure(400n * WAD), exchange: 'off' }, 'caution', 'cost_high', 45n],
    ['Pyth less sure', { ...pythSure(410n * WAD), exchange: 'off' }, 'no_data', 'reference_uncertain'],
    ['Pyth far less sure', { ...pythSure(10_000n * WAD), exchange: 'off' }, 'no_data', 'reference_uncertain'],
    ['Pyth less sure beside two others', pythSure(410n * WAD), 'pass', undefined, 5n],
    ['Pyth less sure than the worst may cost, beside two others', pythSure(960n * WAD), 'pass', undefined, 5n],
    [
      'a spread as wide as it may be',
      { ...exchangeAt(moved(-40n), moved(40n)), pyth: 'off' },
      'caution',
      'cost_high',
      45n,
    ],
    ['a wider one', { ...exchangeAt(moved(-41n), moved(41n)), pyth: 'off' }, 'no_data', 'reference_uncertain'],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'quote_missing'],
    ['no price of what is paid', withChain({ quoteToken: undefined }), 'no_data', 'reference_missing'],
  ],
  volatility: [
    ['calm', fair, 'pass', undefined, 52n],
    ['at the caution limit', stormy(300), 'pass', undefined, 300n],
    ['beyond it', stormy(301), 'caution', 'volatility_high', 301n],
    ['at the limit', stormy(600), 'caution', 'volatility_high', 600n],
    ['beyond it', stormy(601), 'no_go', 'volatility_high', 601n],
    ['less than a day, fitted to its history', pastOf(closes(0.005, 24)), 'pass'],
    ['no answer, fitted to its history', without('history'), 'pass'],
    ['not asked, fitted to its history', { ...fair, history: 'off' }, 'pass'],
    ['less than a day, of any other asset', unfitted(pastOf(closes(0.005, 24))), 'caution', 'past_missing'],
    ['no answer, of any other asset', unfitted(without('history')), 'caution', 'past_missing'],
    ['not asked, of any other asset', unfitted({ ...fair, history: 'off' }), 'caution', 'past_missing'],
  ],
  recent_move: [
    ['calm', fair, 'pass', undefined, 51n],
    // The limits are 0.09 and 0.2 as logarithms: 8.61 and 18.13 % of a fall, 9.42 and 22.15 % of a rise.
    ['a fall at the caution limit', selling(lastMove(899.5)), 'pass', undefined, 861n],
    ['a fall beyond it', selling(lastMove(900.5)), 'caution', 'price_moving', 862n],
    ['a fall at the limit', selling(lastMove(1_999.5)), 'caution', 'price_moving', 1_813n],
    ['a fall beyond it', selling(lastMove(2_000.5)), 'no_go', 'price_moving', 1_814n],
    ['a rise at the caution limit', lastMove(-899.5), 'pass', undefined, 942n],
    ['a rise beyond it', lastMove(-900.5), 'caution', 'price_moving', 943n],
    ['a rise at the limit', lastMove(-1_999.5), 'caution', 'price_moving', 2_215n],
    ['a rise beyond it', lastMove(-2_000.5), 'no_go', 'price_moving', 2_216n],
    ['a buy after a fall of which three sources say the price', lastMove(2_000.5), 'pass', undefined, 1_814n],
    ['of which two do', { ...lastMove(900.5), pyth: 'off' }, 'caution', 'price_moving', 862n],
    ['of the hour before', selling(pastOf(crashed(1))), 'pass', undefined, 801n],
    ['in two halves', selling(pastOf(crashed(2))), 'pass', undefined, 801n],
    ['of three hours ago', pastOf(crashed(3)), 'pass', undefined, 0n],
    ['more than a number holds', pastOf([1n, 1n, 10n ** 308n]), 'no_go', 'price_moving', 10n ** 9n],
    ['two closes, and the feed says the rest', pastOf(closes(0.5, 2)), 'pass', undefined, 0n],
    ['no answer, and the feed', without('history'), 'pass', undefined, 0n],
    ['not asked, and the feed', { ...fair, history: 'off' }, 'pass', undefined, 0n],
    ['a rise by the feed alone', feedWas(moved(-1_000n), moved(-1_000n)), 'caution', 'price_moving', 1_112n],
    ['a rise of the hour before', feedWas(USD, moved(-1_000n)), 'caution', 'price_moving', 1_112n],
    ['a feed that has tripled', feedWas(USD / 3n, USD / 3n), 'no_go', 'price_moving', 20_003n],
    ['neither of them', noPast(), 'caution', 'past_missing'],
    [
      'two closes and no feed',
      { ...noPast(), ...pastOf(closes(0.5, 2)), chain: noPast().chain },
      'caution',
      'past_missing',
    ],
    ['a feed whose rounds are too young', feedWas(USD, USD, 3_599n), 'caution', 'past_missing'],
    ['a feed with one of them', feedPast([{ usdWad: USD, updatedAt: NOW - 3_600n }]), 'caution', 'past_missing'],
    ['a feed that said nothing', feedWas(0n, USD), 'caution', 'past_missing'],
    [
      'a feed that does not count',
      { ...fair, history: 'off', chain: { ...fair.chain, chainlink: dated(USD, NOW - 181n) } },
      'caution',
      'past_missing',
    ],
  ],
};

// GD-5
describe.each(checks.map((check) => [check.id, check] as const))('%s', (id, check) => {
  test.each(cases[id] ?? [])('%s', (_what, proposal, outcome, reason, measured) => {
    const answer = check.run(proposal);
    expect(answer).toMatchObject({ outcome, ...(reason === undefined ? {} : { reason }) });
    expect(answer.measured).toBe(measured);
    expect(answer.reason).toBe(reason);
    // One sentence for people. Exact amounts belong in the measure and the evidence.
    expect(answer.detail).toMatch(/^[A-Z0-9].*\.$/);
    expect(answer.detail).not.toMatch(/\d{9}|undefined/);
  });
});

// GD-5
test('every file of checks is in the list', async () => {
  const folder = new URL('../../verdict/checks/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file !== 'index.ts');
  for (const file of files) {
    const exported: unknown[] = Object.values(await import(new URL(file, folder).href));
    expect(
      exported.some((each) => (checks as readonly unknown[]).includes(each)),
      file,
    ).toBe(true);
  }
  expect(files).toHaveLength(checks.length);
});

test('every check has cases, and every case a check', () => {
  expect(Object.keys(cases)).toEqual(checks.map(({ id }) => id));
});

test('what is found reads as a sentence', () => {
  const sentence = (id: string, proposal: Proposal) => checks.find((check) => check.id === id)?.run(proposal).detail;
  for (const [id, proposal, expected] of [
    [
      'chain_freshness',
      fair,
      'Block 1,000 is 0 s behind the clock (limit 60 s); of USDT Chainlink says 1 USD, Pyth is not asked.',
    ],
    [
      'chain_freshness',
      quoteDated(NOW - 1_801n),
      'Block 1,000 is 0 s behind the clock (limit 60 s); ' +
        'of USDT Chainlink gives a price of another time, Pyth is not asked.',
    ],
    [
      'chain_freshness',
      { ...fair, readAt: NOW - 61n },
      'Block 1,000 is 61 s ahead of the clock (limit 60 s); of USDT Chainlink says 1 USD, Pyth is not asked.',
    ],
    [
      'all_in_cost',
      { ...chainlinkDated(NOW - 181n), ...bidAsk(moved(-41n), moved(41n)), pyth: 'off' },
      'Of BTCB Chainlink gives a price of another time, the exchange is too unsure of its price, Pyth is not asked: ' +
        '0 of 3 count (2 are asked for).',
    ],
    [
      'all_in_cost',
      quoteAtCost(41n),
      "1,000 USD is paid for 995.9 USD by the conservative reference, a cost of 0.41 % in all: 0.05 % are fees, 0 % the pool's price, 0.36 % this size (limit 0.4 %).",
    ],
    [
      'all_in_cost',
      { ...quoteAtCost(30n), ...pythOf(moved(-62n)) },
      "1,000 USD is paid for 990.818 USD by the worst of the sources, a cost of 0.92 % in all: 0.05 % are fees, 0.62 % the pool's price, 0.24 % this size; the sources are 0.63 % apart (limit 0.9 %).",
    ],
    [
      'all_in_cost',
      quoteAtCost(-100n),
      '1,000 USD is paid for 1,010 USD by the conservative reference, a gain of 1 % (limit 0.9 %).',
    ],
    [
      'all_in_cost',
      { ...quoteAtCost(41n), chain: { ...quoteAtCost(41n).chain, twapWad: moved(-100n) } },
      '1,000 USD is paid for 995.9 USD by the conservative reference, a cost of 0.41 % in all: 0.05 % are fees, ' +
        "0 % the pool's price, 0.36 % this size; the pool has moved by 1.02 % from its mean of the last 600 s (limit 0.4 %).",
    ],
    ['stablecoin_peg', usdc((WAD * 99n) / 100n), 'USDC is worth 0.99 USD, 1 % from one dollar (limit 0.5 %).'],
    ['stablecoin_peg', fair, 'BTCB, which is received, is no stablecoin.'],
    ['chain_health', withChain({ finalBlock: 1n }), 'Block 1 is final, 999 behind the newest (limit 400 blocks).'],
    [
      'price_jump',
      exchangeAt(WAD),
      "The pool's mean is 100,000 USD and the exchange says 1 USD, 9999900 % apart (limit 100 %).",
    ],
    [
      'price_jump',
      before(undefined),
      "The pool's mean is 100,000 USD and Chainlink says 100,000 USD, 0 % apart; Chainlink has no answer before this one (limit 100 %).",
    ],
    [
      'executability',
      simulatedTo({ received: (received * 9n) / 10n, returned }),
      '1,000 USDT brings 0.0089955 BTCB, 10 % less than quoted (limit 0 %).',
    ],
    ['executability', simulatedTo('refused'), 'The swap of USDT for BTCB is refused.'],
    ['way_back', fair, "1,000 USDT there and back leaves 999 USDT, 0 % less than the pool's fees leave (limit 0.5 %)."],
    ['way_back', simulatedTo({ received }), 'The swap back of 0.009995 BTCB is refused.'],
    ['volatility', stormy(601), 'The volatility of BTCB is 6.01 % an hour, by its last 24 changes (limit 6 %).'],
    ['recent_move', selling(lastMove(900.5)), 'BTCB has fallen by 8.62 % within its last two hours (limit 8.6 %).'],
    [
      'recent_move',
      selling(lastMove(3_991.5)),
      'BTCB has fallen by 32.92 % within its last two hours (limit 18.12 %).',
    ],
    ['recent_move', lastMove(-3_991.5), 'BTCB has risen by 49.07 % within its last two hours (limit 22.14 %).'],
    [
      'recent_move',
      lastMove(3_991.5),
      'BTCB has fallen by 32.92 % within its last two hours; 3 sources say what it costs now.',
    ],
    ['recent_move', pastOf(crashed(3)), 'BTCB has not moved within its last two hours (limit 18.13 %).'],
    [
      'recent_move',
      noPast(),
      'Neither the exchange nor its Chainlink feed gives the prices of BTCB in the last two hours.',
    ],
  ] as const) {
    expect(sentence(id, proposal)).toBe(expected);
  }
});
