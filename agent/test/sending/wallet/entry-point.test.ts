import EntryPoint from '@account-abstraction/contracts/artifacts/EntryPoint.json' with { type: 'json' };
import { connectChain } from '@bowline/chain/chain-client';
import { bscChainId } from '@bowline/core/domain/chains';
import fc from 'fast-check';
import { type Abi, type Hex, maxUint128, parseEther, recoverAddress, size, toHex } from 'viem';
import { toPackedUserOperation } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountAbstraction } from '../../../../lab/world/addresses.ts';
import { type Chain, connect } from '../../../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../../lab/world/fork.ts';
import { alice } from '../../../../test/local/accounts.ts';
import { type Account, gasOf, type Operation, openAccount } from '../../../src/sending/wallet/account.ts';
import { connectEntryPoint } from '../../../src/sending/wallet/entry-point.ts';

const owner = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const { entryPoint: address, simpleAccountFactory: accountFactory } = accountAbstraction;

let local: LocalChain;
let chain: Chain;
let account: Account;
beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
  account = await openAccount(connectChain(local.url), owner, { entryPoint: address, accountFactory });
});
afterAll(() => local?.stop());

const number = fc.bigInt({ min: 0n, max: maxUint128 });
const bytes = fc.uint8Array({ maxLength: 100 }).map((array): Hex => toHex(array));

// WA-6
test.each([localChainId, bscChainId])(
  'the hash and the signature are those of EntryPoint 0.9 on chain %s',
  async (chainId) => {
    await chain.request({ method: 'anvil_setChainId', params: [chainId] } as never);
    const { hashOf } = connectEntryPoint(connectChain(local.url), address);
    const anyOperation = fc.record({
      nonce: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      callData: bytes,
      callGasLimit: number,
      verificationGasLimit: number,
      preVerificationGas: number,
      maxFeePerGas: number,
      maxPriorityFeePerGas: number,
      isCreating: fc.boolean(),
    });
    const property = fc.asyncProperty(anyOperation, async ({ isCreating, ...fields }) => {
      const creation = isCreating && account.creation;
      const operation: Operation = { sender: account.address, signature: '0x', ...fields, ...creation };
      const hash = hashOf(operation, chainId);
      const args = [toPackedUserOperation(operation)];
      const request = { address, abi: EntryPoint.abi as Abi, functionName: 'getUserOpHash', args } as const;
      expect(await chain.readContract(request)).toBe(hash);
      const signature = await account.sign(operation, chainId);
      expect(await recoverAddress({ hash, signature })).toBe(owner.address);
    });
    await fc.assert(property, { numRuns: 50 });
  },
);

test('of two accounts whose operations have the same nonce, each is told its own', async () => {
  await chain.request({ method: 'anvil_setChainId', params: [localChainId] } as never);
  const client = connectChain(local.url);
  const entryPoint = connectEntryPoint(client, address);
  const others = [privateKeyToAccount(`0x${'8'.repeat(64)}`), privateKeyToAccount(`0x${'9'.repeat(64)}`)];
  const operations = await Promise.all(
    others.map(async (key) => {
      const each = await openAccount(client, key, { entryPoint: address, accountFactory });
      await chain.setBalance({ address: each.address, value: parseEther('1') });
      const callData = each.encode({ to: each.address, data: '0x' });
      const price = await client.getGasPrice();
      const unsigned: Operation = {
        ...{ sender: each.address, nonce: 0n, callData, signature: '0x', ...each.creation },
        ...{ ...gasOf(0n, size(callData), false), maxFeePerGas: price, maxPriorityFeePerGas: price },
      };
      return { ...unsigned, signature: await each.sign(unsigned, localChainId) };
    }),
  );
  const packed = operations.map((operation) => toPackedUserOperation(operation));
  const { transactionHash: hash } = await chain.send(alice, address, {
    ...{ abi: EntryPoint.abi as Abi, functionName: 'handleOps', args: [packed, alice] },
  });
  for (const operation of operations) {
    const inclusion = await entryPoint.inclusionBy(operation, hash);
    expect(inclusion).toMatchObject({ operationHash: entryPoint.hashOf(operation, localChainId), isSuccess: true });
  }
});

test('a wallet needs the factory that makes it, which is named in one line', async () => {
  await expect(openAccount(connectChain(local.url), owner, { entryPoint: address })).rejects.toThrow(
    new RegExp(
      `^ACCOUNT_FACTORY is missing: it deploys the ERC-4337 account of ${owner.address}\\. Set ACCOUNT_FACTORY`,
    ),
  );
});
