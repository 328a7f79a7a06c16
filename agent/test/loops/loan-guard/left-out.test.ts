import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { approve, bob, carol } from '../../../../test/local/accounts.ts';
import { createLeftOut, type LastReads } from '../../../src/loops/left-out.ts';
import { keeper } from '../world.ts';
import { guardedChain } from './guarded.ts';

const { world, deps, borrow, setGuard, fall } = guardedChain();

// AG-371, on the real contracts.
test('a guard with a trigger that is not served is named once its loan has fallen, while it could be rescued', async () => {
  const { serving, reader, ...rest } = deps();
  const reads: LastReads = {};
  // Below bob's.
  const guards = { ...serving, maxTriggerHealthWad: parseEther('1.05') };
  const list = createLeftOut({ ...rest, reads, guards, keeper });
  const look = async () => {
    reads.guards = await reader.guards();
    return list.look.look();
  };
  for (const borrower of [bob, carol]) await borrow(borrower, '70000');
  await setGuard(bob);
  await setGuard(carol, { triggerHealthWad: parseEther('1.03') });
  expect(await look()).toBe('Left out: guard not_served_trigger 1.');
  await fall(91_000n);
  await expect(look()).rejects.toMatchObject({
    reason: 'rescue_left_out',
    message: 'Below the trigger, and left out by the settings: guard 1 (not_served_trigger).',
  });
  await approve(world().chain, bob, 'USDT', world().book.own.loanGuard, 0n);
  expect(await look()).toBe('Left out: guard not_served_trigger 1.');
  expect(list.items()).toEqual([{ kind: 'guard', id: '1', reason: 'not_served_trigger' }]);
});
