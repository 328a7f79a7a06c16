import { isTraded } from '@bowline/core/domain/assets';
import { clock, timers } from '@bowline/http/clock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localChainId } from '../../../lab/world/fork.ts';
import { setPrice } from '../../../lab/world/oracle.ts';
import { bob } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { type Finding, preflight } from '../preflight.ts';
import { crippled } from './crippled.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';
import { type Call, type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

let deployed: DeployedChain;
let line: RpcProxy;

beforeAll(async () => {
  deployed = await startDeployedChain();
});
afterAll(() => deployed?.stop());
beforeEach(async () => {
  line = await startRpcProxy(deployed.url);
});
afterEach(() => line?.stop());

const found = (chainId = localChainId, now = clock): Promise<Finding[]> => {
  const connect = (inBatches: boolean) => connectChain(line.url, inBatches);
  return preflight({ connect, chainId, clock: now, timers }, deployed.book);
};
const missingIn = (findings: readonly Finding[]) => findings.filter(({ ok }) => !ok).map(({ check }) => check);

// DP-26
describe('preflight', () => {
  test('finds nothing missing on the replica', async () => {
    const findings = await found();
    expect(missingIn(findings)).toEqual([]);
    // The replica's code is a release candidate's, so there is nothing to compare it with.
    expect(findings.find(({ check }) => check === 'entry_point')?.found).toMatch(
      /^Its code has the hash 0x[0-9a-f]{64}: not compared, none is recorded\.$/,
    );
    for (const { symbol } of deployed.book.assets.filter(isTraded)) {
      expect(findings.map(({ check }) => check)).toContain(`observe.${symbol}`);
    }
  });

  const tokens = () => deployed.book.assets.map(({ symbol }) => `balance_override.${symbol}`);
  test.each<[keyof typeof crippled, string[], boolean]>([
    ['ignoresOverrides', ['state_override'], true],
    ['refusesOverrides', ['state_override'], true],
    ['refusesGas', ['call_gas'], true],
    ['capsGas', ['call_gas'], false],
    ['refusesBatches', ['batches'], false],
    ['knowsNoFinal', ['finalized'], false],
    ['forgetsStates', ['past_state'], false],
    ['ignoresBlocks', ['past_state'], false],
  ])('names what a node lacks that %s', async (kind, missing, losesTokens) => {
    crippled[kind](line);
    const findings = await found();
    expect(missingIn(findings).toSorted()).toEqual([...missing, ...(losesTokens ? tokens() : [])].toSorted());
    for (const { ok, without, remedy } of findings) if (!ok) expect([without, remedy]).not.toContain(undefined);
  });

  test('names a pool that remembers less than 20 minutes, with its remedy', async () => {
    const pool = deployed.book.assets.find(({ symbol }) => symbol === 'BTCB')?.pool?.address ?? '0x';
    line.tell = ({ method, params = [] }: Partial<Call>, answer) => {
      const { to, data } = (params[0] ?? {}) as { to?: string; data?: string };
      // observe(uint32[])
      if (method !== 'eth_call' || to?.toLowerCase() !== pool.toLowerCase() || !data?.startsWith('0x883bdbfd')) return;
      delete answer.result;
      answer.error = { code: 3, message: 'execution reverted: OLD', data: '0x' };
    };
    const findings = await found();
    expect(missingIn(findings)).toEqual(['observe.BTCB']);
    expect(findings.find(({ ok }) => !ok)).toMatchObject({
      found: 'The pool remembers less than 20 minutes: it has 1440 observations, with room for 1440.',
      remedy: expect.stringContaining('npx bowline pool-memory BTCB'),
    });
  });

  test('asks a node of another chain nothing else, and says which it is', async () => {
    const findings = await found(56);
    expect(findings).toMatchObject([
      { check: 'chain_id', ok: false, found: 'The node serves chain 31337, not chain 56.' },
    ]);
  });

  test.each<[string, bigint]>([
    ['old', 7_200n],
    ['of the future', -7_200n],
  ])('names blocks that are %s', async (_, seconds) => {
    expect(missingIn(await found(localChainId, () => clock() + seconds))).toContain('block_age');
  });

  test('names a feed that has not been updated for too long', async () => {
    const clean = await deployed.chain.snapshot();
    await setPrice(deployed.chain, bob, 'BTCB', 100_000n * 10n ** 8n);
    const { timestamp } = await deployed.chain.getBlock();
    await deployed.chain.setNextBlockTimestamp({ timestamp: timestamp + 150n });
    await deployed.chain.mine({ blocks: 1 });
    const missing = missingIn(await found());
    await deployed.chain.revert({ id: clean });
    // BNB's feed may be 120 s old, the others' 180 s.
    expect(missing).toContain('feed.WBNB');
    expect(missing).not.toContain('feed.BTCB');
  });
});
