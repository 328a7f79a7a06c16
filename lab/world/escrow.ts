import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Address, domainSeparator, type Hex, parseAbi } from 'viem';
import type { Artifact } from './artifacts.ts';
import type { Chain } from './chain.ts';
import { type Compilation, compiledOf } from './compiled.ts';
import { treasurer } from './replica.ts';

/** The job escrow's stand-ins, and the token that pays for jobs and answers. */
export interface Escrow {
  readonly commerce: Address;
  readonly router: Address;
  readonly policy: Address;
  readonly token: {
    readonly address: Address;
    readonly decimals: number;
    readonly name: string;
    readonly version: string;
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const routerAbi = parseAbi(['function setPolicyWhitelist(address policy, bool status)']);
const domainAbi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']);
const policyAbi = parseAbi(['function isVoter(address voter) view returns (bool)', 'function addVoter(address voter)']);

const sources = ['test/mocks/escrow', 'test/mocks/PaymentToken.sol'];
const names = ['PaymentToken', 'AgenticCommerce', 'EvaluatorRouter', 'OptimisticPolicy'] as const;
type Artifacts = Record<(typeof names)[number], Artifact>;

export const escrow: Compilation<Artifacts> = {
  name: 'escrow',
  sources: [...sources, 'foundry.toml', 'lab/tools/solc.mjs'],
  build,
};

/** The local chain's own addresses. */
const local: Escrow = {
  commerce: '0xdAD7396DeE2cb4377A5c3DfecA99056B66122c35',
  router: '0x96b1173A951288C75FD4DAE289fdd2D670a93348',
  policy: '0x8946a4749c1f7E6C5019358e2A212F12833e8525',
  token: {
    address: '0x86D1247B54e8f43e0A3D05f186b9c59F8640d811',
    ...{ decimals: 18, name: 'Local Dollar', version: '1' },
  },
};

/**
 * Deploys the escrow. The treasurer owns the contracts, holds all of the token, and has the only vote on disputes.
 * @param disputeWindowSeconds time after a submission in which the client may object.
 * @param at the addresses that a registry names.
 */
export async function deployEscrow(chain: Chain, disputeWindowSeconds: number, at = local): Promise<Escrow> {
  const artifacts = await compiledOf(escrow);
  const { commerce, router, policy, token } = at;
  await chain.place(token.address, artifacts.PaymentToken, [treasurer], treasurer);
  await renameToken(chain, token);
  await chain.place(commerce, artifacts.AgenticCommerce, [token.address, treasurer, treasurer], treasurer);
  await chain.place(router, artifacts.EvaluatorRouter, [commerce, treasurer], treasurer);
  const ofPolicy = [commerce, router, treasurer, disputeWindowSeconds, 1];
  await chain.place(policy, artifacts.OptimisticPolicy, ofPolicy, treasurer);
  await open(chain, at);
  return at;
}

/** Payments are signed under the registry's token name, so its domain replaces the stand-in's own in the code. */
async function renameToken(chain: Chain, { address, name, version }: Escrow['token']): Promise<void> {
  const own = await chain.readContract({ address, abi: domainAbi, functionName: 'DOMAIN_SEPARATOR' });
  const domain = { name, version, chainId: await chain.getChainId(), verifyingContract: address };
  const code = await chain.getCode({ address });
  const bytecode = code?.replaceAll(own.slice(2), domainSeparator({ domain }).slice(2)) as Hex;
  await chain.setCode({ address, bytecode });
}

/** Makes the router accept jobs under the policy, in which the treasurer votes. */
async function open(chain: Chain, { router, policy }: Pick<Escrow, 'router' | 'policy'>): Promise<void> {
  await chain.send(treasurer, router, { abi: routerAbi, functionName: 'setPolicyWhitelist', args: [policy, true] });
  if (await chain.readContract({ address: policy, abi: policyAbi, functionName: 'isVoter', args: [treasurer] })) return;
  await chain.send(treasurer, policy, { abi: policyAbi, functionName: 'addVoter', args: [treasurer] });
}

async function build(): Promise<Artifacts> {
  // A separate folder: `out` may hold the tests' unoptimised build of the same contracts.
  const out = '.cache/escrow/out';
  const settings = [`FOUNDRY_OUT=${out}`, 'FOUNDRY_CACHE_PATH=.cache/escrow/cache'];
  const words = ['lab/tools/foundry.mjs', ...settings, 'forge', 'build', '--force', ...sources];
  await promisify(execFile)(process.execPath, words, { cwd: root });
  const artifacts = names.map((name) => {
    const { abi, bytecode } = JSON.parse(readFileSync(`${root}${out}/${name}.sol/${name}.json`, 'utf8'));
    return [name, { abi, bytecode: bytecode.object }];
  });
  return Object.fromEntries(artifacts) as Artifacts;
}
