import EntryPoint from '@account-abstraction/contracts/artifacts/EntryPoint.json' with { type: 'json' };
import SimpleAccountFactory from '@account-abstraction/contracts/artifacts/SimpleAccountFactory.json' with {
  type: 'json',
};
import { type Address, concat, type Hex, pad, parseAbi, zeroHash } from 'viem';
import { accountAbstraction } from './addresses.ts';
import type { Chain } from './chain.ts';

/** The CREATE2 factory on every chain, anvil included. Anyone may call it, with the salt before the creation code. */
export const deterministicDeployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** The salt that mainnet's EntryPoint v0.8 was created with. */
const entryPointSalt: Hex = '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9';

/**
 * Deploys ERC-4337 v0.8: the EntryPoint and the factory of simple accounts, at the same addresses as on every chain.
 */
export async function deployAccountAbstraction(chain: Chain, deployer: Address): Promise<void> {
  const { entryPoint, simpleAccountFactory } = accountAbstraction;
  await create(chain, deployer, entryPoint, concat([entryPointSalt, EntryPoint.bytecode as Hex]));
  const factoryCode = concat([SimpleAccountFactory.bytecode as Hex, pad(entryPoint)]);
  await create(chain, deployer, simpleAccountFactory, concat([zeroHash, factoryCode]));
}

async function create(chain: Chain, deployer: Address, expected: Address, input: Hex): Promise<void> {
  await chain.sendRaw(deployer, deterministicDeployer, input);
  if ((await chain.getCode({ address: expected })) === undefined) {
    throw new Error(`the published code does not create ${expected}: has @account-abstraction/contracts changed?`);
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
