import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERMIT2_ADDRESS } from '@x402/evm';
import { domainSeparator } from 'viem';
import { type Artifact, packageFolder } from '../../lab/world/artifacts.ts';
import type { Chain } from '../../lab/world/chain.ts';
import { compile } from '../../lab/world/compile.ts';
import { kept } from '../../lab/world/kept.ts';
import { permit2Script, uniswapPeriphery } from '../../lab/world/packages.ts';
import { treasurer } from '../../lab/world/replica.ts';

const chainId = 31_337;

/** The domain in the packaged Permit2 code, of an instance at another address. */
const theirDomain = 'd5a17abc3865df5c1400c0299bd4ce2eefc8114aec5f9d3dded1745783e57b98';

const proxySource = 'test/mocks/ExactPermit2Proxy.sol';

/** B402's spender on BNB Chain. */
export const b402Spender = '0x3038f7ac3b4D1a3fe886BdCB5cD01e9f6BDd8633';

/**
 * Places Permit2's own code at the address that it has on every chain, and a stand-in for B402's contract, which moves
 * tokens through Permit2, at the spender's address. Does nothing if it was done before.
 */
export async function placePermit2(chain: Chain): Promise<void> {
  if ((await chain.getCode({ address: PERMIT2_ADDRESS })) !== undefined) return;
  const path = await kept('permit2', [proxySource, 'test/e2e/permit2.ts', 'lab/world/compile.ts'], '', async () =>
    JSON.stringify(await compile(new URL(`../../${proxySource}`, import.meta.url))),
  );
  const proxy = JSON.parse(readFileSync(path, 'utf8')) as Artifact;
  await chain.place(b402Spender, proxy, [], treasurer);
  const text = readFileSync(join(packageFolder(uniswapPeriphery), permit2Script), 'utf8');
  const [, code = ''] = /hex"([0-9a-f]+)"/.exec(text) ?? [];
  if (!code.includes(theirDomain)) throw new Error(`${uniswapPeriphery.spec} does not contain Permit2's code.`);
  const domain = { name: 'Permit2', chainId, verifyingContract: PERMIT2_ADDRESS };
  const ours = domainSeparator({ domain }).slice(2);
  await chain.setCode({ address: PERMIT2_ADDRESS, bytecode: `0x${code.replace(theirDomain, ours)}` });
}
