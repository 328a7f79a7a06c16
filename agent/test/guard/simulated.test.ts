import { expect, it } from 'vitest';
import { attacks } from '../../../bench/guard/attacks.ts';
import { scores } from '../../../bench/guard/score.ts';

// `npm run bench:guard` makes 10,000 of each.
const count = 500;
const { honest, attacked } = scores(count, 7);

it('GD-1: ordinary moments are fair, but for one in a hundred', () => {
  for (const { name, verdicts } of honest) expect(verdicts.GO / count, name).toBeGreaterThanOrEqual(0.99);
});

it('GD-2: under no attack is a trade let through that loses two percent', () => {
  expect(attacked.map(({ name }) => name)).toEqual(attacks.map(({ name }) => name));
  for (const { name, worstLoss } of [...honest, ...attacked]) expect(worstLoss, name).toBeLessThan(0.02);
});

it('GD-2: and hardly any trade at all', () => {
  for (const { name, verdicts } of attacked) expect(verdicts.GO, name).toBeLessThanOrEqual(count / 100);
});

it('is the same whenever it is asked with the same seed', () => {
  expect(scores(20, 3)).toEqual(scores(20, 3));
  expect(scores(20, 3)).not.toEqual(scores(20, 4));
});
