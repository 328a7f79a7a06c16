import { describe, expect, test } from 'vitest';
import { readinessOf } from '../../../src/domain/readiness.ts';
import { createWaitingRescues, rescuesDependency } from '../../../src/loops/loan-guard/waiting.ts';

// AG-39
describe('a rescue that is due', () => {
  function waitingAt() {
    const at = { ms: 0 };
    const waiting = createWaitingRescues({ now: () => at.ms });
    const look = async () => {
      const { ready, dependencies } = await readinessOf([rescuesDependency(waiting)]);
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

  test('counts by the oldest, and not any more when its policy is closed', async () => {
    const { at, waiting, look } = waitingAt();
    waiting.add(1n);
    at.ms = 8_000;
    waiting.add(2n);
    at.ms = 11_000;
    expect(await look()).toEqual([false, 'A rescue has waited 11 s.']);
    waiting.keepOnly([2n, 3n]);
    expect(await look()).toEqual([true, 'A rescue has been due for 3 s.']);
    waiting.keepOnly([]);
    expect(await look()).toEqual([true, 'No rescue is waiting.']);
  });
});
