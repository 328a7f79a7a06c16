import { random } from '../bench/verdict-quality/random.ts';
import { disagreementsOfDrafts } from './agree-drafts.ts';
import { disagreementsOfGuards } from './agree-guards.ts';
import { disagreementsOfPlans } from './agree-plans.ts';
import { disagreementsOfWords } from './agree-words.ts';
import { playGuards } from './guards.ts';
import { playPlans } from './plans.ts';
import { type Stage, startStage } from './stage.ts';

/** Lets the chain compute one case while this process compares others. */
const AT_ONCE = 4;

export interface Disagreement {
  readonly seed: number;
  readonly wrong: readonly string[];
}

/** Plays `count` cases on one anvil. @returns one of the first cases in which two answers differ. */
export async function firstDisagreement(count: number, from: number): Promise<Disagreement | undefined> {
  const stage = await startStage();
  let next = from;
  let found: Disagreement | undefined;
  const play = async () => {
    while (found === undefined && next < from + count) {
      const seed = next++;
      const wrong = await disagreementsOf(stage, seed);
      if (wrong.length > 0) found ??= { seed, wrong };
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, play));
  } finally {
    await stage.stop();
  }
  return found;
}

/** Deterministic for a seed. */
export async function disagreementsOf(stage: Stage, seed: number): Promise<readonly string[]> {
  const numbers = random(seed);
  return [
    ...disagreementsOfWords(numbers),
    // Fewer: drafts have fewer edges than plans and guards have states.
    ...(seed % 4 === 0 ? await disagreementsOfDrafts(stage, numbers) : []),
    ...(await disagreementsOfPlans(stage, await playPlans(stage, numbers), seed)),
    ...(await disagreementsOfGuards(stage, await playGuards(stage, numbers))),
  ];
}
