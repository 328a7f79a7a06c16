import { connectChain } from '@bowline/chain/chain-client';
import { readinessOf } from '@bowline/core/domain/readiness';
import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { mineEvery } from '../../../lab/world/miner.ts';
import { type RpcProxy, startRpcProxy } from '../../../packages/chain/test/rpc-proxy.ts';
import { executorTick } from '../../src/loops/executor/tick.ts';
import { listed } from '../../src/process/conditions.ts';
import { createBroadcast, withPrivateRuns } from '../../src/sending/eoa/sender.ts';
import { createRelayWatch, isAnyAnswering } from '../../src/sending/relay-watch.ts';
import {
  anyPrice,
  createPlan,
  type DeployedChain,
  endSenders,
  executorDeps,
  fund,
  keeperSender,
  keepLog,
  owner,
  startDeployedChain,
} from '../loops/world.ts';
import { headsOf } from './sending.ts';

// The executor's runs through a relay that stands in for a private one, on a real chain. It may lie as it likes.

let world: DeployedChain;
let relay: RpcProxy;
let clean: Hex;
let stops: (() => unknown)[];

beforeAll(async () => {
  world = await startDeployedChain();
  await fund(world, owner, 'USDT', '1000');
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  clean = await world.chain.snapshot();
  relay = await startRpcProxy(world.url);
  stops = [() => relay.stop()];
});
afterEach(async () => {
  await endSenders();
  for (const stop of stops.toReversed()) await stop();
  await world.chain.request({ method: 'anvil_dropAllTransactions' } as never);
  await world.chain.setAutomine(true);
  await world.chain.revert({ id: clean });
});

/** Whatever the relay accepts from now on reaches the public pool after this many blocks; without a number, never. */
function relayIncludes(afterBlocks?: number): { readonly accepted: Set<Hex> } {
  const accepted = new Set<Hex>();
  relay.fate = async (method, body) => {
    if (method !== 'eth_sendRawTransaction') return 'answered';
    const [serializedTransaction] = JSON.parse(body).params;
    if (accepted.has(serializedTransaction)) return 'swallowed';
    accepted.add(serializedTransaction);
    if (afterBlocks === undefined) return 'swallowed';
    const from = await world.chain.getBlockNumber();
    const looking = setInterval(async () => {
      if ((await world.chain.getBlockNumber()) < from + BigInt(afterBlocks)) return;
      clearInterval(looking);
      await world.chain.sendRawTransaction({ serializedTransaction }).catch(() => {});
    }, 50);
    stops.push(() => clearInterval(looking));
    return 'swallowed';
  };
  return { accepted };
}

/** An executor whose runs go to the relay alone, and how late it is by its own clock. */
async function startExecutor(receiptSeconds: bigint) {
  const client = connectChain(world.url);
  const log = keepLog();
  const heads = headsOf(client, log);
  await world.chain.setAutomine(false);
  stops.push(heads.stop, mineEvery(world.url, 0.45));
  const everywhere = createBroadcast([client], log);
  const broadcast = withPrivateRuns(
    everywhere,
    createBroadcast([connectChain(relay.url)], log),
    world.book.own.swapExecutor,
    12,
  );
  const at = { seconds: 0n };
  const asked = connectChain(relay.url);
  const watch = createRelayWatch(
    () => at.seconds,
    () => isAnyAnswering([asked]),
  );
  const sender = watch.through(keeperSender(world, { broadcast, heads, log, receiptSeconds, maxAgeMs: 8_000 }));
  const next = executorTick(executorDeps(world, { sender, log }));
  const count = (event: string) => log.lines.filter((each) => each.event === event).length;
  const round = async () => (await next(new AbortController().signal)).counts;
  return { at, count, round, readiness: () => readinessOf([listed(watch.look)]) };
}

test('a relay that includes after ten blocks costs no bump', async () => {
  await createPlan(world, anyPrice);
  const { accepted } = relayIncludes(10);
  const { count, round, readiness } = await startExecutor(30n);
  const from = await world.chain.getBlockNumber();
  expect(await round()).toMatchObject({ due: 1, executed: 1 });
  expect(Number((await world.chain.getBlockNumber()) - from)).toBeGreaterThanOrEqual(10);
  expect([accepted.size, count('sender.bumping'), count('sender.cancelling')]).toEqual([1, 0, 0]);
  expect(await readiness()).toMatchObject({ ready: true });
}, 60_000);

// AG-67
test('a relay that is gone is silent, and one that knows no such question is not', async () => {
  const { readiness } = await startExecutor(30n);
  relay.fate = () => 'refused';
  expect(await readiness()).toMatchObject({ ready: true });
  await relay.stop();
  const gone = { ok: false, reason: 'relay_silent', detail: 'No relay in PRIVATE_SEND_URLS responds.' };
  expect(await readiness()).toMatchObject({ ready: false, dependencies: { relays: gone } });
});

test('one that includes nothing is paid two cancellations an hour, and three a slot, until it includes something', async () => {
  await createPlan(world, anyPrice);
  const { accepted } = relayIncludes();
  const { at, count, round, readiness } = await startExecutor(3n);
  const cancelled = { due: 1, cancelled: 1 };
  const waits = { due: 1, 'not_allowed.relay_silent': 1 };
  expect(await round()).toMatchObject(cancelled);
  expect(await readiness()).toMatchObject({ ready: true });
  expect(await round()).toMatchObject(cancelled);
  const silent = {
    reason: 'relay_silent',
    detail: 'The relays in PRIVATE_SEND_URLS have included nothing for 60 s: runs and deferrals wait.',
  };
  at.seconds += 60n;
  expect(await round()).toMatchObject(waits);
  expect(await readiness()).toMatchObject({ ready: false, dependencies: { relays: silent } });
  at.seconds = 3_599n;
  expect(await round()).toMatchObject(waits);
  expect(count('sender.cancelling')).toBe(2);
  at.seconds = 3_600n;
  expect(await round()).toMatchObject(cancelled);
  // The slot has had its three tries, whatever the hour.
  at.seconds = 10_000n;
  expect(await round()).toMatchObject({ due: 0, 'skipped.cancelled_before': 1 });
  expect([accepted.size, count('sender.cancelling')]).toEqual([3, 3]);
  expect(await readiness()).toMatchObject({ ready: false });
  // Another plan's run is included: both go on.
  relayIncludes(1);
  await world.chain.setAutomine(true);
  await createPlan(world, anyPrice);
  await world.chain.setAutomine(false);
  expect(await round()).toMatchObject({ executed: 1, 'skipped.cancelled_before': 1 });
  expect(await readiness()).toMatchObject({ ready: true });
  expect(await round()).toMatchObject({ due: 1, executed: 1 });
}, 120_000);
