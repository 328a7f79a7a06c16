import type { Family } from './attacks/families.ts';
import { secondOf, symbols } from './history.ts';
import { type Judge, seedOf } from './judge.ts';
import { drawTime, honestMoment } from './moment.ts';
import { type Random, random } from './random.ts';
import { lossOf, type Scene } from './scene.ts';

// One family of attacks over its magnitudes: how much may be lost with GO.

const MAGNITUDES = [5, 10, 15, 20, 30, 40, 50, 60, 75, 100, 125, 150, 200, 250, 300, 400, 500];
const FROM = secondOf('2021-01-01');
const TO = secondOf('2027-01-01');

/** No GO may lose more than this while two sources are honest, in 1/10,000. */
export const UNFAIR_BPS = 60;

/** Losses are in 1/10,000 of the true value, without the pool's fee. */
export interface Curve {
  readonly name: string;
  readonly honest: number;
  readonly points: readonly {
    readonly bps: number;
    readonly go: number;
    readonly caution: number;
    readonly meanLoss: number;
  }[];
  readonly cases: number;
  /** Cases that lose more than `UNFAIR_BPS`, and how many of them are GO. */
  readonly unfair: Count;
  /** The largest loss with GO, of each seed; null where there is no GO. */
  readonly worsts: readonly (number | null)[];
  /**
   * The same for moments in which late sources, which the attack leaves alone, leave fewer than two honest ones. Losses are
   * of moments with one left. With none left, no source gives the current price.
   */
  readonly late: { readonly unfair: Count; readonly worsts: readonly (number | null)[] };
  /** The loss around which half are GO; null if fewer always are. */
  readonly halfGo: number | null;
}

export interface Count {
  readonly all: number;
  readonly go: number;
}

/**
 * A source further than this from the true price is late, and not honest: twice the deviation at which Chainlink's feeds
 * of these coins on BNB Chain update, because an answer takes seconds to arrive.
 */
const HONEST = 0.002;
/** One in this many moments has a late source. */
const LATE_EVERY = 10;

/** An honest moment of any coin and year in which every source answers, and none is late. */
export const drawBase = (draw: Random): Scene => drawUntil(draw, (scene) => lateIn(scene).length === 0);
const drawLate = (draw: Random): Scene => drawUntil(draw, (scene) => lateIn(scene).length > 0);

function drawUntil(draw: Random, isWanted: (scene: Scene) => boolean): Scene {
  for (;;) {
    const symbol = symbols[Math.floor(draw.between(0, symbols.length))] ?? 'BTCB';
    const { at, second } = drawTime(symbol, FROM, TO, draw);
    const scene = honestMoment(symbol, at, second, draw);
    if (pricesOf(scene).every((each) => each !== undefined) && isWanted(scene)) return scene;
  }
}

/** USD price by each source; undefined for a silent one. */
const pricesOf = ({ exchange, pyth, chainlink, quoteUsd }: Scene): (number | undefined)[] => [
  exchange && exchange.mid * quoteUsd,
  pyth?.usd,
  chainlink?.usd,
];

/** The prices of late sources. */
const lateIn = (scene: Scene): number[] =>
  pricesOf(scene).filter((each) => each !== undefined && Math.abs(each / scene.usd - 1) > HONEST) as number[];

/** Whether at least two sources answer and are not late. */
export const hasTwoHonest = (scene: Scene): boolean =>
  pricesOf(scene).filter((each) => each !== undefined).length - lateIn(scene).length >= 2;

/** @param count of honest moments per seed, each struck with every magnitude. */
export function curveOf(
  { name, honest, strike }: Family,
  count: number,
  seeds: readonly number[],
  judge: Judge,
): Curve {
  const bySeed = seeds.map((seed) => {
    const draw = random(seedOf(seed, name));
    const moments = Array.from({ length: count }, (_, at) =>
      (at + 1) % LATE_EVERY === 0 ? drawLate(draw) : drawBase(draw),
    );
    return moments.flatMap((base) =>
      MAGNITUDES.map((bps) => {
        const scene = strike(base, bps / 10_000, draw);
        const late = lateIn(base).filter((each) => pricesOf(scene).includes(each)).length;
        // As many as the family says, or enough.
        const left = late === 0 || honest === 0 ? 2 : Math.min(2, Math.max(0, honest - late));
        return { bps, left, loss: lossOf(scene) * 10_000, verdict: judge(scene).verdict };
      }),
    );
  });
  const of = (count: number) => bySeed.map((each) => each.filter(({ left }) => left === count));
  const [none, one, onTime] = [of(0), of(1), of(2)];
  const seen = onTime.flat();
  const points = MAGNITUDES.map((bps) => {
    const here = seen.filter((each) => each.bps === bps);
    const share = (verdict: string) => rounded(here.filter((each) => each.verdict === verdict).length / here.length, 4);
    const meanLoss = rounded(here.reduce((sum, { loss }) => sum + loss, 0) / here.length, 1);
    return { bps, go: share('GO'), caution: share('CAUTION'), meanLoss };
  });
  return {
    name,
    honest,
    points,
    cases: seen.length,
    unfair: unfairOf(seen),
    worsts: onTime.map(worstGo),
    late: { unfair: unfairOf([...none, ...one].flat()), worsts: one.map(worstGo) },
    halfGo: halfOf(seen),
  };
}

type Judged = { readonly loss: number; readonly verdict: string };

/** Cases that lose more than `UNFAIR_BPS`. */
export function unfairOf(seen: readonly Judged[]): Count {
  const unfair = seen.filter(({ loss }) => loss > UNFAIR_BPS);
  return { all: unfair.length, go: unfair.filter(({ verdict }) => verdict === 'GO').length };
}

/** The largest loss among those that are GO; null if none is. */
export function worstGo(seen: readonly Judged[]): number | null {
  const losses = seen.filter(({ verdict }) => verdict === 'GO').map(({ loss }) => loss);
  return losses.length === 0
    ? null
    : rounded(
        losses.reduce((a, b) => Math.max(a, b)),
        1,
      );
}

/** The largest loss, in steps of 10 bp, around which at least half of the cases are GO. */
function halfOf(seen: readonly Judged[]): number | null {
  const bins = new Map<number, { all: number; go: number }>();
  for (const { loss, verdict } of seen) {
    const bin = Math.round(loss / 10) * 10;
    const count = bins.get(bin) ?? { all: 0, go: 0 };
    count.all += 1;
    if (verdict === 'GO') count.go += 1;
    bins.set(bin, count);
  }
  // A handful proves nothing.
  const half = [...bins].filter(([, { all, go }]) => all >= 20 && go * 2 >= all).map(([bin]) => bin);
  return half.length === 0 ? null : half.reduce((a, b) => Math.max(a, b));
}

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
