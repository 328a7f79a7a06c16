import { readinessOf } from '@bowline/core/domain/readiness';
import { describe, expect, test } from 'vitest';
import { createWaitingRescues, maxUnreadMsOf, rescuesLook } from '../../../src/loops/loan-guard/waiting.ts';
import { listed } from '../../../src/process/conditions.ts';

// AG-39
describe('a rescue that is due', () => {
  function waitingAt() {
    const at = { ms: 0 };
    const waiting = createWaitingRescues({ now: () => at.ms });
    const look = async () => {
      const { ready, dependencies } = await readinessOf([listed(rescuesLook(waiting))]);
      return [ready, dependencies.rescues?.detail];
    };
    return { at, waiting, look };
  }

  test('has ten seconds, whatever is told of it in between', async () => {
    const { at, waiting, look } = waitingAt();
    expect(await look()).toEqual([true, 'No rescue is waiting.']);
    waiting.add(1n);
    at.ms = 9_000;
    waiting.add(1n);
    at.ms = 10_000;
    expect(await look()).toEqual([true, 'A rescue has been due for 10 s.']);
    at.ms = 14_200;
    expect(await look()).toEqual([false, 'A rescue has waited 14 s.']);
    waiting.remove(1n);
    expect(await look()).toEqual([true, 'No rescue is waiting.']);
  });

  // AG-39
  test('names both prices where its gas is too dear, whether it was refused or signed before', async () => {
    const { at, waiting, look } = waitingAt();
    const gwei = 10n ** 9n;
    let askedWei = 100n * gwei;
    waiting.add(1n);
    at.ms = 14_000;
    const signed = () =>
      readinessOf([listed(rescuesLook(waiting, undefined, () => ({ askedWei, maxWei: 20n * gwei })))]);
    const dear = 'A rescue has waited 14 s: gas_price (gas 100 gwei > 20).';
    expect((await signed()).dependencies.rescues?.detail).toBe(dear);
    askedWei = 20n * gwei;
    expect((await signed()).dependencies.rescues?.detail).toBe('A rescue has waited 14 s.');
    waiting.tooDear(1n, { askedWei: 100n * gwei, maxWei: 20n * gwei });
    expect(await look()).toEqual([false, dear]);
    waiting.tooDear(1n, undefined);
    expect(await look()).toEqual([false, 'A rescue has waited 14 s.']);
  });

  test('counts by the oldest, and not any more when its guard is closed', async () => {
    const { at, waiting, look } = waitingAt();
    waiting.add(1n);
    at.ms = 8_000;
    waiting.add(2n);
    at.ms = 11_000;
    expect(await look()).toEqual([false, 'A rescue has waited 11 s.']);
    waiting.keepOnly((id) => id === 2n);
    expect(await look()).toEqual([true, 'A rescue has been due for 3 s.']);
    waiting.keepOnly(() => false);
    expect(await look()).toEqual([true, 'No rescue is waiting.']);
  });

  test('tells from which block on each was due that is made, and of all of them', () => {
    let head: bigint | undefined = 10n;
    const waiting = createWaitingRescues(
      { now: () => 0 },
      { newest: () => (head === undefined ? undefined : { number: head, timestamp: 0n, hash: '0x' }) },
    );
    waiting.add(1n);
    head = 12n;
    for (const id of [1n, 2n, 3n]) waiting.add(id);
    expect([waiting.made(1n, 13n), waiting.made(2n, 13n)]).toEqual([3n, 1n]);
    // Guard 1's rescue is over, and guard 4 was never due.
    expect([waiting.made(1n, 14n), waiting.made(4n, 14n), waiting.count()]).toEqual([undefined, undefined, 1]);
    expect(waiting.made(3n, 11n)).toBe(0n);
    expect(waiting.lateness()).toEqual({ rescues: 3, blocks: 4n, maxBlocks: 3n });
    head = undefined;
    waiting.add(5n);
    expect(waiting.made(5n, 14n)).toBeUndefined();
  });

  test('does not count after a refusal until it is due again, and then from the first time', async () => {
    const { at, waiting, look } = waitingAt();
    waiting.add(1n);
    waiting.refuse(1n);
    at.ms = 12_000;
    expect(await look()).toEqual([true, 'No rescue is waiting.']);
    waiting.add(1n);
    expect(await look()).toEqual([false, 'A rescue has waited 12 s.']);
    waiting.refuse(1n);
    expect(await look()).toEqual([false, 'A rescue has waited 12 s.']);
    waiting.remove(1n);
    waiting.refuse(1n);
    expect(await look()).toEqual([true, 'No rescue is waiting.']);
  });

  test('is not known of while the loans are not read', async () => {
    const { at, waiting, look } = waitingAt();
    at.ms = 15_000;
    expect(await look()).toEqual([true, 'No rescue is waiting.']);
    at.ms = 16_000;
    expect(await look()).toEqual([false, 'The guarded loans have not been read for 16 s.']);
    waiting.loansRead();
    expect(await look()).toEqual([true, 'No rescue is waiting.']);
  });

  test.each([
    [450, 300, 15_450],
    [60_000, 300, 75_000],
    [0, 300, 310_000],
    [0, 5, 15_000],
  ])('polling every %i ms with an interval of %i s, loans may be unread for %i ms', (poll, interval, most) => {
    expect(maxUnreadMsOf(poll, interval)).toBe(most);
  });
});
