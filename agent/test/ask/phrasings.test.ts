import { expect, test } from 'vitest';
import phrasings from './phrasings.json' with { type: 'json' };
import { outcomeOf, type Phrasing } from './read-phrasing.ts';

test('AG-24: of what people come for, in English and Chinese, none is answered wrongly and most at first', () => {
  const judged = (phrasings as Phrasing[]).map((phrasing) => ({ ...phrasing, ...outcomeOf(phrasing) }));
  const rate = (...outcomes: string[]) =>
    judged.filter(({ outcome }) => outcomes.includes(outcome)).length / judged.length;
  expect(judged.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
  expect(judged.length).toBeGreaterThan(400);
  expect(rate('right')).toBeGreaterThanOrEqual(0.95);
  expect(rate('right', 'choice')).toBeGreaterThanOrEqual(0.99);
});
