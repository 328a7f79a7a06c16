import { random } from '../bench/verdict-quality/random.ts';
import { disagreementsOfGuards } from './agree-guards.ts';
import { disagreementsOfPlans } from './agree-plans.ts';
import { playGuards } from './guards.ts';
import { playPlans } from './plans.ts';
import type { Stage } from './stage.ts';

/** The same for the same seed. */
export async function disagreementsOf(stage: Stage, seed: number): Promise<readonly string[]> {
  const numbers = random(seed);
  const plans = await disagreementsOfPlans(stage, await playPlans(stage, numbers));
  const guards = await disagreementsOfGuards(stage, await playGuards(stage, numbers));
  return [...plans, ...guards];
}
