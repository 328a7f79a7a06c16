import { expect, it } from 'vitest';
import { attacks } from '../../bench/verdict-accuracy/attacks.ts';
import { kinds, score } from '../../bench/verdict-accuracy/score.ts';

// `npm run bench:verdict-accuracy` makes 10,000 of each.
const count = 500;
const scores = kinds.map((_, at) => score(at, count, 7));
const honest = scores.filter(({ isHonest }) => isHonest);
const attacked = scores.filter(({ isHonest }) => !isHonest);

it('GD-1: ordinary moments are fair, but for one in a hundred', () => {
  expect(honest).toHaveLength(3);
  for (const { name, verdicts } of honest) expect(verdicts.GO / count, name).toBeGreaterThanOrEqual(0.99);
});

it('GD-2: under no attack is it fair', () => {
  expect(attacked.map(({ name }) => name)).toEqual(attacks.map(({ name }) => name));
  for (const { name, verdicts } of attacked) expect(verdicts.GO, name).toBe(0);
});

it('is the same whenever it is asked with the same seed', () => {
  expect(score(0, 20, 3)).toEqual(score(0, 20, 3));
  expect(score(0, 200, 3)).not.toEqual(score(0, 200, 4));
});
