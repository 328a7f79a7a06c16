import { hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planRegistryAbi } from '../../../abis/index.ts';
import { localChainId } from '../../../lab/world/fork.ts';
import { bob } from '../../../test/local/accounts.ts';
import { type DeployedChain, planTerms, startDeployedChain } from './deployed-chain.ts';

// What a wallet shows and signs for an owner, against what the registry takes.

const owner = privateKeyToAccount(`0x${'7'.repeat(64)}`);

const types = {
  Creation: [
    { name: 'owner', type: 'address' },
    { name: 'plans', type: 'Terms[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'epoch', type: 'uint64' },
  ],
  Terms: [
    { name: 'owner', type: 'address' },
    { name: 'recipient', type: 'address' },
    { name: 'executor', type: 'address' },
    { name: 'verdictSigner', type: 'address' },
    { name: 'tokenIn', type: 'address' },
    { name: 'tokenOut', type: 'address' },
    { name: 'amountPerRun', type: 'uint104' },
    { name: 'startAt', type: 'uint40' },
    { name: 'periodSeconds', type: 'uint32' },
    { name: 'windowSeconds', type: 'uint32' },
    { name: 'maxRuns', type: 'uint32' },
    { name: 'expiresAt', type: 'uint40' },
    { name: 'priceSource', type: 'address' },
    { name: 'limitPriceWad', type: 'uint128' },
    { name: 'maxSlippageBps', type: 'uint16' },
    { name: 'farLimit', type: 'bool' },
    { name: 'triggerPriceWad', type: 'uint128' },
  ],
} as const;

let world: DeployedChain;
beforeAll(async () => {
  world = await startDeployedChain();
});
afterAll(() => world?.stop());

it('PR-29: plans are created by what a wallet signs, submitted by somebody else', async () => {
  const { chain, book } = world;
  const { timestamp } = await chain.getBlock();
  const terms = (maxRuns: number) => ({
    ...planTerms(book.own, owner.address, Number(timestamp)),
    ...{ periodSeconds: 86_400, windowSeconds: 3_600, maxRuns, expiresAt: Number(timestamp) + 864_000 },
  });
  const creation = {
    owner: owner.address,
    plans: [terms(3), terms(7)],
    nonce: 2n ** 200n,
    deadline: timestamp + 3_600n,
    epoch: 0n,
  };
  const registry = { address: book.own.planRegistry, abi: planRegistryAbi } as const;
  const domain = {
    name: 'Bowline PlanRegistry',
    version: '1',
    chainId: localChainId,
    verifyingContract: registry.address,
  };
  const signed = { domain, types, primaryType: 'Creation', message: creation } as const;
  expect(await chain.readContract({ ...registry, functionName: 'digestOf', args: [creation] })).toBe(
    hashTypedData(signed),
  );

  const signature = await owner.signTypedData(signed);
  const call = { ...registry, functionName: 'createBySignature', args: [creation, signature] } as const;
  await chain.send(bob, registry.address, call);
  for (const [at, plan] of creation.plans.entries()) {
    const made = await chain.readContract({ ...registry, functionName: 'plan', args: [BigInt(at + 1)] });
    expect(made.terms).toEqual(plan);
  }
  await expect(chain.send(bob, registry.address, call)).rejects.toThrow('NonceUsedUp');
});
