import type { AddressBook } from '@bowline/core/registry/address-book';
import { expect, test } from 'vitest';
import { withWhatSells } from '../../src/selling/what-sells.ts';

const [keeper, maker] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const;
const recorded = {
  escrow: { policy: keeper },
  own: { planRegistry: keeper, quoteDesk: maker },
} as unknown as AddressBook;

/** What is left of the book, and what the operator reads. */
function left(missing: readonly string[], other: typeof maker | undefined) {
  const said: [string, { cause?: string }][] = [];
  const log = { error: (event: string, fields: object) => said.push([event, fields]) } as never;
  return { book: withWhatSells(recorded, { missing, maker: other, keeper }, log), said };
}

test('an escrow that has moved, or a desk of another maker, ends that sale and nothing else', () => {
  expect(left([], undefined)).toEqual({ book: recorded, said: [] });
  const moved = left(['escrow.policy (0x1)'], undefined);
  expect(moved.book).toEqual({ own: recorded.own });
  expect(moved.said).toEqual([
    ['selling.off', expect.objectContaining({ cause: expect.stringContaining('escrow.policy (0x1)') })],
  ]);
  const foreign = left([], maker);
  expect(foreign.book).toEqual({ escrow: recorded.escrow, own: { planRegistry: keeper } });
  expect(foreign.said.map(([event, { cause }]) => [event, cause?.includes(keeper), cause?.includes(maker)])).toEqual([
    ['desk.off', true, true],
  ]);
});
