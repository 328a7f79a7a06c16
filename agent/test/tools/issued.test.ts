import { expect, test } from 'vitest';
import { createIssued } from '../../src/tools/shared.ts';

const found = { verdict: 'GO', reason: null, priceWad: 998n } as const;

// AG-6
test('a ticket is given again until 15 s before its end, and not one second longer', () => {
  const issued = createIssued();
  issued.remember('?', { verdict: 'GO', reason: null, maxPriceWad: 1_000n, expiresAt: 120n }, 'ticket');
  expect(issued.again('?', { ...found, time: 104n })).toBe('ticket');
  expect(issued.again('?', { ...found, time: 105n })).toBeUndefined();
});

// AG-6
test('and at prices no dearer than it allows and no cheaper by as much', () => {
  const issued = createIssued();
  issued.remember('?', { verdict: 'GO', reason: null, maxPriceWad: 1_000n, expiresAt: 120n }, 'ticket');
  const at = (priceWad: bigint) => issued.again('?', { ...found, priceWad, time: 0n });
  expect([995n, 996n, 1_000n, 1_001n].map(at)).toEqual([undefined, 'ticket', 'ticket', undefined]);
});
