import type { Address } from 'viem';
import { createOnce } from './account-abstraction.ts';
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

/** Deploys the stand-in of ERC-8004's registry of agents, once. */
export const deployIdentity = async (chain: Chain): Promise<Address> =>
  createOnce(chain, treasurer, await compiledOf(identity), [treasurer]);

/** Puts the stand-in where a published registry is. */
export async function placeIdentity(chain: Chain, address: Address): Promise<void> {
  await chain.place(address, await compiledOf(identity), [treasurer], treasurer);
}
