import { WAD } from '@bowline/core/domain/units';
import { createRandom, type Random } from '../../../agent/test/sim/random.ts';
import falls from './falls.json' with { type: 'json' };
import { type GuardedLoan, isLiquidatable } from './loans.ts';

// What a seed stands for: a fall of one collateral in one step, and forty guarded loans. Nothing of the agent or of what a
// rescue can do goes into the draw. A crash that would liquidate none of the loans is no case, and drawn again.

export interface Crash {
  readonly seed: number;
  readonly asset: Asset;
  /** Of the protocol's price, in one step. */
  readonly fallBps: number;
  /** By how much the standard feed's new price is above the protocol's. */
  readonly feedOffBps: number;
  /** Blocks from the standard feed's update to the protocol's. */
  readonly lead: number;
  /** The block of the feed's update. */
  readonly feedBlock: number;
  /** When the agent is started. */
  readonly startMs: number;
  /** Mean time of a request and its response. */
  readonly rttMs: number;
  /** Rescue keys beside the keeper's. */
  readonly rescuers: number;
  readonly loans: readonly GuardedLoan[];
}

const assets = ['BTCB', 'ETH', 'WBNB'] as const;
type Asset = (typeof assets)[number];

const loansEach = 40;

export function crashOf(seed: number): Crash {
  const random = createRandom(seed);
  for (;;) {
    const crash = drawn(seed, random);
    const after = { protocolWad: fallenWad(crash.fallBps), feedWad: WAD };
    if (crash.loans.some((loan) => isLiquidatable(loan, [], after))) return crash;
  }
}

export const fallenWad = (bps: number): bigint => WAD - (BigInt(bps) * WAD) / 10_000n;

function drawn(seed: number, random: Random): Crash {
  const asset = pick(random, assets);
  return {
    seed,
    asset,
    fallBps: Math.round(pick(random, falls[asset]) * stepOf(random)),
    feedOffBps: random.below(101) - 50,
    lead: random.below(4),
    feedBlock: 20 + random.below(10),
    startMs: random.below(450),
    rttMs: random.below(101),
    rescuers: 1 + random.below(3),
    loans: Array.from({ length: loansEach }, (_, at) => loanOf(random, BigInt(at + 1))),
  };
}

/**
 * What part of an hour's fall comes in one step, which hourly prices do not tell: at least that of a random walk in 100 s,
 * the age at which Venus refuses a price of BTC, and at most all of it.
 */
const stepOf = (random: Random): number => between(random, Math.sqrt(100 / 3_600), 1);

/** Half of all terms are those that the page suggests: trigger 1.1, target 1.25, half the debt a rescue. */
function loanOf(random: Random, id: bigint): GuardedLoan {
  const trigger = random.happens(0.5) ? 1.1 : between(random, 1.02, 1.3);
  const minTarget = trigger * 1.021;
  const target = random.happens(0.5) ? Math.max(1.25, minTarget) : between(random, minTarget, minTarget + 0.4);
  const health = between(random, trigger, trigger + 0.4);
  const debt = Math.exp(between(random, Math.log(200), Math.log(200_000)));
  const capPerRescue = random.happens(0.5) ? debt / 2 : debt * between(random, 0.05, 1);
  const funds = random.happens(0.9) ? debt : debt * between(random, 0, 0.5);
  return {
    id,
    namesFeed: random.happens(0.5),
    isKeepers: random.happens(0.5),
    debt: wad(debt),
    weightedCollateral: wad(debt * health),
    triggerHealthWad: wad(trigger),
    targetHealthWad: wad(target),
    capPerRescue: wad(capPerRescue),
    funds: wad(funds),
  };
}

const pick = <Of>(random: Random, from: readonly Of[]): Of => from[random.below(from.length)] as Of;
const between = (random: Random, low: number, high: number): number => low + (high - low) * random.unit();
const wad = (value: number): bigint => (BigInt(Math.ceil(value * 1e9)) * WAD) / 10n ** 9n;
