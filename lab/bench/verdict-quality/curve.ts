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

/** A loss that no GO may have while two sources are honest, in 1/10,000. */
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
  /** Cases that lose more than `UNFAIR_BPS`, and those of them with GO. */
  readonly unfair: Count;
  /** The largest loss with GO, of each seed; null where there is no GO. */
  readonly worsts: readonly (number | null)[];
  /** The loss around which half are GO; null if fewer always are. */
  readonly halfGo: number | null;
}

export interface Count {
  readonly all: number;
  readonly go: number;
}

/** A source that is further from the true price is late, and none of the honest ones. */
const HONEST = 0.003;

/** An honest moment of any coin and year in which every source answers with a price of now. */
export function drawBase(draw: Random): Scene {
  for (;;) {
    const symbol = symbols[Math.floor(draw.between(0, symbols.length))] ?? 'BTCB';
    const { at, second } = drawTime(symbol, FROM, TO, draw);
    const scene = honestMoment(symbol, at, second, draw);
    const { exchange, pyth, chainlink, usd, quoteUsd } = scene;
    const said = [exchange && exchange.mid * quoteUsd, pyth?.usd, chainlink?.usd];
    if (said.every((each) => each !== undefined && Math.abs(each / usd - 1) <= HONEST)) return scene;
  }
}

/** @param count of honest moments of each seed, each met by every magnitude. */
export function curveOf(
  { name, honest, strike }: Family,
  count: number,
  seeds: readonly number[],
  judge: Judge,
): Curve {
  const bySeed = seeds.map((seed) => {
    const draw = random(seedOf(seed, name));
    return Array.from({ length: count }, () => drawBase(draw)).flatMap((base) =>
      MAGNITUDES.map((bps) => {
        const scene = strike(base, bps / 10_000, draw);
        return { bps, loss: lossOf(scene) * 10_000, verdict: judge(scene).verdict };
      }),
    );
  });
  const seen = bySeed.flat();
  const points = MAGNITUDES.map((bps) => {
    const here = seen.filter((each) => each.bps === bps);
    const share = (verdict: string) => rounded(here.filter((each) => each.verdict === verdict).length / here.length, 4);
    const meanLoss = rounded(here.reduce((sum, { loss }) => sum + loss, 0) / here.length, 1);
    return { bps, go: share('GO'), caution: share('CAUTION'), meanLoss };
  });
  const unfair = seen.filter(({ loss }) => loss > UNFAIR_BPS);
  return {
    name,
    honest,
    points,
    cases: seen.length,
    unfair: { all: unfair.length, go: unfair.filter(({ verdict }) => verdict === 'GO').length },
    worsts: bySeed.map(worstGo),
    halfGo: halfOf(seen),
  };
}

/** The largest loss among those that are GO; null if none is. */
export function worstGo(seen: readonly { readonly loss: number; readonly verdict: string }[]): number | null {
  const losses = seen.filter(({ verdict }) => verdict === 'GO').map(({ loss }) => loss);
  return losses.length === 0
    ? null
    : rounded(
        losses.reduce((a, b) => Math.max(a, b)),
        1,
      );
}

/** The largest loss, in steps of 10 bp, around which at least half of the cases are GO. */
function halfOf(seen: readonly { readonly loss: number; readonly verdict: string }[]): number | null {
  const bins = new Map<number, { all: number; go: number }>();
  for (const { loss, verdict } of seen) {
    const bin = Math.round(loss / 10) * 10;
    const count = bins.get(bin) ?? { all: 0, go: 0 };
    count.all += 1;
    if (verdict === 'GO') count.go += 1;
    bins.set(bin, count);
  }
  // A handful says nothing.
  const half = [...bins].filter(([, { all, go }]) => all >= 20 && go * 2 >= all).map(([bin]) => bin);
  return half.length === 0 ? null : half.reduce((a, b) => Math.max(a, b));
}

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
