import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readiness } from '@bowline/core/domain/readiness';
import { Keystore } from 'ox';
import { parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { localKeys } from '../../agent/src/settings.ts';
import { startSigner } from '../../agent/test/sending/signer-stand-in.ts';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { connect } from '../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { startSidecar } from './sidecar.ts';

// The agent as a process whose keys are elsewhere: DP-16, DP-18.

const folder = '.cache/deployments/remote-signer';
const [operator, verdict, seller] = [localKeys.keeper, localKeys.verdict, localKeys.seller].map((key) =>
  privateKeyToAccount(key),
) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
];

let local: LocalChain;

beforeAll(async () => {
  local = await startLocalChain();
  const chain = connect(local.url);
  const wallet = await walletOf(chain, keeper);
  await chain.setBalance({ address: wallet, value: parseEther('10') });
  await deployContracts(local.url, folder, new AbortController().signal, { operator: wallet });
}, 120_000);
afterAll(() => local?.stop());

const settings = () => ({ RPC_URL: local.url, MARKET_DATA_URL: 'off', PYTH_URL: 'off', DEPLOYMENTS_DIR: folder });

test('DP-18: an agent all of whose keys are at a signer acts, signs tickets, and says when the signer is gone', {
  tags: 'long',
  timeout: 240_000,
}, async () => {
  const signer = await startSigner([operator, verdict, seller], localChainId);
  const agent = await startSidecar({
    ...settings(),
    SIGNER_URL: signer.url,
    KEEPER_PRIVATE_KEY: `signer:${operator.address}`,
    VERDICT_PRIVATE_KEY: `signer:${verdict.address}`,
    SELLER_PRIVATE_KEY: `signer:${seller.address}`,
  });
  onTestFinished(() => agent.kill());
  // Created by an operation (typed data) that the key's own transaction carried.
  expect(await agent.logged('wallet.created')).toBeDefined();
  const methods = new Set(signer.asked.map(({ method }) => method));
  expect(methods).toEqual(new Set(['eth_accounts', 'eth_signTypedData', 'eth_signTransaction']));

  const answer = await (await fetch(`${agent.url}/verdict?asset=BTCB&amount_usd=1000`)).json();
  expect(answer).toMatchObject({
    ticket: { signer: verdict.address, signature: expect.stringMatching(/^0x\w{130}$/) },
  });
  // The card's key follows from a key that is not here.
  expect(await (await fetch(`${agent.url}/.well-known/jwks.json`)).json()).toEqual({ keys: [] });

  const ready = async () => {
    const { dependencies } = (await (await fetch(`${agent.url}/ready`)).json()) as Readiness;
    return dependencies.signer;
  };
  await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ ok: true, needed: true });
  signer.become(async () => 'garbage');
  await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ ok: false, reason: 'signer_unavailable' });
});

test('DP-18: the start names a key that the signer does not hold', { tags: 'long', timeout: 120_000 }, async () => {
  const signer = await startSigner([operator], localChainId);
  const child = spawn(process.execPath, ['agent/src/main.ts'], {
    env: {
      ...{ PATH: process.env.PATH, CHAIN: 'local', PORT: '0', ...settings() },
      ...{ SIGNER_URL: signer.url, VERDICT_PRIVATE_KEY: `signer:${verdict.address}` },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toBe(`The remote signer holds no such key (signer_key_missing, key of ${verdict.address}).\n`);
});

test('DP-16: an agent whose keys are in keystores signs with them', { tags: 'long', timeout: 240_000 }, async () => {
  const keys = mkdtempSync(join(tmpdir(), 'keystores-'));
  onTestFinished(() => rmSync(keys, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(keys, name), content, { mode: 0o600 });
    return join(keys, name);
  };
  const [key, options] = Keystore.scrypt({ password: 'hidden', n: 8_192, r: 8, p: 1 });
  const agent = await startSidecar({
    ...settings(),
    KEEPER_PRIVATE_KEY_FILE: file('keeper', JSON.stringify(Keystore.encrypt(localKeys.keeper, key, options))),
    KEEPER_PRIVATE_KEY_PASSWORD_FILE: file('password', 'hidden\n'),
    VERDICT_PRIVATE_KEY_FILE: file('verdict', localKeys.verdict),
  });
  onTestFinished(() => agent.kill());
  const answer = await (await fetch(`${agent.url}/verdict?asset=BTCB&amount_usd=1000`)).json();
  expect(answer).toMatchObject({ ticket: { signer: verdict.address } });
  expect(agent.log.find(({ event }) => event === 'agent.ready')).toMatchObject({ keeper: operator.address });
  expect(JSON.stringify(agent.log)).not.toContain('hidden');
});
