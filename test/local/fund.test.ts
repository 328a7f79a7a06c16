import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { deployOwn } from '../../lab/world/deployment.ts';
import { localChainId } from '../../lab/world/fork.ts';
import { type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';

// The keeper's key owns the wallet that operates; nobody has funded either.

const [key, rescueKey] = [generatePrivateKey(), generatePrivateKey()];
const [keeper, rescuer] = [key, rescueKey].map(privateKeyToAddress) as [Address, Address];
const folder = mkdtempSync(join(tmpdir(), 'bowline-fund-'));
let world: DeployedChain;
let wallet: Address;
/** Records of contracts whose operator is the wallet, and of contracts whose operator is a stranger. */
let [own, foreign] = ['', ''];
beforeAll(async () => {
  world = await startDeployedChain();
  wallet = await walletOf(world.chain, keeper);
  const recordOf = (name: string, contracts: object) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, `${localChainId}.json`), JSON.stringify({ chainId: localChainId, ...contracts }));
    return join(folder, name);
  };
  foreign = recordOf('foreign', world.book.own);
  own = recordOf('own', await deployOwn(world.url, wallet));
}, 60_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true });
});

const fund = (record: string, ...words: string[]) =>
  promisify(execFile)(
    process.execPath,
    ['cli/main.ts', 'fund', '--rpc', world.url, '--deployments', record, ...words],
    {
      env: { PATH: process.env.PATH, KEEPER_PRIVATE_KEY: key, RESCUE_PRIVATE_KEYS: rescueKey },
    },
  ).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout, stderr }) => ({ code, out: stdout + stderr }),
  );
const held = (address: Address) => world.chain.getBalance({ address });

test('a stranger who operates is not paid for', async () => {
  expect(await fund(foreign, '--yes')).toMatchObject({
    code: 2,
    out: expect.stringContaining("but SwapExecutor's operator is"),
  });
  expect(await held(keeper)).toBe(0n);
});

test('says what each account lacks, sends it when told to, and once', async () => {
  const asked = await fund(own);
  expect(asked).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was sent. Add --yes') });
  expect(asked.out).toContain(`rescuer  ${rescuer} holds 0 BNB, and lacks 60 BNB.`);
  expect(await held(rescuer)).toBe(0n);
  expect(await fund(own, '--to', 'much')).toMatchObject({ code: 2, out: '--to takes an amount in BNB, like 0.05.\n' });
  expect(await fund(own, '--yes', '--to', '0.02')).toMatchObject({ code: 0, out: expect.stringContaining('Sent: 0x') });
  expect(await Promise.all([keeper, wallet, rescuer].map(held))).toEqual(Array(3).fill(parseEther('0.02')));
  const again = await fund(own, '--yes', '--to', '0.02');
  expect(again).toMatchObject({ code: 0, out: expect.not.stringContaining('Sent') });
});
