import { readFileSync } from 'node:fs';
import { type Address, concat, encodeDeployData, getContractAddress, zeroHash } from 'viem';
import { deterministicDeployer } from './account-abstraction.ts';
import type { Artifact } from './artifacts.ts';
import type { Chain } from './chain.ts';
import { compile } from './compile.ts';
import { kept } from './kept.ts';
import { treasurer } from './replica.ts';

/** Deploys the stand-in of ERC-8004's registry of agents, once: its address follows from its code. */
export async function deployIdentity(chain: Chain): Promise<Address> {
  const source = 'test/mocks/identity/IdentityRegistry.sol';
  const path = await kept('identity', [source, 'script/local/compile.ts'], '', async () =>
    JSON.stringify(compile(new URL(`../../${source}`, import.meta.url))),
  );
  const { abi, bytecode: code } = JSON.parse(readFileSync(path, 'utf8')) as Artifact;
  const bytecode = encodeDeployData({ abi, bytecode: code, args: [treasurer] });
  const address = getContractAddress({ opcode: 'CREATE2', from: deterministicDeployer, salt: zeroHash, bytecode });
  if ((await chain.getCode({ address })) === undefined) {
    await chain.sendRaw(treasurer, deterministicDeployer, concat([zeroHash, bytecode]));
  }
  return address;
}
