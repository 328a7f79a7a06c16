import fc from 'fast-check';
import type { Invariant, Limits, Violation } from './invariants.ts';
import { type Report, type SimulateOptions, simulate } from './simulate.ts';
import { type Story, story } from './story.ts';

export interface Checked {
  readonly seed: number;
  readonly story: Story;
  readonly report: Report;
  /** The smallest story found that breaks the first broken invariant; absent if none is broken. */
  readonly shrunk?: { readonly story: Story; readonly violations: readonly Violation[] };
}

interface CheckOptions {
  readonly limits: Limits;
  /** Looks at this invariant alone; otherwise at the one that the story breaks first. */
  readonly invariant?: Invariant | undefined;
  /** Real time for finding a smaller story that breaks the same. */
  readonly shrinkMs?: number;
}

/** Runs the story of a seed. */
export async function checkSeed(seed: number, { limits, invariant, shrinkMs = 0 }: CheckOptions): Promise<Checked> {
  const told = storyOf(seed);
  const report = await simulate(told, { limits });
  const broken = invariant ?? report.violations[0]?.invariant;
  const isBroken = ({ violations }: Report): boolean => violations.some((each) => each.invariant === broken);
  if (!isBroken(report)) return { seed, story: told, report };
  let smallest = { story: told, violations: report.violations };
  const property = fc.asyncProperty(story, async (smaller) => {
    const its = await simulate(smaller, { limits });
    if (!isBroken(its)) return;
    smallest = { story: smaller, violations: its.violations };
    throw new Error(broken);
  });
  if (shrinkMs > 0) await fc.check(property, { ...firstOf(seed), interruptAfterTimeLimit: shrinkMs });
  return { seed, story: told, report, shrunk: smallest };
}

// Without fast-check's bias, which would make the first story of each seed a small one.
const firstOf = (seed: number) => ({ seed, numRuns: 1, unbiased: true });

/** The story of a seed. */
export const storyOf = (seed: number): Story => fc.sample(story, firstOf(seed) as never)[0] as Story;

/** Runs the story of a seed and keeps what happens. */
export const traceSeed = async (seed: number, options: SimulateOptions): Promise<Report> =>
  simulate(storyOf(seed), options);
