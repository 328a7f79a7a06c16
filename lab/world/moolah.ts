import { readFileSync } from 'node:fs';
import { bscChainId } from '@bowline/core/domain/chains';
import { othersAddresses } from '@bowline/core/registry/address-book';
import { type Address, isAddress, parseAbi, parseEther } from 'viem';
import { erc20Abi, faucetAbi } from './abis.ts';
import { feeds, type TokenSymbol, tokens, wholeTokens } from './addresses.ts';
import type { Artifact } from './artifacts.ts';
import { type Chain, call, type EncodedCall } from './chain.ts';
import { compile } from './compile.ts';
import { type Compilation, compiledOf } from './compiled.ts';
import { morphoArtifacts } from './morpho.ts';

const standIn = (file: string, name: string): Compilation<Artifact> => ({
  name,
  sources: [`test/mocks/moolah/${file}.sol`, 'lab/tools/compile.mjs'],
  build: () => compile(new URL(`../../test/mocks/moolah/${file}.sol`, import.meta.url)),
});

export const moolah = standIn('MoolahStandIn', 'moolah');
export const moolahOracle = standIn('MoolahOracleStandIn', 'moolah-oracle');

/** An address that is unused on BNB Chain. Its code is Morpho Blue's, which the stand-in runs on its own storage. */
const morphoAt: Address = '0x00000000000000000000000000000000c0de0004';

const marketParams =
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }';

export const moolahAbi = parseAbi([
  marketParams,
  'function enableIrm(address irm)',
  'function enableLltv(uint256 lltv)',
  'function createMarket(MarketParams params)',
  'function supply(MarketParams params, uint256 assets, uint256 shares, address onBehalf, bytes data)',
  'function supplyCollateral(MarketParams params, uint256 assets, address onBehalf, bytes data)',
  'function borrow(MarketParams params, uint256 assets, uint256 shares, address onBehalf, address receiver)',
  'function setPaused(bool isPaused)',
  'function setBroker(bytes32 id, address broker)',
]);

/** Amounts that the lender lends in each market, in whole tokens. */
const lent: Partial<Record<TokenSymbol, string>> = { USDT: '5000000', BTCB: '100' };

const lista = othersAddresses((value) => isAddress(value), bscChainId).lista;

/** The registry's markets, with their parameters. */
export const moolahMarkets = (lista?.markets ?? []).map(({ collateral, loan, lltvBps, id }) => ({
  ...{ id, collateral: collateral as TokenSymbol, loan: loan as TokenSymbol },
  params: {
    loanToken: tokens[loan as TokenSymbol],
    collateralToken: tokens[collateral as TokenSymbol],
    oracle: lista?.oracle as Address,
    irm: lista?.rateModel as Address,
    lltv: (parseEther('1') * BigInt(lltvBps)) / 10_000n,
  },
}));

/** Places the stand-ins at the published addresses, opens the registry's markets, and lends in each. */
export async function deployMoolah(chain: Chain, owner: Address): Promise<void> {
  if (lista === undefined) return;
  const { Morpho, IrmMock } = JSON.parse(readFileSync(await morphoArtifacts(), 'utf8')) as Record<string, Artifact>;
  if (Morpho === undefined || IrmMock === undefined) throw new Error('Morpho Blue is not compiled');
  await chain.place(morphoAt, Morpho, [owner], owner);
  await chain.place(lista.rateModel, IrmMock, [], owner);
  const priced = Object.keys(feeds) as (keyof typeof feeds)[];
  const byToken = [priced.map((symbol) => tokens[symbol]), priced.map((symbol) => feeds[symbol])];
  await chain.place(lista.oracle, await compiledOf(moolahOracle), byToken, owner);
  await chain.place(lista.moolah, await compiledOf(moolah), [morphoAt, owner], owner);

  const at = { abi: moolahAbi } as const;
  await chain.send(owner, lista.moolah, { ...at, functionName: 'enableIrm', args: [lista.rateModel] });
  for (const lltv of new Set(moolahMarkets.map(({ params }) => params.lltv))) {
    await chain.send(owner, lista.moolah, { ...at, functionName: 'enableLltv', args: [lltv] });
  }
  for (const { loan, params } of moolahMarkets) {
    await chain.send(owner, lista.moolah, { ...at, functionName: 'createMarket', args: [params] });
    const amount = wholeTokens(loan, lent[loan] ?? '0');
    await chain.send(owner, params.loanToken, { abi: faucetAbi, functionName: 'allocateTo', args: [owner, amount] });
    const approval = { abi: erc20Abi, functionName: 'approve', args: [lista.moolah, amount] } as const;
    await chain.send(owner, params.loanToken, approval);
    await chain.send(owner, lista.moolah, { ...at, functionName: 'supply', args: [params, amount, 0n, owner, '0x'] });
  }
}

/** The registry's market that lends USDT against a token. */
export function moolahMarketOf(collateral: TokenSymbol) {
  const market = moolahMarkets.find((each) => each.collateral === collateral && each.loan === 'USDT');
  if (market === undefined || lista === undefined) throw new Error(`The registry lists no market for ${collateral}.`);
  return { ...market, moolah: lista.moolah };
}

/** The calls with which a borrower deposits what it holds of a token, and borrows USDT against it. */
export function borrowInMoolah(
  { moolah: to, params }: ReturnType<typeof moolahMarketOf>,
  borrower: Address,
  deposit: bigint,
  debt: bigint,
): EncodedCall[] {
  return [
    call(params.collateralToken, erc20Abi, 'approve', [to, deposit]),
    call(to, moolahAbi, 'supplyCollateral', [params, deposit, borrower, '0x']),
    call(to, moolahAbi, 'borrow', [params, debt, 0n, borrower, borrower]),
  ];
}
