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
  /** Cases that lose more than that, and those of them with GO. */
  readonly above50: Count;
  readonly above100: Count;
  /** The largest loss with GO, and the loss around which half are GO; null if fewer always are. */
  readonly worstGo: number | null;
  readonly halfGo: number | null;
}

interface Count {
  readonly all: number;
  readonly go: number;
}

/** An honest moment of any coin and year in which every source answers. */
export function drawBase(draw: Random): Scene {
  for (;;) {
    const symbol = symbols[Math.floor(draw.between(0, symbols.length))] ?? 'BTCB';
    const { at, second } = drawTime(symbol, FROM, TO, draw);
    const scene = honestMoment(symbol, at, second, draw);
    if (scene.exchange !== undefined && scene.pyth !== undefined) return scene;
  }
}

/** @param count of honest moments, each met by every magnitude. */
export function curveOf({ name, honest, strike }: Family, count: number, seed: number, judge: Judge): Curve {
  const draw = random(seedOf(seed, name));
  const seen: { bps: number; loss: number; verdict: string }[] = [];
  for (let moment = 0; moment < count; moment += 1) {
    const base = drawBase(draw);
    for (const bps of MAGNITUDES) {
      const scene = strike(base, bps / 10_000, draw);
      seen.push({ bps, loss: lossOf(scene) * 10_000, verdict: judge(scene).verdict });
    }
  }
  const points = MAGNITUDES.map((bps) => {
    const here = seen.filter((each) => each.bps === bps);
    const share = (verdict: string) => rounded(here.filter((each) => each.verdict === verdict).length / here.length, 4);
    const meanLoss = rounded(here.reduce((sum, { loss }) => sum + loss, 0) / here.length, 1);
    return { bps, go: share('GO'), caution: share('CAUTION'), meanLoss };
  });
  const above = (loss: number): Count => {
    const unfair = seen.filter((each) => each.loss > loss);
    return { all: unfair.length, go: unfair.filter(({ verdict }) => verdict === 'GO').length };
  };
  const losses = seen.filter(({ verdict }) => verdict === 'GO').map(({ loss }) => loss);
  const worstGo =
    losses.length === 0
      ? null
      : rounded(
          losses.reduce((a, b) => Math.max(a, b)),
          1,
        );
  return {
    name,
    honest,
    points,
    cases: seen.length,
    above50: above(50),
    above100: above(100),
    worstGo,
    halfGo: halfOf(seen),
  };
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
