import { random } from '../bench/verdict-quality/random.ts';
import { disagreementsOfDrafts } from './agree-drafts.ts';
import { disagreementsOfGuards } from './agree-guards.ts';
import { disagreementsOfPlans } from './agree-plans.ts';
import { randomGuards } from './guards.ts';
import { randomPlans } from './plans.ts';

/** The same for the same seed. */
export async function disagreementsOf(seed: number): Promise<readonly string[]> {
  const numbers = random(seed);
  const plans = randomPlans(numbers);
  const guards = randomGuards(numbers);
  const drafts = disagreementsOfDrafts(numbers);
  return [...drafts, ...(await disagreementsOfPlans(plans)), ...(await disagreementsOfGuards(guards))];
}
