import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { localKeys } from '../../agent/src/settings.ts';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { connect } from '../../lab/world/chain.ts';
import { deployOwn } from '../../lab/world/deployment.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { startReplica } from '../../lab/world/replica.ts';
import { deployContracts, keeper } from '../../lab/world/start/contracts.ts';

// What the agent, as a process, refuses to start with: AG-10. The adversary is an operator who has mixed up the keys.

const folder = '.cache/deployments/refused-start';
const scratch = mkdtempSync(join(tmpdir(), 'bowline-refused-'));
const stranger = generatePrivateKey();
const { address: strangerAddress } = privateKeyToAccount(stranger);
const { address: verdictAddress } = privateKeyToAccount(localKeys.verdict);
let local: LocalChain;

beforeAll(async () => {
  local = await startLocalChain();
  await deployContracts(local.url, folder, new AbortController().signal);
});
afterAll(async () => {
  rmSync(scratch, { recursive: true });
  await local?.stop();
});

/** The output of a start, until the agent is ready or has ended. */
async function start(env: Record<string, string>, ...options: string[]) {
  const child = spawn(process.execPath, ['agent/src/main.ts', ...options], {
    env: {
      ...process.env,
      PORT: '0',
      ...{ CHAIN: 'local', RPC_URL: local.url, DEPLOYMENTS_DIR: folder, MARKET_DATA_URL: 'off', PYTH_URL: 'off' },
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
    // A second signal would end it before it has stopped.
    if (!child.killed && said.out.includes('agent.ready')) child.kill();
  });
  child.stderr.on('data', (text) => (said.err += text));
  const [code] = await once(child, 'close');
  return { code, ...said };
}

/** The record with some of it changed, in a folder of its own. */
function recordWith(changes: object): string {
  const record = { ...JSON.parse(readFileSync(`${folder}/31337.json`, 'utf8')), ...changes };
  const own = mkdtempSync(join(scratch, 'record-'));
  writeFileSync(join(own, '31337.json'), JSON.stringify(record));
  return own;
}

/** A record of contracts whose operator is a wallet that nobody has deployed. */
async function walletRecord(owner: `0x${string}`): Promise<{ record: string; wallet: `0x${string}` }> {
  const wallet = await walletOf(connect(local.url), owner);
  return { record: recordWith(await deployOwn(local.url, wallet)), wallet };
}

const keyFile = (text: string, mode: number) => {
  const path = join(mkdtempSync(join(scratch, 'key-')), 'key');
  writeFileSync(path, text, { mode });
  return path;
};

const sabotages: Record<string, { env: () => Promise<Record<string, string>>; says: string | RegExp }> = {
  'a verdict key that the deployment does not name': {
    env: async () => ({ VERDICT_PRIVATE_KEY: stranger }),
    says: `verdict_key_unnamed: VERDICT_PRIVATE_KEY belongs to ${strangerAddress}, but the deployment record names ${verdictAddress} (`,
  },
  'a verdict key, and a deployment that names nobody': {
    env: async () => ({ VERDICT_PRIVATE_KEY: stranger, DEPLOYMENTS_DIR: recordWith({ verdictSigners: undefined }) }),
    says: `verdict_key_unnamed: VERDICT_PRIVATE_KEY belongs to ${strangerAddress}, but the deployment record names no verdict signer (`,
  },
  'a next verdict key before the record names it': {
    env: async () => ({ VERDICT_PRIVATE_KEY: `${stranger},${localKeys.verdict}` }),
    says: `verdict_key_unnamed: VERDICT_PRIVATE_KEY belongs to ${strangerAddress}`,
  },
  'a keeper key that is not the operator': {
    env: async () => ({ KEEPER_PRIVATE_KEY: stranger }),
    says: `keeper_not_operator: KEEPER_PRIVATE_KEY belongs to ${strangerAddress}, whose wallet is 0x`,
  },
  'a wallet that is not deployed and holds no BNB': {
    env: async () => ({ DEPLOYMENTS_DIR: (await walletRecord(keeper)).record }),
    says: /^wallet_not_deployed: The wallet (0x\w+) could not be deployed \(not_allowed: balance\)\. Send BNB to \1 and to the key that submits its operations \(.*\)\.\n$/,
  },
  'a wallet that nobody can carry': {
    env: async () => {
      const { record, wallet } = await walletRecord(strangerAddress);
      await connect(local.url).setBalance({ address: wallet, value: parseEther('1') });
      return { KEEPER_PRIVATE_KEY: stranger, DEPLOYMENTS_DIR: record };
    },
    says: /^wallet_not_deployed: The wallet 0x\w+ could not be deployed \(not_allowed: balance\)\. Send BNB/,
  },
  'a gas price above what may be paid for a wallet': {
    env: async () => {
      const { record, wallet } = await walletRecord(keeper);
      await connect(local.url).setBalance({ address: wallet, value: parseEther('1') });
      return { MAX_GAS_PRICE_GWEI: '0.000001', DEPLOYMENTS_DIR: record };
    },
    says: /^wallet_not_deployed: The wallet 0x\w+ could not be deployed \(not_allowed: gas_price\)\. Raise MAX_GAS_PRICE_GWEI/,
  },
  'several workers of a wallet that is not deployed': {
    env: async () => ({
      ...{ DEPLOYMENTS_DIR: (await walletRecord(keeper)).record, REDIS_URL: 'redis://127.0.0.1:9' },
      RESCUE_PRIVATE_KEYS: stranger,
    }),
    says: /^wallet_not_deployed: The wallet 0x\w+ is not deployed yet\. First start one agent without REDIS_URL, and wait until it is ready\.\n$/,
  },
  'a remote signer that does not answer': {
    env: async () => ({ SIGNER_URL: 'http://127.0.0.1:9', VERDICT_PRIVATE_KEY: `signer:${verdictAddress}` }),
    says: /signer/i,
  },
  'a record of contracts that are not there': {
    env: async () => ({ DEPLOYMENTS_DIR: recordWith({ planRegistry: strangerAddress }) }),
    says: `code_missing: Chain 31337 has no code at the address of: `,
  },
  'no record': {
    env: async () => ({ DEPLOYMENTS_DIR: scratch }),
    says: /^record_missing: .*31337\.json is missing\. Deploy the contracts/,
  },
  'a node of another chain': {
    env: async () => ({ RPC_URL: local.baseUrl }),
    says: 'chain_id: The node at RPC_URL serves chain 56, not chain 31337.',
  },
  'an amount that is none': { env: async () => ({ MAX_GAS_BNB_PER_DAY: 'abc' }), says: 'MAX_GAS_BNB_PER_DAY must' },
  'a key file that others may read': {
    env: async () => ({ KEEPER_PRIVATE_KEY: '', KEEPER_PRIVATE_KEY_FILE: keyFile(localKeys.keeper, 0o644) }),
    says: /KEEPER_PRIVATE_KEY_FILE.*chmod/,
  },
  'a key file that is not there': {
    env: async () => ({ KEEPER_PRIVATE_KEY: '', KEEPER_PRIVATE_KEY_FILE: join(scratch, 'nothing') }),
    says: 'KEEPER_PRIVATE_KEY_FILE',
  },
};

test.each(Object.entries(sabotages))('AG-10: no agent starts with %s', async (_, { env, says }) => {
  const { code, err, out } = await start(await env());
  expect(code, `${err}${out}`).toBe(1);
  expect(err).toEqual(typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says));
  expect(out).not.toContain('agent.ready');
});

