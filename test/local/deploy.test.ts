import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Address, createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loanGuardAbi, planRegistryAbi, quoteDeskAbi, swapExecutorAbi, venusMarketAbi } from '../../abis/index.ts';
import { pancake, venus } from '../../script/local/addresses.ts';
import { compiledOf, isCurrent } from '../../script/local/compiled.ts';
import { deployment, deployOwn, keeper } from '../../script/local/deployment.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../script/local/fork.ts';

// Anvil's first account, unlocked on every local chain.
const deployer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
// Of its own: somebody may have deployed to a local chain, and goes on with that record after the tests.
const folder = '.cache/deployments/deploy-test';
const record = new URL(`../../${folder}/${localChainId}.json`, import.meta.url);
const signers = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAddress(key));
const env = { ...process.env, DEPLOYMENTS_DIR: folder, VERDICT_SIGNERS: signers.join(',') };

let chain: LocalChain;
beforeAll(async () => {
  chain = await startLocalChain();
});
afterAll(async () => {
  await chain.stop();
  rmSync(record, { force: true });
});

// Not the synchronous method: it would not read the chain's own output, and the chain would block on it.
const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { env });
const deploy = () => node('tools/deploy.mjs', '--rpc-url', chain.url, '--unlocked', '--sender', deployer);

type Deployment = Record<
  | 'venusMarket'
  | 'loanGuard'
  | 'venusPriceSource'
  | 'chainlinkPriceSource'
  | 'planRegistry'
  | 'swapExecutor'
  | 'quoteDesk',
  Address
>;
const readRecord = (): Deployment & { chainId: number; verdictSigners: Address[] } =>
  JSON.parse(readFileSync(record, 'utf8'));

// DP-1, DP-2
test('deploys, records what stands on the chain, and finds it again', async () => {
  rmSync(record, { force: true });
  await deploy();
  const { chainId, verdictSigners, ...addresses } = readRecord();
  expect(chainId).toBe(localChainId);
  // RP-16
  expect(verdictSigners).toEqual(signers);

  const client = createPublicClient({ transport: http(chain.url) });
  for (const [name, address] of Object.entries(addresses)) {
    expect(await client.getCode({ address }), name).toMatch(/^0x6/);
  }
  const read = client.readContract;
  const { planRegistry, loanGuard, swapExecutor, venusMarket } = addresses;
  expect(await read({ address: planRegistry, abi: planRegistryAbi, functionName: 'loanGuard' })).toBe(loanGuard);
  for (const source of [addresses.venusPriceSource, addresses.chainlinkPriceSource]) {
    expect(
      await read({ address: planRegistry, abi: planRegistryAbi, functionName: 'isPriceSource', args: [source] }),
    ).toBe(true);
  }
  expect(await read({ address: loanGuard, abi: loanGuardAbi, functionName: 'isAdapter', args: [venusMarket] })).toBe(
    true,
  );
  expect(await read({ address: venusMarket, abi: venusMarketAbi, functionName: 'comptroller' })).toBe(
    venus.comptroller,
  );
  expect(await read({ address: swapExecutor, abi: swapExecutorAbi, functionName: 'registry' })).toBe(planRegistry);
  expect(await read({ address: swapExecutor, abi: swapExecutorAbi, functionName: 'poolDeployer' })).toBe(
    pancake.poolDeployer,
  );
  const { quoteDesk } = addresses;
  expect(await read({ address: quoteDesk, abi: quoteDeskAbi, functionName: 'maker' })).toBe(keeper);

  const transactions = () => client.getTransactionCount({ address: deployer });
  const sent = await transactions();
  await deploy();
  expect(await transactions()).toBe(sent);
  expect(readRecord()).toEqual({ chainId, verdictSigners, ...addresses });
});

// What tests and npm start send instead of running forge each time.
test('what is kept of the script puts the same contracts at the same addresses', async () => {
  await deploy();
  const { chainId: _, verdictSigners: __, ...recorded } = readRecord();
  const other = await startLocalChain();
  try {
    const own = await deployOwn(other.url, keeper);
    expect(own).toEqual(recorded);
    const [there, here] = [other, chain].map(({ url }) => createPublicClient({ transport: http(url) }));
    for (const [name, address] of Object.entries(own)) {
      const code = await there?.getCode({ address });
      expect(code, name).toMatch(/^0x6/);
      expect(code, name).toBe(await here?.getCode({ address }));
    }
    const sent = await there?.getTransactionCount({ address: deployer });
    expect(await deployOwn(other.url, keeper)).toEqual(own);
    expect(await there?.getTransactionCount({ address: deployer })).toBe(sent);

    // DP-6. Forge is asked by what it needs alone, whatever the shell has set.
    vi.stubEnv('NODE_OPTIONS', '--require=/nowhere');
    expect(isCurrent(deployment)).toBe(true);
    expect(await deployment.build()).toEqual(await compiledOf(deployment));

    const operator = privateKeyToAddress(generatePrivateKey());
    const { swapExecutor, ...same } = await deployOwn(other.url, operator);
    expect({ swapExecutor: own.swapExecutor, ...same }).toEqual(own);
    expect(await there?.readContract({ address: swapExecutor, abi: swapExecutorAbi, functionName: 'operator' })).toBe(
      operator,
    );
  } finally {
    vi.unstubAllEnvs();
    await other.stop();
  }
});

// DP-2
test('records nothing where nothing stands', async () => {
  rmSync(record, { force: true });
  const empty = await startLocalChain();
  try {
    const script = ['forge', 'script', 'script/Deploy.s.sol', '--sig', 'record()', '--rpc-url', empty.url];
    await expect(node('tools/foundry.mjs', ...script)).rejects.toThrow('NotDeployed');
    expect(() => readRecord()).toThrow('ENOENT');
  } finally {
    await empty.stop();
  }
});

// DP-1: the base chain has BNB Chain's id, where no well-known key may become the operator.
test('demands the keys by name elsewhere', async () => {
  const script = ['forge', 'script', 'script/Deploy.s.sol', '--sig', 'run()', '--rpc-url', chain.baseUrl];
  await expect(node('tools/foundry.mjs', ...script)).rejects.toThrow('OPERATOR');
});

// DP-3
test('has no desk for a chain with a market of its own', { tags: 'long' }, async () => {
  const keys = ['OPERATOR', 'ROTATOR'].map((name, at) => `${name}=0x${'0'.repeat(39)}${at + 1}`);
  const script = ['forge', 'script', 'script/Deploy.s.sol', '--sig', 'run()', '--rpc-url', chain.baseUrl, '--json'];
  const named = { ...env, ...Object.fromEntries(keys.map((key) => key.split('='))) };
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/foundry.mjs', ...script], {
    env: named,
    maxBuffer: 2 ** 28,
  });
  const returned = /"returned":"0x([0-9a-f]+)"/.exec(stdout)?.[1] ?? '';
  const places = returned.match(/.{64}/g) ?? [];
  expect(places.map((place) => /^0+$/.test(place))).toEqual([...Array(7).fill(false), true]);
});

test('refuses to deploy to nowhere', async () => {
  await expect(node('tools/deploy.mjs', '--unlocked')).rejects.toThrow('Name the chain');
});
