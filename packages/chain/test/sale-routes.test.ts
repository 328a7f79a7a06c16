import type { Guard } from '@bowline/core/domain/permissions';
import { type Abi, decodeFunctionData, encodeAbiParameters, encodeFunctionResult, getAbiItem, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { collateralGuardAbi, loanGuardAbi, readLensAbi, venusCollateralAbi } from '../../../abis/index.ts';
import { noRoute } from '../guard.ts';
import { depositAbi, guardAbi, saleAbi } from '../guard-abi.ts';
import type { Calls } from '../reads.ts';
import { createSaleRouter } from '../sale-routes.ts';

// Which pools a keeper chooses, from what it knows of each.

const at = (digit: string) => `0x${digit.repeat(40)}` as const;
const own = { loanGuard: at('1'), collateralGuard: at('2') };
const pancake = { poolDeployer: at('3'), hubs: [at('4')] };
const guard = {
  ...{
    id: 1n,
    borrower: at('5'),
    funder: at('5'),
    adapter: at('6'),
    market: '0x01',
    repayToken: at('7'),
    keeper: at('8'),
  },
  sale: { funding: 'collateral', collateralMarket: `0x${'9'.repeat(64)}`, collateralToken: at('a'), maxCostBps: 200 },
} as unknown as Guard;

/** What the rescue repays and leaves, by the first pool's fee, alone or before a second. Absent: the rescue fails. */
type Outcomes = Readonly<Record<string, { readonly repaid: bigint; readonly receipts: bigint }>>;

function node(outcomes: Outcomes, deep: (at: number) => boolean = () => true): Calls {
  const answered = (data: Hex) => {
    const { args } = decodeFunctionData({ abi: readLensAbi, data });
    const { args: rescue } = decodeFunctionData({ abi: collateralGuardAbi, data: args[0][0]?.data as Hex });
    const [, route] = rescue as unknown as readonly [bigint, typeof noRoute];
    const { firstFee, secondFee } = route;
    const of = outcomes[secondFee === 0 ? `${firstFee}` : `${firstFee}+${secondFee}`];
    const held = { token: at('a'), receipt: at('9'), rateWad: 1n, feeWad: 0n, priceWad: 1n, weightWad: 1n, cash: 1n };
    const left = encodeFunctionResult({
      ...{ abi: venusCollateralAbi, functionName: 'accrueAndReadCollateral' },
      result: { ...held, receipts: of?.receipts ?? 0n },
    });
    const repaid = encodeAbiParameters([{ type: 'uint256' }], [of?.repaid ?? 0n]);
    const answers = [
      { isOk: of !== undefined, data: of ? repaid : '0x' },
      { isOk: true, data: left },
    ] as const;
    return encodeFunctionResult({ abi: readLensAbi, functionName: 'read', result: [1n, answers] });
  };
  return {
    multicall: async ({ contracts }: { readonly contracts: readonly unknown[] }) =>
      contracts.map((_, number) => ({ status: 'success', result: deep(number) ? 1n : 0n })),
    call: async ({ data }: { readonly data: Hex }) => ({ data: answered(data) }),
  } as unknown as Calls;
}

const chosen = async (client: Calls) =>
  (await createSaleRouter(client, { own, pancake } as never, at('8')).routed(guard)).sale?.route;

test('the pool that repays most, and of those the one that costs fewest receipts', async () => {
  const outcomes = {
    100: { repaid: 50n, receipts: 999n },
    500: { repaid: 100n, receipts: 900n },
    2500: { repaid: 100n, receipts: 950n },
  };
  expect(await chosen(node(outcomes))).toEqual({ ...noRoute, firstFee: 2500 });
  const hop = { ...outcomes, '100+500': { repaid: 100n, receipts: 951n } };
  expect(await chosen(node(hop))).toEqual({ ...noRoute, firstFee: 100, firstToken: at('4'), secondFee: 500 });
});

test('no pool without liquidity is tried, and the first is named where none would do', async () => {
  const outcomes = { 100: { repaid: 9n, receipts: 9n }, 500: { repaid: 1n, receipts: 1n } };
  // The 0.01 % pool is checked first.
  expect(await chosen(node(outcomes, (number) => number !== 0))).toMatchObject({ firstFee: 500 });
  expect(await chosen(node({}))).toEqual({ ...noRoute, firstFee: 100 });
  expect(await chosen(node({}, () => false))).toBeUndefined();
});

test('nothing is asked where the terms name a route, or no pool is needed', async () => {
  const silent = { multicall: () => Promise.reject(new Error('asked')) } as unknown as Calls;
  const router = createSaleRouter(silent, { own, pancake } as never, at('8'));
  const sale = guard.sale as NonNullable<Guard['sale']>;
  const named = { ...guard, sale: { ...sale, route: { ...noRoute, firstFee: 500 } } };
  expect(await router.routed(named)).toBe(named);
  const same = { ...guard, repayToken: sale.collateralToken };
  expect(await router.routed(same)).toBe(same);
});

test('what readers ask is in the contracts’ own ABIs', () => {
  const asked = [
    ['guard', guardAbi, loanGuardAbi],
    ['rescues', guardAbi, loanGuardAbi],
    ['guard', saleAbi, collateralGuardAbi],
    ['rescues', saleAbi, collateralGuardAbi],
    ['accrueAndReadCollateral', depositAbi, venusCollateralAbi],
    ['limitsOf', depositAbi, venusCollateralAbi],
  ] as const;
  for (const [name, small, whole] of asked) {
    const plain = (abi: Abi) =>
      JSON.stringify(getAbiItem({ abi, name } as never), (key, value) => (key === 'internalType' ? undefined : value));
    const outputsOf = (abi: Abi) => JSON.parse(plain(abi)).outputs.map(({ components }: never) => components);
    expect(outputsOf(small as Abi)).toEqual(outputsOf(whole as Abi));
  }
});
