import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { encodeAbiParameters, type Hex, keccak256, numberToHex, stringToBytes, zeroAddress } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { swapExecutorAbi } from '../../abis/index.ts';
import { mineEvery } from '../../lab/world/miner.ts';
import { createPlan, type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { makePlans, stranger } from '../../packages/chain/test/many-plans.ts';
import { type Fate, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { alice, carol } from './accounts.ts';

// AU-1: 10,000 records, and one owner among 10,000 plans, each within 30 s at 100 ms a call, on a node that forgets a
// block after 58 s.

const records = 10_000;
const strangers = 9_999;
const rememberedSeconds = 58;

test('10,000 records, and one owner among 10,000 plans, each within 30 s at 100 ms a call', {
  tags: 'long',
  timeout: 600_000,
}, async () => {
  // The node remembers 30 blocks.
  const world = await startDeployedChain({ forgets: true });
  onTestFinished(() => world.stop());
  const { chain, book } = world;
  for (let member = 0; member < 9; member++) await makePlans(world, stranger(member), Math.floor(strangers / 9));
  const id = await createPlan(world);
  expect(id).toBe(BigInt(strangers + 1));
  await giveRecords(world, id);
  await chain.mine({ blocks: 1 });
  const stopMining = mineEvery(world.url, rememberedSeconds / 30);
  onTestFinished(stopMining);
  const proxy = await startRpcProxy(world.url);
  onTestFinished(() => proxy.stop());
  proxy.fate = async (): Promise<Fate> => {
    await sleep(100);
    return 'answered';
  };
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const deployment = join(folder, 'deployment.json');
  writeFileSync(deployment, JSON.stringify({ chainId: 31_337, ...book.own }));

  async function audit(...args: string[]): Promise<{ text: string; seconds: number; requests: number }> {
    const [startedAt, before] = [performance.now(), proxy.requests];
    const script = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
    const all = [script, 'show', ...args, '--rpc', proxy.url, '--deployment', deployment];
    const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    expect(await once(child, 'close')).toEqual([0, null]);
    return { text, seconds: (performance.now() - startedAt) / 1000, requests: proxy.requests - before };
  }

  const plan = await audit('plan', String(id));
  const owner = await audit('owner', carol);
  for (const { text, seconds } of [plan, owner]) {
    expect(text).toContain('0 runs, 10,000 deferrals');
    expect(text.match(/^ +\d+ {2}20.* deferral /gm)).toHaveLength(records);
    expect(text).toContain(`Plan ${id}: active, owner ${carol}`);
    expect(text).not.toContain('NOT READ');
    expect(seconds).toBeLessThan(30);
  }
  expect(owner.text.match(/^Plan /gm)).toHaveLength(1);
});

/** Copies the plan's first record, which the registry wrote, until there are `records` of them. */
async function giveRecords({ chain, book, url }: DeployedChain, planId: bigint): Promise<void> {
  const evidenceHash = keccak256(stringToBytes('evidence'));
  const ticket = {
    ...{ tokenIn: zeroAddress, tokenOut: zeroAddress, verdict: 1, maxPriceWad: 1n, maxAmountIn: 0n },
    ...{ issuedAt: 0n, expiresAt: 0n, evidenceHash },
  } as const;
  const args = [planId, 1n, 16, ticket, '0x'] as const;
  await chain.send(alice, book.own.swapExecutor, { abi: swapExecutorAbi, functionName: 'defer', args });
  const address = book.own.planRegistry;
  const pairs = [{ type: 'uint256' }, { type: 'uint256' }] as const;
  const inMapping = (key: bigint, base: bigint) => keccak256(encodeAbiParameters(pairs, [key, base]));
  const at = async (slot: Hex) => BigInt((await chain.getStorageAt({ address, slot })) ?? 0n);
  const prefix = BigInt(evidenceHash) >> 104n;
  let record: { readonly of: bigint; readonly word: bigint } | undefined;
  let state: { readonly slot: Hex; readonly word: bigint } | undefined;
  for (let base = 0n; base < 30n; base++) {
    const slot = inMapping(planId, base);
    const [word, first] = [await at(slot), await at(inMapping(0n, BigInt(slot)))];
    if (word >> 80n !== 0n && BigInt.asUintN(32, word >> 80n) === 1n) state = { slot, word };
    if (first.toString(16).includes(prefix.toString(16))) record = { of: BigInt(slot), word: first };
  }
  if (state === undefined || record === undefined) throw new Error("The registry's storage is not as expected.");
  const { of, word } = record;
  const writes = Array.from({ length: records }, (_, number) => [inMapping(BigInt(number), of), word] as const);
  writes.push([state.slot, state.word + (BigInt(records - 1) << 80n)]);
  for (let from = 0; from < writes.length; from += 1_000) {
    const body = writes.slice(from, from + 1_000).map(([slot, value], number) => ({
      jsonrpc: '2.0',
      id: number,
      method: 'anvil_setStorageAt',
      params: [address, slot, numberToHex(value, { size: 32 })],
    }));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(await answer.text()).not.toContain('"error"');
  }
}
