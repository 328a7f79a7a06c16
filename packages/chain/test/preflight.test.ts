import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

// AG-63
describe('preflight', () => {
  test('finds nothing missing on the replica', async () => {
    const findings = await found();
    expect(missingIn(findings)).toEqual([]);
    // AG-312: the replica's code is a release candidate's, so there is nothing to compare it with.
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

// AG-64
describe('npx bowline check', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bowline-check-'));
    const record = { chainId: localChainId, ...deployed.book.own };
    writeFileSync(join(folder, `${localChainId}.json`), JSON.stringify(record));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...options: string[]) => runWith({}, '--exchange', 'off', '--pyth', 'off', ...options);
  const runWith = async (settings: Record<string, string>, ...options: string[]) => {
    const { NO_COLOR: _, ...env } = process.env;
    const script = ['cli/main.ts', 'check', ...options];
    return promisify(execFile)(process.execPath, script, { cwd: root, env: { ...env, ...settings } }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout, stderr }) => ({ code, out: stdout + stderr }),
    );
  };

  test('says what a node lacks, what it costs and what to do', async () => {
    const options = ['--rpc', line.url, '--deployments', relative(root, folder)];
    const good = await run(...options);
    expect(good.out).toMatch(/ok {5}finalized /);
    expect(good.out).not.toMatch(/WRONG +(?!port\.)/);
    crippled.knowsNoFinal(line);
    const bad = await run(...options);
    expect(bad.code).toBe(1);
    expect(bad.out).toMatch(/WRONG {2}finalized +The node does not know the block tag "finalized"\.\n/);
    expect(bad.out).toContain(
      '  Every verdict is NO_DATA (finality_missing), so no run is made. Rescues work.\n    finalized: Use',
    );
  });

  test('sends a key of Pyth to no address at which others could read it', async () => {
    const options = ['--rpc', line.url, '--exchange', 'off', '--pyth', 'http://192.0.2.1'];
    const file = join(folder, 'pyth-key');
    writeFileSync(file, 'a-key-of-ours\n', { mode: 0o600 });
    // As the agent takes it: itself, or by its file.
    for (const settings of [{ PYTH_API_KEY: 'a-key-of-ours' }, { PYTH_API_KEY_FILE: file }]) {
      const { code, out } = await runWith(settings, ...options);
      expect(code).toBe(2);
      expect(out).toMatch(/^--pyth must use https or be on this machine when PYTH_API_KEY is set\.$/m);
    }
  });

  test('says so where no node answers, and where nothing is deployed yet', async () => {
    const nobody = await run('--rpc', 'http://127.0.0.1:9/secret-key');
    expect(nobody.code).toBe(1);
    expect(nobody.out).toMatch(/WRONG {2}RPC_URL +The node does not answer\./);
    expect(nobody.out).not.toContain('secret-key');
    const fresh = await run('--rpc', line.url, '--deployments', 'node_modules/.nothing');
    expect(fresh.out).toMatch(/WRONG {2}record +There is no /);
  });
});
