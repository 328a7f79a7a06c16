import type { Address } from 'viem';
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

/** Deploys the stand-in of ERC-8004's registry of agents. @param at where a published registry is. */
export async function deployIdentity(
  chain: Chain,
  at: Address = '0x2cEE19a48B12aee0E72988fD4Bd181d36fe09Aa0',
): Promise<Address> {
  await chain.place(at, await compiledOf(identity), [treasurer], treasurer);
  return at;
}
