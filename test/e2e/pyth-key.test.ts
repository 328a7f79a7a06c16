import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planRegistryAbi } from '../../abis/index.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { type Contracts, deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import { carol } from '../local/accounts.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// Pyth requires a key: the agent as a process, with none, with a wrong one and with the right one.

const key = 'the-right-key-of-ours-1';
const wrongKey = 'a-wrong-key-of-ours-2';

// AG-10, GD-14
describe('at the start on BNB Chain', () => {
  const main = fileURLToPath(new URL('../../agent/src/main.ts', import.meta.url));
  /** No node answers at this URL: the start ends there, after it has reported what it must. */
  const bsc = {
    CHAIN: 'bsc',
    RPC_URL: 'http://127.0.0.1:9',
    KEEPER_PRIVATE_KEY: `0x${'a1'.repeat(32)}`,
    RAW_KEYS: 'accepted',
  };
  const start = async (environment: Record<string, string>) => {
    const { PATH = '' } = process.env;
    const run = promisify(execFile)(process.execPath, [main], { env: { PATH, ...bsc, ...environment } });
    const { stdout, stderr } = (await run.catch((error) => error)) as { stdout: string; stderr: string };
    const lines = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { event: string });
    return { text: stdout + stderr, pyth: lines.filter(({ event }) => event.startsWith('pyth.')) };
  };

  test('without a key Pyth is off, and the log says so and what to do', async () => {
    const { text, pyth } = await start({});
    expect(pyth).toMatchObject([
      {
        level: 'warn',
        event: 'pyth.off',
        cause: 'Pyth requires an API key, and PYTH_API_KEY is not set: verdicts are made without Pyth.',
        remedy: 'Set PYTH_API_KEY, or set PYTH_URL to off to do without Pyth.',
      },
    ]);
    expect(text).toContain('No node answers at RPC_URL.');
  });

  test('with one, or where it is switched off, there is nothing to say', { tags: 'long' }, async () => {
    const keyed = await start({ PYTH_API_KEY: key });
    expect(keyed.pyth).toEqual([]);
    expect(keyed.text).not.toContain(key);
    expect((await start({ PYTH_URL: 'off' })).pyth).toEqual([]);
  });

  test('one that is none ends it, unrepeated', async () => {
    const { text } = await start({ PYTH_API_KEY: `${key}\r\nx-evil: 1` });
    expect(text).toBe('PYTH_API_KEY must be the key alone: printable ASCII without spaces.\n');
  });
});

describe('on the local chain', () => {
  const folder = '.cache/deployments/pyth-key';
  let local: LocalChain;
  let chain: Chain;
  let own: Contracts;
  let pyth: Pyth;
  let agent: Sidecar | undefined;

  const start = (apiKey: string) =>
    startSidecar({
      RPC_URL: local.url,
      MARKET_DATA_URL: 'off',
      PYTH_URL: pyth.url,
      PYTH_API_KEY: apiKey,
      DEPLOYMENTS_DIR: folder,
      EXECUTOR_INTERVAL_SECONDS: '1',
    });

  beforeAll(async () => {
    pyth = await servePyth(key);
    local = await startLocalChain({ blockSeconds: 0.45 });
    chain = connect(local.url);
    // Otherwise RedStone's and Binance Oracle's prices would be enough beside Chainlink's.
    for (const address of [venus.oracles.redStone, venus.binanceOracle])
      await chain.setCode({ address, bytecode: '0xfe' });
    own = await deployContracts(local.url, folder, new AbortController().signal);
  }, 120_000);
  afterAll(async () => {
    await agent?.stop();
    await pyth?.stop();
    await local?.stop();
  });

  async function createPlan(): Promise<bigint> {
    const { timestamp } = await chain.getBlock();
    await chain.send(carol, tokens.USDT, {
      abi: faucetAbi,
      functionName: 'allocateTo',
      args: [carol, parseEther('100')],
    });
    await chain.send(carol, tokens.USDT, {
      abi: erc20Abi,
      functionName: 'approve',
      args: [own.planRegistry, parseEther('100')],
    });
    const terms = { ...planTerms(own, carol, Number(timestamp)), windowSeconds: 3600, maxRuns: 1 };
    await chain.send(carol, own.planRegistry, { abi: planRegistryAbi, functionName: 'create', args: [terms] });
    return chain.readContract({ address: own.planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
  }

  const records = (planId: bigint) =>
    chain.readContract({
      address: own.planRegistry,
      abi: planRegistryAbi,
      functionName: 'runs',
      args: [planId, 0n, 99n],
    });
  const ask = async (path: string) => (await fetch(`${agent?.url}${path}`)).text();
  const verdict = async () => JSON.parse(await ask('/verdict?asset=BTCB&side=buy&amount_usd=100'));

  // AG-2, AG-10
  test('a wrong key is named, told nowhere and costs no gas; with the right one the same slot is run', async () => {
    const held = await chain.getBalance({ address: keeper });
    agent = await start(wrongKey);
    const planId = await createPlan();
    expect(await agent.logged('pyth.refused')).toMatchObject({
      level: 'error',
      status: 401,
      cause: 'Pyth rejected the API key.',
    });
    expect(await agent.logged('run.skipped')).toMatchObject({
      planId: `${planId}`,
      skip: 'source_silent',
      silent: ['pyth'],
      reason: 'reference_missing',
    });
    const refused = await verdict();
    expect(refused).toMatchObject({ verdict: 'NO_DATA', reason: 'reference_missing' });
    const ready = await ask('/ready');
    expect(JSON.parse(ready).dependencies.pyth).toEqual({
      ok: false,
      needed: false,
      reason: 'market_unavailable',
      detail: 'Pyth rejected the request (status 401): PYTH_API_KEY is missing or wrong.',
    });
    expect(agent.log.filter(({ event }) => event === 'pyth.refused')).toHaveLength(1);
    expect(pyth.asked()).toBe(1);
    expect(await chain.getBalance({ address: keeper })).toBe(held);
    expect(await records(planId)).toEqual([]);
    const everything = [agent.log, refused, ready, await ask('/metrics'), await ask('/openapi.json')];
    expect(JSON.stringify(everything)).not.toContain(wrongKey);
    await agent.stop();

    agent = await start(key);
    await agent.logged('run.executed', { planId: `${planId}` });
    expect(await records(planId)).toHaveLength(1);
    expect((await verdict()).evidence.proposal.pyth).toMatchObject({ source: 'pyth' });
    expect(JSON.stringify([agent.log, await ask('/ready'), await ask('/metrics')])).not.toContain(key);
  }, 120_000);
});
