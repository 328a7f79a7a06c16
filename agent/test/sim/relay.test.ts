import { expect, test } from 'vitest';
import type { Broadcast } from '../../src/sending/eoa/sender.ts';
import { blockMs, type Chain } from './chain.ts';
import { readTransaction } from './fast-account.ts';
import { limits } from './limits.ts';
import { simulate } from './simulate.ts';
import type { Story } from './story.ts';
import type { VirtualTime } from './virtual-time.ts';

// An hour of a plan whose slot begins every minute, whose runs go to a private relay alone; a loan falls in it.

const hourMs = 3_600_000;
const hour: Story = {
  ...{ noise: 1, rttMs: 30, isWallet: false, knowsNodes: false, rescuers: 1, hasBundler: false, plans: 1 },
  falls: [{ atMs: 1_800_000, guards: [0] }],
  faults: [],
};

/** @param blocks after which accepted transactions are in the public pool; undefined: never. */
const relayOf =
  (blocks?: number) =>
  (chain: Chain, time: VirtualTime): Broadcast => ({
    async send(raw) {
      const transaction = readTransaction(raw);
      const pass = () => void chain.pool.submit(transaction, chain.head().state.nonces.get(transaction.from) ?? 0, 0);
      if (blocks !== undefined) time.after(blocks * blockMs, pass);
      return 'taken';
    },
    patientBlocks: () => undefined,
  });

test('a relay that accepts and includes nothing costs two cancellations an hour, and no rescue', async () => {
  const { events, rescueMs, readiness } = await simulate(hour, { limits, untilMs: hourMs, relayOf: relayOf() });
  expect(events.get('sender.cancelling')).toBe(2);
  expect(rescueMs).toEqual([expect.any(Number)]);
  expect(rescueMs[0]).toBeLessThan(2_000);
  expect(readiness).toMatchObject({ ready: false, dependencies: { relays: { reason: 'relay_silent' } } });
}, 120_000);

test('a relay that includes after ten blocks runs every slot, without a bump', async () => {
  const { events, runMs, slotsMissed, readiness } = await simulate(hour, {
    ...{ limits, untilMs: 600_000, relayOf: relayOf(10) },
  });
  expect([events.get('sender.bumping'), events.get('sender.cancelling'), slotsMissed]).toEqual([
    undefined,
    undefined,
    0,
  ]);
  expect(runMs.length).toBeGreaterThanOrEqual(9);
  expect(readiness?.ready).toBe(true);
}, 120_000);