test('AG-371: the agent takes an owner to serve alone, and refuses what is no address', async () => {
  const wrong = await start({}, '--only-owner', '0x12');
  expect(wrong.code).toBe(1);
  expect(wrong.err).toMatch(/^invalid_address: --only-owner /);
  const only = await start({}, '--only-owner', strangerAddress.toLowerCase());
  expect(only.code, only.err).toBe(0);
  expect(only.out).toContain(`"onlyOwner":"${strangerAddress}"`);
});

test('AG-10: without a verdict key no agent of BNB Chain starts whose deployment names one, unless it makes no runs', async () => {
  const chain = await startReplica();
  onTestFinished(() => chain.stop());
  const { address: operator } = privateKeyToAccount(stranger);
  const record = { chainId: 56, ...(await deployOwn(chain.url, operator)), verdictSigners: [verdictAddress] };
  writeFileSync(join(scratch, '56.json'), JSON.stringify(record));
  const env = {
    ...{ CHAIN: 'bsc', RPC_URL: chain.url, DEPLOYMENTS_DIR: scratch },
    ...{ KEEPER_PRIVATE_KEY: stranger, RAW_KEYS: 'accepted' },
  };
  const { code, err, out } = await start(env);
  expect(code, `${err}${out}`).toBe(1);
  expect(err).toBe(
    `verdict_key_unnamed: VERDICT_PRIVATE_KEY is missing, but the deployment record names ${verdictAddress} (verdictSigners). ` +
      'Set the key that it names, or set KEEPER_PRIVATE_KEY to off to make no runs.\n',
  );
  const accepted = { ...env, KEEPER_PRIVATE_KEY: 'off', RESCUE_PRIVATE_KEYS: stranger };
  expect(await start(accepted)).toMatchObject({ code: 0, err: '' });
});

test('AG-10: without a keeper it takes another verdict key, and a record that names nobody the key that nobody has set', async () => {
  for (const env of [
    {},
    { VERDICT_PRIVATE_KEY: stranger, KEEPER_PRIVATE_KEY: 'off', RESCUE_PRIVATE_KEYS: localKeys.rescue },
    { DEPLOYMENTS_DIR: recordWith({ verdictSigners: undefined }) },
  ]) {
    const { code, err } = await start(env);
    expect(code, err).toBe(0);
  }
});
