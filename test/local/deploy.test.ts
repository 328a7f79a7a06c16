import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Address, createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loanGuardAbi, planRegistryAbi, quoteDeskAbi, swapExecutorAbi, venusMarketAbi } from '../../abis/index.ts';
import { pancake, venus } from '../../lab/world/addresses.ts';
import { compiledOf, isCurrent } from '../../lab/world/compiled.ts';
import { deployment, deployOwn, keeper } from '../../lab/world/deployment.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';

// Anvil's first account, unlocked on every local chain.
const deployer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
// Its own folder: somebody may have deployed to a local chain, and needs that record after the tests.
const folder = '.cache/deployments/deploy-test';
const record = new URL(`../../${folder}/${localChainId}.json`, import.meta.url);
const signers = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAddress(key));
const named = { DEPLOYMENTS_DIR: folder, VERDICT_SIGNERS: signers.join(','), DESK_MAKER: keeper };
const withoutSales = { ...process.env, ...named };
// The committed build of the script has them too.
const env = { ...withoutSales, MOOLAH_MARKET: 'true', COLLATERAL_GUARD: 'true' };

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
const deploy = () => node('cli/main.ts', 'deploy', '--rpc-url', chain.url, '--unlocked', '--sender', deployer);

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

// DP-1
test('deploys, records what stands on the chain, and finds it again', async () => {
  rmSync(record, { force: true });
  const { stdout } = await deploy();
  const { chainId, verdictSigners, ...addresses } = readRecord();
  expect(chainId).toBe(localChainId);
  // DP-1: each address is printed before the report of what was sent.
  const [before] = stdout.split('ONCHAIN EXECUTION COMPLETE');
  for (const [name, address] of Object.entries(addresses)) {
    expect(before).toMatch(new RegExp(`${address} new +${name}`, 'i'));
  }
  const chosen = `DESK_MAKER=${keeper} MOOLAH_MARKET=true COLLATERAL_GUARD=true`;
  const settings = `${chosen} VERDICT_SIGNERS=${signers.join(',')} DEPLOYMENTS_DIR=${folder}`;
  expect(before).toContain(`the record: ${settings} forge script script/Deploy.s.sol --sig 'record()'`);
  // RP-15
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

// Tests and npm start send the committed build instead of running forge each time.
test('what is kept of the script puts the same contracts at the same addresses', async () => {
  await deploy();
  const { chainId: _, verdictSigners: __, ...recorded } = readRecord();
  const other = await startLocalChain();
  try {
    const own = await deployOwn(other.url, keeper, undefined, keeper);
    expect(own).toEqual(recorded);
    const [there, here] = [other, chain].map(({ url }) => createPublicClient({ transport: http(url) }));
    for (const [name, address] of Object.entries(own)) {
      const code = await there?.getCode({ address });
      expect(code, name).toMatch(/^0x6/);
      expect(code, name).toBe(await here?.getCode({ address }));
    }
    const sent = await there?.getTransactionCount({ address: deployer });
    expect(await deployOwn(other.url, keeper, undefined, keeper)).toEqual(own);
    expect(await there?.getTransactionCount({ address: deployer })).toBe(sent);

    // Forge gets only the environment that it needs, whatever the shell has set.
    vi.stubEnv('NODE_OPTIONS', '--require=/nowhere');
    expect(isCurrent(deployment)).toBe(true);
    expect(await deployment.build()).toEqual(await compiledOf(deployment));

    const operator = privateKeyToAddress(generatePrivateKey());
    // Without a maker there is no desk.
    const { swapExecutor, ...same } = await deployOwn(other.url, operator);
    expect({ ...same, swapExecutor: own.swapExecutor, quoteDesk: own.quoteDesk }).toEqual(own);
    expect(same).not.toHaveProperty('quoteDesk');
    expect(await there?.readContract({ address: swapExecutor, abi: swapExecutorAbi, functionName: 'operator' })).toBe(
      operator,
    );
  } finally {
    vi.unstubAllEnvs();
    await other.stop();
  }
});

// DP-1
test('records nothing where nothing stands', async () => {
  rmSync(record, { force: true });
  const empty = await startLocalChain();
  try {
    const script = ['forge', 'script', 'script/Deploy.s.sol', '--sig', 'record()', '--rpc-url', empty.url];
    await expect(node('lab/tools/foundry.mjs', ...script)).rejects.toThrow('NotDeployed');
    expect(() => readRecord()).toThrow('ENOENT');
  } finally {
    await empty.stop();
  }
});

// DP-1: the base chain has BNB Chain's id, where no well-known key may become the operator.
test.each(['run()', 'record()'])('demands the keys by name elsewhere: %s', async (step) => {
  const script = ['forge', 'script', 'script/Deploy.s.sol', '--sig', step, '--rpc-url', chain.baseUrl];
  await expect(node('lab/tools/foundry.mjs', ...script)).rejects.toThrow('SettingsMissing("OPERATOR ROTATOR")');
});

// DP-1: before it demands settings that the chain may not need.
test('refuses a chain that it does not know', async () => {
  const script = ['forge', 'script', 'script/Deploy.s.sol', '--chain', '1'];
  await expect(node('lab/tools/foundry.mjs', ...script)).rejects.toThrow('ChainNotSupported(1)');
});

// DP-1: without a node, forge would deploy to its own memory and report success.
test('refuses a chain without Venus, and says what to do', async () => {
  const refused = node('lab/tools/foundry.mjs', 'forge', 'script', 'script/Deploy.s.sol');
  await expect(refused).rejects.toThrow(/VenusMissing.*--rpc-url/);
});

test('has no desk for a chain with a market of its own, Lista where it is, and no sales unless asked', {
  tags: 'long',
}, async () => {
  const keys = ['OPERATOR', 'ROTATOR'].map((name, at) => `${name}=0x${'0'.repeat(39)}${at + 1}`);
  const script = ['forge', 'script', 'script/Deploy.s.sol', '--sig', 'run()', '--rpc-url', chain.baseUrl, '--json'];
  const keyed = { ...withoutSales, ...Object.fromEntries(keys.map((key) => key.split('='))) };
  const { stdout } = await promisify(execFile)(process.execPath, ['lab/tools/foundry.mjs', ...script], {
    env: keyed,
    maxBuffer: 2 ** 28,
  });
  const returned = /"returned":"0x([0-9a-f]+)"/.exec(stdout)?.[1] ?? '';
  const places = returned.match(/.{64}/g) ?? [];
  const [noDesk, hasLista, noSales] = [[true], [false], [true, true, true]];
  expect(places.map((place) => /^0+$/.test(place))).toEqual([
    ...[...Array(7).fill(false), ...noDesk, ...hasLista, ...noSales],
  ]);
});

test('refuses to deploy to nowhere', async () => {
  await expect(node('cli/main.ts', 'deploy', '--unlocked')).rejects.toThrow('Name the chain');
  const nobody = ['--rpc-url', 'http://127.0.0.1:9/a-key'];
  await expect(node('cli/main.ts', 'deploy', ...nobody)).rejects.toMatchObject({
    stderr: 'No node answers at 127.0.0.1:9, which --rpc-url names.\n',
  });
});

// DP-1
describe('what the record cannot be written with is refused before the first transaction', () => {
  let fresh: LocalChain;
  let before: number;
  beforeAll(async () => {
    fresh = await startLocalChain();
    before = await sent();
  });
  afterAll(() => fresh.stop());
  const sent = () => createPublicClient({ transport: http(fresh.url) }).getTransactionCount({ address: deployer });
  const payer = () => ['--rpc-url', fresh.url, '--unlocked', '--sender', deployer];
  const withSettings = (settings: NodeJS.ProcessEnv, ...args: string[]) =>
    promisify(execFile)(process.execPath, args, { env: { ...env, ...settings }, maxBuffer: 2 ** 28 });
  const script = () => [
    'lab/tools/foundry.mjs',
    'forge',
    'script',
    'script/Deploy.s.sol',
    '--sig',
    'run()',
    '--broadcast',
  ];

  test('by npx bowline deploy, in a line each', async () => {
    const settings = {
      DEPLOYMENTS_DIR: '.cache/elsewhere',
      VERDICT_SIGNERS: 'nobody',
      ROTATOR: keeper,
      OPERATOR: keeper,
    };
    const refused = withSettings(settings, 'cli/main.ts', 'deploy', ...payer());
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^Nothing was sent\.\n/) });
    const { stderr } = await refused.catch((error: { stderr: string }) => error);
    for (const name of ['DEPLOYMENTS_DIR is .cache/elsewhere', 'VERDICT_SIGNERS must', 'ROTATOR must not be OPERATOR'])
      expect(stderr).toContain(name);
    expect(stderr.split('\n')).toHaveLength(5);
    expect(await sent()).toBe(before);
  });

  test('by the script alone', async () => {
    const refused = withSettings({ DEPLOYMENTS_DIR: '.cache/elsewhere' }, ...script(), ...payer());
    await expect(refused).rejects.toThrow('RecordFolderNotWritable');
    expect(await sent()).toBe(before);
  });

  test('signers that are no addresses, by the script alone', { tags: 'long' }, async () => {
    const refused = withSettings({ VERDICT_SIGNERS: 'nobody' }, ...script(), ...payer());
    await expect(refused).rejects.toThrow('VERDICT_SIGNERS');
    expect(await sent()).toBe(before);
  });
});
