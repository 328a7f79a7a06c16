import { readFileSync } from 'node:fs';
import { type Address, maxUint160, parseAbi, parseEther } from 'viem';
import { tokens } from '../../script/local/addresses.ts';
import type { Artifact } from '../../script/local/artifacts.ts';
import type { Chain } from '../../script/local/chain.ts';
import { compiledSources, paths, solcOf } from '../../script/local/published-sources.ts';
import { alice, approve, carol, give } from '../../test/local/accounts.ts';
import { type Gas, measure } from './measure.ts';

const folder = 'lib/permit2';

/** Permit2 from the package that brings its sources, compiled as its own project file says. */
const source = {
  spec: '@uniswap/v4-periphery@1.0.3',
  sha512: 'JxLL0Djv9XcMvI2PatEnWrCrxuEaYNVhHxstndBOP+aJfh1XLg5ec8SDZ0xyoVfg2ElJTvuKpBgnu90bNValsg==',
  files: paths(
    ...[
      'src/Permit2.sol',
      'src/AllowanceTransfer.sol',
      'src/EIP712.sol',
      'src/PermitErrors.sol',
      'src/SignatureTransfer.sol',
      'src/interfaces/IAllowanceTransfer.sol',
      'src/interfaces/IEIP712.sol',
      'src/interfaces/IERC1271.sol',
      'src/interfaces/ISignatureTransfer.sol',
      'src/libraries/Allowance.sol',
      'src/libraries/PermitHash.sol',
      'src/libraries/SafeCast160.sol',
      'src/libraries/SignatureVerification.sol',
      'lib/solmate/src/tokens/ERC20.sol',
      'lib/solmate/src/utils/SafeTransferLib.sol',
    ].map((path) => `${folder}/${path}`),
  ),
  compiler: solcOf(
    '0.8.17',
    'Dtidk2XtTTmkB3IKdyeg6wLYopJnBVxdoykN8oP8VY3PQjN16BScYoUJTXFm2OP7P0hXNAqWiJNmmfuELtLf8g==',
  ),
  settings: { viaIR: true, metadata: { bytecodeHash: 'none' }, remappings: [`solmate/=${folder}/lib/solmate/`] },
  optimizerRuns: 1_000_000,
  contracts: { Permit2: `${folder}/src/Permit2.sol` },
};

const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
]);

const permit2: Address = '0x00000000000000000000000000000000000d0004';
const amount = parseEther('100');

export interface Permit2Gas {
  /** A standing permission for one spender and token, with an end. It has neither a rhythm nor a floor. */
  readonly approve: Gas;
  /** A pull under it that is not the first. It delivers and records nothing. */
  readonly pull: Gas;
}

/** The second action of each kind: the very first costs more. */
export async function measurePermit2(chain: Chain): Promise<Permit2Gas> {
  const { Permit2 } = JSON.parse(readFileSync(await compiledSources('permit2', source), 'utf8')) as {
    readonly Permit2: Artifact;
  };
  await chain.place(permit2, Permit2, [], alice);
  await give(chain, carol, 'USDT', '1000');
  await approve(chain, carol, 'USDT', permit2, 2n ** 256n - 1n);
  const { timestamp } = await chain.getBlock();
  const expiration = Number(timestamp) + 86_400;
  const allow = (spender: Address, most: bigint) =>
    measure(chain, carol, permit2, {
      abi: permit2Abi,
      functionName: 'approve',
      args: [tokens.USDT, spender, most, expiration],
    });
  await allow(alice, parseEther('10000'));
  const pull = () =>
    measure(chain, alice, permit2, {
      abi: permit2Abi,
      functionName: 'transferFrom',
      args: [carol, alice, amount, tokens.USDT],
    });
  await pull();
  return { approve: await allow(carol, maxUint160), pull: await pull() };
}
