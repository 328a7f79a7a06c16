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
  let first: { readonly story: Story; readonly report: Report } | undefined;
  let broken = invariant;
  let smallest: Checked['shrunk'];
  const property = fc.asyncProperty(story, async (told) => {
    const report = await simulate(told, { limits });
    first ??= { story: told, report };
    broken ??= report.violations[0]?.invariant;
    if (!report.violations.some((each) => each.invariant === broken)) return;
    smallest = { story: told, violations: report.violations };
    throw new Error(broken);
  });
  const shrinking = shrinkMs > 0 ? { interruptAfterTimeLimit: shrinkMs } : { endOnFailure: true };
  // Without fast-check's bias, which would make the first story of each seed a small one.
  await fc.check(property, { seed, numRuns: 1, unbiased: true, ...shrinking });
  if (first === undefined) throw new Error(`Seed ${seed} has no story.`);
  return { seed, ...first, ...(smallest && { shrunk: smallest }) };
}

/** The story of a seed. */
export const storyOf = (seed: number): Story =>
  fc.sample(story, { seed, numRuns: 1, unbiased: true } as never)[0] as Story;

/** Runs the story of a seed and keeps what happens. */
export const traceSeed = async (seed: number, options: SimulateOptions): Promise<Report> =>
  simulate(storyOf(seed), options);
