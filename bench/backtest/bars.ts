import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { compiled, fetchPackage } from '../../script/local/artifacts.ts';
import { honestShare, proposalOf } from '../verdict-accuracy/market.ts';
import { random } from '../verdict-accuracy/random.ts';
import type { Slot } from './scorecard.ts';

// Twenty years of an index, day by day: real prices, not simulated ones.

const path = 'data/sp500-2000.csv';
const vegaDatasets = {
  spec: 'vega-datasets@3.2.1',
  sha512: 'lTSwZA6yq6qSU2YZm+6bqILiIvTPPxn4itir7jPGFmHIdPvUfQ9pCzzcrklYywMJgLUbaIeSkZQdiJd6wBxPug==',
  files: { bars: compiled(path) },
};

export interface Bar {
  /** 2000-01-03 */
  readonly date: string;
  readonly close: number;
}

/** From a package that is downloaded once. */
export async function readBars(): Promise<Bar[]> {
  const directory = await fetchPackage(vegaDatasets);
  const [, ...lines] = readFileSync(join(directory, path), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [date = '', , , , close] = line.split(',');
    return { date, close: Number(close) };
  });
}

const DAYS = 50;

/**
 * Treats the index as a token bought at each day's close. The prices are real; pool, feeds and exchange are simulated
 * around them as on an ordinary day, so that this judges the statistics.
 */
export function slotsOfBars(bars: readonly Bar[], seed: number): Slot[] {
  const draw = random(seed);
  return bars.slice(DAYS).map(({ close }, at) => {
    const closes = bars.slice(at + 1, at + DAYS + 1).map((bar) => bar.close);
    const market = honestShare(draw, { price: close });
    const asked = { ...market, side: 'buy', hasExchange: true, closes, closesEvery: 86_400 } as const;
    const { verdict, reason } = judgeProposal(proposalOf(asked));
    return { verdict, ...(reason && { reason }), price: close, loss: 0 };
  });
}
