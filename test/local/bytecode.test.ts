import { optionalContracts, ownContracts } from '@bowline/core/registry/address-book';
import { type Address, createPublicClient, type Hex, http, keccak256, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { argumentsOf, compareBytecode } from '../../cli/check/bytecode.ts';
import type { Deployment } from '../../cli/record.ts';
import { pancake } from '../../lab/world/addresses.ts';
import { localChainId } from '../../lab/world/fork.ts';
import { type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { alice, bob } from './accounts.ts';

// DP-4, on contracts deployed by Deploy.s.sol.

let world: DeployedChain;
let own: Deployment;
let before: Hex;
beforeAll(async () => {
  world = await startDeployedChain({ maker: alice });
  own = { chainId: localChainId, ...world.book.own } as Deployment;
});
afterAll(() => world?.stop());
beforeEach(async () => {
  before = await world.chain.snapshot();
});
afterEach(() => world.chain.revert({ id: before }));

const client = () => createPublicClient({ transport: http(world.url) });
const codeOf = async (address: Address) => (await client().getCode({ address })) as Hex;

async function problems(record = own): Promise<Record<string, string>> {
  const { contracts } = await compareBytecode(client(), record);
  return Object.fromEntries(
    contracts.flatMap(({ contract, problem }) => (problem === undefined ? [] : [[contract, problem]])),
  );
}

it('finds nothing wrong with what was deployed, and says whom the deployer chose', async () => {
  const { contracts, chosen } = await compareBytecode(client(), own);
  expect(contracts).toHaveLength(ownContracts.length + optionalContracts.length);
  expect(contracts.flatMap(({ contract, problem }) => (problem === undefined ? [] : [contract, problem]))).toEqual([]);
  expect(chosen.rotator).toBe(bob);
});

it('knows a LoanGuard of one adapter from one of two', async () => {
  const { moolahMarket: _, ...alone } = own;
  const other = 'not deployed by script/Deploy.s.sol from this code with this record';
  expect(await problems(alone)).toEqual({ LoanGuard: other });
});

it('names each contract of which one byte is another', async () => {
  for (const { contract, address } of (await compareBytecode(client(), own)).contracts) {
    const code = await codeOf(address);
    const last = (code.length - 2) / 2 - 1;
    for (const [at, problem] of [
      // Neither operator nor maker can be read from code that stops at its first byte.
      [0, expect.stringMatching(/^(the code differs|its constructor|not deployed)/)],
      [last, `the code differs from byte ${last} onwards`],
    ] as const) {
      const snapshot = await world.chain.snapshot();
      await world.chain.setCode({ address, bytecode: withByte(code, at) });
      // CollateralGuard's constructor calls CollateralTerms.
      const { CollateralGuard: asking, ...found } = await problems();
      const isAsked = contract === 'CollateralTerms' && at === 0;
      expect(isAsked ? asking?.slice(0, 15) : asking).toEqual(
        isAsked ? 'its constructor' : contract === 'CollateralGuard' ? problem : undefined,
      );
      expect(found).toEqual(contract === 'CollateralGuard' ? {} : { [contract]: problem });
      await world.chain.revert({ id: snapshot });
    }
  }
});

it('names the contract of which an immutable is another, in each place or in one', async () => {
  for (const [address, contract, value] of [
    [own.swapExecutor, 'SwapExecutor', pancake.poolDeployer],
    [own.swapExecutor, 'SwapExecutor', own.planRegistry],
    [own.loanGuard, 'LoanGuard', own.revocations],
  ] as const) {
    const [right, other] = [value.slice(2).toLowerCase(), alice.slice(2).toLowerCase()];
    const code = await codeOf(address);
    expect(code).toContain(right);
    for (const bytecode of [code.replaceAll(right, other), code.replace(right, other)] as Hex[]) {
      const snapshot = await world.chain.snapshot();
      await world.chain.setCode({ address, bytecode });
      expect(await problems()).toEqual({
        [contract]: expect.stringMatching(/^the code differs from byte \d+ onwards$/),
      });
      await world.chain.revert({ id: snapshot });
    }
  }
});

it('names the contracts whose addresses are swapped, and those wired to them', async () => {
  const swapped = { ...own, planRegistry: own.loanGuard, loanGuard: own.planRegistry };
  expect(Object.keys(await problems(swapped)).toSorted()).toEqual(['LoanGuard', 'PlanRegistry', 'SwapExecutor']);
});

it('sees by the address what a constructor wrote into storage', async () => {
  const elsewhere = '0x00000000000000000000000000000000000000f1';
  await world.chain.setCode({ address: elsewhere, bytecode: await codeOf(own.chainlinkPriceSource) });
  const found = await problems({ ...own, chainlinkPriceSource: elsewhere });
  // Guards and registry too, because they were deployed with another source.
  expect(Object.keys(found).toSorted()).toEqual([
    'ChainlinkPriceSource',
    'CollateralTerms',
    'LoanGuard',
    'PlanRegistry',
  ]);
  expect(found.ChainlinkPriceSource).toContain('not deployed by script/Deploy.s.sol');
});

it('names what is not there, and does not take one chain for another', async () => {
  await world.chain.setCode({ address: own.loanGuard, bytecode: '0x' });
  expect(await problems()).toEqual({
    LoanGuard: 'no code at this address',
    // Its constructor checks that there is a guard.
    PlanRegistry: expect.stringContaining('its constructor cannot be run: execution reverted'),
  });
  const { planRegistry: _, ...less } = own;
  await expect(problems(less as Deployment)).rejects.toThrow('The record has no planRegistry.');
  await expect(problems({ ...own, chainId: 56 })).rejects.toThrow('The record is for chain 56');
});

// DP-4
it('expects the arguments of the chain of the record', () => {
  const nobody = toHex(0, { size: 20 });
  const chosen = { operator: nobody, rotator: nobody, maker: nobody };
  const of = (chainId: number) => argumentsOf('chainlinkPriceSource', { chainId } as Deployment, chosen)[0];
  const [testnet, mainnet] = [of(97), of(56)] as { token: string; feed: string; maxAgeSeconds: number }[][];
  expect(mainnet?.map(({ maxAgeSeconds }) => maxAgeSeconds)).toEqual([1_800, 1_800, 180, 180, 120]);
  expect(testnet?.map(({ maxAgeSeconds }) => maxAgeSeconds)).toEqual([86_400, 86_400, 86_400, 86_400, 86_400]);
  for (const [at, { token, feed }] of (testnet ?? []).entries()) {
    expect(token).toMatch(/^0x/);
    expect([token, feed]).not.toEqual([mainnet?.[at]?.token, mainnet?.[at]?.feed]);
  }
  expect(keccak256(toHex(JSON.stringify(of(31_337))))).toBe(keccak256(toHex(JSON.stringify(of(56)))));
});

/** The code with one bit flipped. */
function withByte(code: Hex, at: number): Hex {
  const start = 2 + 2 * at;
  const flipped = (Number.parseInt(code.slice(start, start + 2), 16) ^ 1).toString(16).padStart(2, '0');
  return `${code.slice(0, start)}${flipped}${code.slice(start + 2)}` as Hex;
}
