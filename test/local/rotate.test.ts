import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectChain } from '@bowline/chain/chain-client';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Address, type Hex, parseAbi, parseEther, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { planRegistryAbi, swapExecutorAbi } from '../../abis/index.ts';
import { startSigner } from '../../agent/test/sending/signer-stand-in.ts';
import { type OperatorRotation, rotateOperator } from '../../cli/rotate/operator.ts';
import { rotateSeller } from '../../cli/rotate/seller.ts';
import { prepareVerdictRotation } from '../../cli/rotate/verdict.ts';
import { keyNames } from '../../cli/rotate.ts';
import { accountsOf } from '../../cli/sending/keys.ts';
import { sendAs } from '../../cli/sending/send.ts';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { deployEscrow } from '../../lab/world/escrow.ts';
import { localChainId } from '../../lab/world/fork.ts';
import { deployIdentity } from '../../lab/world/identity.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { priceUsd8 } from '../../lab/world/prices.ts';
import { createPlan, type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { escrowBuyers } from '../e2e/escrow-buyers.ts';
import { alice, bob, carol } from './accounts.ts';

// Rotations on the local chain, where the deployment's rotator is anvil's third account.

const rotator = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');

let deployed: DeployedChain;
let lines: string[] = [];
const say = (line: string) => void lines.push(line);

beforeAll(async () => {
  deployed = await startDeployedChain({ maker: alice });
}, 60_000);
afterAll(() => deployed?.stop());

const client = () => connectChain(deployed.url);
const bounds = { chainId: localChainId, maxGasPriceWei: 5n * 10n ** 9n };

async function newKey(bnb = '1') {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  await fund(account.address, bnb);
  return { ...account, privateKey };
}

const fund = (address: Address, bnb: string) => deployed.chain.setBalance({ address, value: parseEther(bnb) });

const reading = (functionName: 'operator' | 'proposedOperator') =>
  deployed.chain.readContract({ address: deployed.book.own.swapExecutor, abi: swapExecutorAbi, functionName });

async function rotated(next: OperatorRotation['next'], changes: Partial<OperatorRotation> = {}) {
  lines = [];
  return rotateOperator({
    client: client(),
    book: deployed.book,
    bounds,
    rotator,
    next,
    isWallet: false,
    say,
    ...changes,
  });
}

const propose = (operator: Address) =>
  deployed.chain.send(bob, deployed.book.own.swapExecutor, {
    abi: swapExecutorAbi,
    functionName: 'proposeOperator',
    args: [operator],
  });

// DP-20
describe('the operator', () => {
  test('is replaced by another key, once, however often that is asked for', async () => {
    const before = await reading('operator');
    const next = await newKey();
    expect(await rotated(next)).toBeUndefined();
    expect(await reading('operator')).toBe(next.address);
    expect(lines.join('\n')).toContain(`${before} is no longer the operator.`);
    // The desk takes quotes only from its maker, which can never be changed.
    expect(lines.at(-1)).toBe(
      `QuoteDesk's maker ${alice} cannot be changed: withdraw its inventory, and deploy a desk with DESK_MAKER=${next.address}.`,
    );
    const block = await deployed.chain.getBlockNumber();
    expect(await rotated(next)).toBeUndefined();
    expect(lines).toEqual([`${next.address} is the operator.`]);
    expect(await deployed.chain.getBlockNumber()).toBe(block);
  });

  test('is replaced by an ERC-4337 account, which accepts by its own operation, deployed or not', async () => {
    const next = await newKey();
    await expect(rotated(next, { isWallet: true })).rejects.toThrow(
      /^0x\w{40} holds 0 BNB, and needs 0\.\d+ BNB to accept\.$/,
    );
    expect(await reading('proposedOperator')).toBe(zeroAddress);
    const wallet = await walletOf(deployed.chain, next.address);
    await fund(wallet, '1');
    expect(await deployed.chain.getCode({ address: wallet })).toBeUndefined();
    expect(await rotated(next, { isWallet: true })).toBeUndefined();
    expect(await reading('operator')).toBe(wallet);
    // And again from another operator, now that the wallet is deployed.
    await rotated(await newKey());
    expect(await rotated(next, { isWallet: true })).toBeUndefined();
    expect(await reading('operator')).toBe(wallet);
  });

  test('waits for a rotator whose key is elsewhere, and takes over once that has proposed', async () => {
    const next = await newKey();
    const awaited = await rotated(next, { rotator: undefined });
    expect(awaited).toMatchObject({ from: rotator.address, to: deployed.book.own.swapExecutor });
    expect(await rotated(next, { rotator: undefined })).toEqual(awaited);
    await deployed.chain.sendTogether(bob, [{ to: awaited?.to as Address, data: awaited?.data as Hex }]);
    expect(await rotated(next, { rotator: undefined })).toBeUndefined();
    expect(await reading('operator')).toBe(next.address);
  });

  test('is not replaced by a key that is not the rotator, nor by the rotator, nor by one without gas', async () => {
    const [before, stranger, poor] = [await reading('operator'), await newKey(), await newKey('0')];
    const next = await newKey();
    await expect(rotated(next, { rotator: stranger })).rejects.toThrow(
      `ROTATOR_PRIVATE_KEY belongs to ${stranger.address}, but the rotator is ${rotator.address}.`,
    );
    await expect(rotated(rotator)).rejects.toThrow('The rotator cannot be the operator.');
    await expect(rotated(poor)).rejects.toThrow(`${poor.address} holds 0 BNB, and needs`);
    expect([await reading('operator'), await reading('proposedOperator')]).toEqual([before, zeroAddress]);
  });

  test('a thief with the rotator’s key who has proposed is named, and their proposal replaced', async () => {
    const next = await newKey();
    await propose(carol);
    expect(await rotated(next)).toBeUndefined();
    expect(lines[0]).toBe(`${carol} was proposed and has not accepted. It is replaced.`);
    expect(await reading('operator')).toBe(next.address);
  });

  test('a thief who proposes another between proposal and acceptance stops it, by name', async () => {
    const [before, next] = [await reading('operator'), await newKey()];
    const sign = next.signTransaction;
    const late = {
      ...next,
      signTransaction: async (...transaction: Parameters<typeof sign>) => {
        await propose(carol);
        return sign(...transaction);
      },
    };
    await expect(rotated(late as typeof next)).rejects.toThrow(/^Transaction 0x\w{64} reverted\.$/);
    expect(await reading('operator')).toBe(before);
    await expect(rotated(next, { rotator: undefined })).resolves.toMatchObject({ from: rotator.address });
    expect(lines[0]).toBe(`${carol} was proposed and has not accepted. It is replaced.`);
  });

  test('DP-18: signs by a remote signer, key and wallet', async () => {
    const next = await newKey();
    const { url, asked } = await startSigner([rotator, next], localChainId);
    const environment = {
      SIGNER_URL: url,
      ROTATOR_PRIVATE_KEY: `signer:${rotator.address}`,
      NEW_OPERATOR_PRIVATE_KEY: `signer:${next.address}`,
    };
    const account = accountsOf(keyNames, environment, localChainId);
    const [remoteRotator, remote] = [account('ROTATOR_PRIVATE_KEY'), account('NEW_OPERATOR_PRIVATE_KEY')];
    if (remoteRotator === undefined || remote === undefined) throw new Error('A key is missing.');
    await fund(await walletOf(deployed.chain, next.address), '1');
    expect(await rotated(remote, { rotator: remoteRotator, isWallet: true })).toBeUndefined();
    expect(await reading('operator')).toBe(await walletOf(deployed.chain, next.address));
    expect(asked.map(({ method }) => method)).toEqual([
      ...['eth_signTransaction', 'eth_signTypedData', 'eth_signTransaction'],
    ]);
  });
});

// DP-20
describe('the verdict signer', () => {
  const key = generatePrivateKey();
  const to = privateKeyToAccount(key).address;
  const [from, other] = [1, 2].map(() => privateKeyToAccount(generatePrivateKey()).address) as [Address, Address];
  const registry = () => deployed.book.own.planRegistry;
  const planAt = (id: bigint) =>
    deployed.chain.readContract({ address: registry(), abi: planRegistryAbi, functionName: 'plan', args: [id] });
  const prepared = () => prepareVerdictRotation(client(), deployed.book, localChainId, from, to);

  test('is replaced in each plan by its owner’s own call, which changes nothing else and is void after a change', async () => {
    const mine = { verdictSigner: from };
    const active = await createPlan(deployed, mine);
    const paused = await createPlan(deployed, { ...mine, owner: bob, recipient: bob });
    const cancelled = await createPlan(deployed, mine);
    await createPlan(deployed, { verdictSigner: other });
    await createPlan(deployed);
    const act = (owner: Address, functionName: 'pause' | 'cancel', id: bigint) =>
      deployed.chain.send(owner, registry(), { abi: planRegistryAbi, functionName, args: [id] });
    await act(bob, 'pause', paused);
    await act(carol, 'cancel', cancelled);

    const first = await prepared();
    expect(first).toMatchObject({ chainId: localChainId, planRegistry: registry(), from, to, unread: 0 });
    const listed = first.owners.map(({ owner, edits }) => [
      owner,
      edits.map(({ plan, status }) => `${plan} ${status}`),
    ]);
    expect(listed).toEqual([
      [carol, [`${active} active`]],
      [bob, [`${paused} paused`]],
    ]);
    const callOf = (owner: Address) => {
      const call = first.owners.find((each) => each.owner === owner)?.edits[0]?.call;
      if (call === undefined) throw new Error(`No edit of ${owner}.`);
      return { to: call.to, data: call.data };
    };
    const send = (by: Address, call: { to: Address; data: Hex }) => deployed.chain.sendTogether(by, [call]);

    // Nobody else can send it.
    expect((await send(bob, callOf(carol)))[0]?.status).toBe('reverted');
    const { terms: before } = await planAt(active);
    expect((await send(carol, callOf(carol)))[0]?.status).toBe('success');
    const { terms, state } = await planAt(active);
    expect(terms).toEqual({ ...before, verdictSigner: to });
    expect(state.version).toBe(2);
    expect((await send(carol, callOf(carol)))[0]?.status).toBe('reverted');
    expect((await prepared()).owners.map(({ owner }) => owner)).toEqual([bob]);
    expect((await send(bob, callOf(bob)))[0]?.status).toBe('success');
    expect((await prepared()).owners).toEqual([]);
  });

  // In a batch, one edit that reverts would revert the others too.
  test('an edit that the wall would refuse is named, and is not among the calls', async () => {
    const near = priceUsd8.BTCB * 10n ** 10n;
    const walled = {
      owner: alice,
      recipient: alice,
      verdictSigner: other,
      priceSource: zeroAddress,
      maxSlippageBps: 0,
    };
    const late = await createPlan(deployed, { ...walled, limitPriceWad: near });
    const open = await createPlan(deployed, { ...walled, limitPriceWad: near, farLimit: true });
    onTestFinished(() => setPrice(deployed.chain, bob, 'BTCB', priceUsd8.BTCB));
    await setPrice(deployed.chain, bob, 'BTCB', (priceUsd8.BTCB * 80n) / 100n);

    const { owners } = await prepareVerdictRotation(client(), deployed.book, localChainId, other, to);
    const theirs = owners.find(({ owner }) => owner === alice);
    expect(theirs?.edits.map(({ plan }) => plan)).toEqual([`${open}`]);
    expect(theirs?.refused).toEqual([{ plan: `${late}`, reason: 'limit_too_far' }]);
    const calls = theirs?.edits.map(({ call }) => ({ to: call.to, data: call.data })) ?? [];
    expect((await deployed.chain.sendTogether(alice, calls)).map(({ status }) => status)).toEqual(['success']);
  });

  test('the command writes the edits, names the next signer in the record, and says when the former may go', {
    tags: 'long',
  }, async () => {
    const id = await createPlan(deployed, { verdictSigner: from });
    const folder = mkdtempSync(join(tmpdir(), 'rotate-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const record = join(folder, `${localChainId}.json`);
    writeFileSync(record, JSON.stringify({ chainId: localChainId, ...deployed.book.own, verdictSigners: [from] }));
    const out = join(folder, 'not/there/edits.json');
    const rotate = (args: readonly string[], env: Record<string, string> = { VERDICT_PRIVATE_KEY: key }) =>
      promisify(execFile)(
        process.execPath,
        ['cli/main.ts', 'rotate', ...args, '--rpc', deployed.url, '--deployments', folder, '--out', out],
        { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env } },
      ).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
      );
    const signersNamed = () => JSON.parse(readFileSync(record, 'utf8')).verdictSigners;
    const mistaken = [
      [
        to.replace(/[a-f](?=[^a-f]*$)/, (letter) => letter.toUpperCase()),
        {},
        2,
        'invalid_address: --to has a wrong checksum',
      ],
      [to, {}, 1, 'VERDICT_PRIVATE_KEY is missing'],
      [to, { VERDICT_PRIVATE_KEY: generatePrivateKey() }, 1, `, and --to is ${to}.`],
    ] as const;
    await Promise.all(
      mistaken.map(async ([named, keys, code, said]) => {
        const refused = { code, said: expect.stringContaining(said) };
        expect(await rotate(['verdict', '--from', from, '--to', named], keys)).toMatchObject(refused);
      }),
    );
    expect(signersNamed()).toEqual([from]);
    // DP-20
    expect(await rotate(['verdict', '--from', from, '--to', to, '--chain', 'bsc'])).toMatchObject({
      code: 1,
      said: expect.stringContaining(`serves chain ${localChainId}, not chain 56`),
    });
    const first = await rotate(['verdict', '--from', from, '--to', to]);
    expect(first).toMatchObject({ code: 3, said: expect.stringContaining(`1 plan(s) of 1 owner(s) name ${from}.`) });
    expect(JSON.parse(readFileSync(record, 'utf8')).verdictSigners).toEqual([from, to]);
    const { owners } = JSON.parse(readFileSync(out, 'utf8'));
    expect(owners).toMatchObject([{ owner: carol, edits: [{ plan: `${id}`, version: 1, runs: 0 }] }]);
    await deployed.chain.sendTogether(
      carol,
      [owners[0].edits[0].call].map(({ to, data }) => ({ to, data })),
    );
    const last = await rotate(['verdict', '--from', from, '--to', to]);
    expect(last).toMatchObject({ code: 0, said: expect.stringContaining(`No plan names ${from}`) });
    expect(await rotate(['operator'])).toMatchObject({
      code: 1,
      said: 'NEW_OPERATOR_PRIVATE_KEY is missing: set it or NEW_OPERATOR_PRIVATE_KEY_FILE.\n',
    });
  });
});

// DP-20
test('nothing is sent at a gas price above the bound, nor on another chain', async () => {
  const [from, to] = [await newKey(), await newKey()];
  const sent = (over: Partial<typeof bounds>) =>
    sendAs(client(), from, { to: to.address, data: '0x' }, { ...bounds, ...over });
  await expect(sent({ maxGasPriceWei: 1_000_000n })).rejects.toThrow(
    /quotes \d.* gwei for gas, and MAX_GAS_PRICE_GWEI is 0.001/,
  );
  await expect(sent({ chainId: 56 })).rejects.toThrow(`serves chain ${localChainId}, not chain 56: nothing was sent.`);
  await expect(rotated(to, { bounds: { ...bounds, maxGasPriceWei: 1n } })).rejects.toThrow('MAX_GAS_PRICE_GWEI');
  expect(await reading('proposedOperator')).not.toBe(to.address);
  expect(await deployed.chain.getTransactionCount({ address: from.address })).toBe(0);
});

// DP-20
test('the seller hands over its entry when nothing is left to deliver, and by an order to do so before', {
  tags: 'long',
}, async () => {
  const { chain, book } = deployed;
  const escrow = await deployEscrow(chain, 20);
  const registry = await deployIdentity(chain);
  const selling: AddressBook = { ...book, escrow };
  const [from, to, later] = [await newKey(), await newKey(), await newKey()];
  const abi = parseAbi([
    'function register() returns (uint256)',
    'function ownerOf(uint256) view returns (address)',
    'function getAgentWallet(uint256) view returns (address)',
  ]);
  await chain.impersonateAccount({ address: from.address });
  await chain.send(from.address, registry, { abi, functionName: 'register' });
  const entry = { registry, agentId: 0n };
  const at = (functionName: 'ownerOf' | 'getAgentWallet') =>
    chain.readContract({ address: registry, abi, functionName, args: [0n] });
  const rotate = (changes: Partial<Parameters<typeof rotateSeller>[0]> = {}) => {
    lines = [];
    return rotateSeller({
      client: client(),
      book: selling,
      bounds,
      from,
      to,
      entry,
      abandonsJobs: false,
      say,
      ...changes,
    });
  };

  const buyers = escrowBuyers(chain, escrow, from.address);
  await buyers.equip(alice, 10n ** 18n);
  const [job] = await buyers.order(alice, [{ description: 'work', budget: 10n ** 18n }]);
  expect(await rotate()).toBe(false);
  expect(lines[0]).toContain(`Job ${job} is paid for and not delivered.`);
  expect(await at('ownerOf')).toBe(from.address);

  expect(await rotate({ abandonsJobs: true })).toBe(true);
  expect([await at('ownerOf'), await at('getAgentWallet')]).toEqual([to.address, to.address]);
  const block = await chain.getBlockNumber();
  expect(await rotate({ abandonsJobs: true })).toBe(true);
  expect(await chain.getBlockNumber()).toBe(block);
  await expect(rotate({ from: later, to: from })).rejects.toThrow(
    `Agent 0 belongs to ${to.address}, which is neither seller.`,
  );
  await expect(rotate({ to: from })).rejects.toThrow('NEW_SELLER_PRIVATE_KEY is the same key.');
  expect(await rotate({ from: to, to: later })).toBe(true);
  expect(lines.join('\n')).toContain(`${to.address} holds 0 `);
});

// DP-19
test('a rotation takes no unencrypted key from the environment on BNB Chain', () => {
  const raw = generatePrivateKey();
  expect(() => accountsOf(keyNames, { ROTATOR_PRIVATE_KEY: raw }, 56)).toThrow(
    'ROTATOR_PRIVATE_KEY is an unencrypted private key in the environment, which is refused on bsc: use ROTATOR_PRIVATE_KEY_FILE.',
  );
  for (const [environment, chainId] of [
    [{ ROTATOR_PRIVATE_KEY: raw }, 97],
    [{ ROTATOR_PRIVATE_KEY: raw, RAW_KEYS: 'accepted' }, 56],
  ] as const) {
    expect(accountsOf(keyNames, environment, chainId)('ROTATOR_PRIVATE_KEY')?.address).toBe(
      privateKeyToAccount(raw).address,
    );
  }
  expect(() => accountsOf(keyNames, { ROTATOR_PRIVATE_KEY: `signer:${alice}` }, 97)).toThrow('SIGNER_URL is missing');
});
