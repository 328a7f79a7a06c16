import { type Address, concat, encodeDeployData, getContractAddress, zeroHash } from 'viem';
import { deterministicDeployer } from './account-abstraction.ts';
import type { Artifact } from './artifacts.ts';
import type { Chain } from './chain.ts';
import { compile } from './compile.ts';
import { type Compilation, compiledOf } from './compiled.ts';
import { treasurer } from './replica.ts';

const source = 'test/mocks/identity/IdentityRegistry.sol';

export const identity: Compilation<Artifact> = {
  name: 'identity',
  sources: [source, 'lab/tools/compile.mjs'],
  build: () => compile(new URL(`../../${source}`, import.meta.url)),
};

/** Deploys the stand-in of ERC-8004's registry of agents, once: its address follows from its code. */
export async function deployIdentity(chain: Chain): Promise<Address> {
  const { abi, bytecode: code } = await compiledOf(identity);
  const bytecode = encodeDeployData({ abi, bytecode: code, args: [treasurer] });
  const address = getContractAddress({ opcode: 'CREATE2', from: deterministicDeployer, salt: zeroHash, bytecode });
  if ((await chain.getCode({ address })) === undefined) {
    await chain.sendRaw(treasurer, deterministicDeployer, concat([zeroHash, bytecode]));
  }
  return address;
}

/** Puts the stand-in where a published registry is. */
export async function placeIdentity(chain: Chain, address: Address): Promise<void> {
  await chain.place(address, await compiledOf(identity), [treasurer], treasurer);
}
