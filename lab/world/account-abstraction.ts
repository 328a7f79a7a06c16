import EntryPoint from '@account-abstraction/contracts/artifacts/EntryPoint.json' with { type: 'json' };
import SimpleAccountFactory from '@account-abstraction/contracts/artifacts/SimpleAccountFactory.json' with {
  type: 'json',
};
import { type Abi, type Address, concat, type Hex, pad, parseAbi, zeroHash } from 'viem';
import { accountAbstraction } from './addresses.ts';
import type { Chain } from './chain.ts';

/** The CREATE2 factory on every chain, anvil included. Anyone may call it, with the salt before the creation code. */
export const deterministicDeployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/**
 * Places ERC-4337 v0.9: the EntryPoint at its address on every chain, for which no salt is published, and a factory of
 * simple accounts at an address of the local chain's own.
 */
export async function deployAccountAbstraction(chain: Chain, deployer: Address): Promise<void> {
  const { entryPoint, simpleAccountFactory } = accountAbstraction;
  await chain.place(entryPoint, { abi: EntryPoint.abi as Abi, bytecode: EntryPoint.bytecode as Hex }, [], deployer);
  const factoryCode = concat([SimpleAccountFactory.bytecode as Hex, pad(entryPoint)]);
  await chain.sendRaw(deployer, deterministicDeployer, concat([zeroHash, factoryCode]));
  if ((await chain.getCode({ address: simpleAccountFactory })) === undefined) {
    throw new Error(`nothing was created at ${simpleAccountFactory}: has @account-abstraction/contracts changed?`);
  }
}

const factoryAbi = parseAbi(['function getAddress(address owner, uint256 salt) view returns (address)']);

/** The address of `owner`'s first simple account, whether it exists yet or not. */
export const walletOf = (chain: Chain, owner: Address): Promise<Address> =>
  chain.readContract({
    address: accountAbstraction.simpleAccountFactory,
    abi: factoryAbi,
    functionName: 'getAddress',
    args: [owner, 0n],
  });
