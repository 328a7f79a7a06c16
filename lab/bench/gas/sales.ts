import { noRoute } from '@bowline/chain/sale-guard';
import type { SaleRoute } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { type Address, maxUint256, pad, parseEther, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { collateralGuardAbi as abi } from '../../../abis/index.ts';
import type { DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { alice, approve, give } from '../../../test/local/accounts.ts';
import { comptrollerAbi, erc20Abi, vTokenAbi } from '../../world/abis.ts';
import { type TokenSymbol, tokens, venus } from '../../world/addresses.ts';
import type { Chain } from '../../world/chain.ts';
import { setPrice } from '../../world/oracle.ts';
import { type Gas, measure } from './measure.ts';

const { vBTC, vUSDT, vUSDC } = venus.markets;

const onePool: SaleRoute = { ...noRoute, firstFee: 500 };
const twoPools: SaleRoute = { ...noRoute, firstFee: 2500, firstToken: tokens.WBNB, secondFee: 500 };
const threePools: SaleRoute = { ...twoPools, secondToken: tokens.USDT, thirdFee: 100 };

export interface SaleGas {
  readonly register: Gas;
  readonly savings: Gas;
  /** Over one, two and three pools. */
  readonly pools: readonly [Gas, Gas, Gas];
}

/** Loans as those of loans.ts, of a borrower each, in guards that watch Chainlink's feeds. */
export async function measureSales(world: DeployedChain): Promise<SaleGas> {
  const { guardAt } = contractsOf(world);
  const cases = [
    { deposit: vUSDT, debt: vUSDT, route: noRoute },
    { deposit: vBTC, debt: vUSDT, route: onePool },
    { deposit: vBTC, debt: vUSDT, route: twoPools },
    { deposit: vBTC, debt: vUSDC, route: threePools },
  ];
  const registered: Gas[] = [];
  await setPrice(world.chain, alice, 'BTCB', 100_000_00000000n);
  for (const [index, each] of cases.entries()) {
    const borrower = pad(`0xca5e${index}`, { size: 20 });
    registered.push(await borrowAndRegister(world, borrower, each));
  }
  await setPrice(world.chain, alice, 'BTCB', 65_000_00000000n);
  const rescues: Gas[] = [];
  for (const index of cases.keys()) {
    const call = { abi, functionName: 'rescue', args: [BigInt(index + 1), noRoute] } as const;
    rescues.push(await measure(world.chain, alice, guardAt, call));
  }
  const [savings, ...pools] = rescues as [Gas, Gas, Gas, Gas];
  return { register: registered[1] as Gas, savings, pools };
}

/** @throws where they are not deployed. */
function contractsOf({ book: { own } }: DeployedChain) {
  const { collateralGuard: guardAt, venusCollateral: adapterAt, chainlinkPriceSource: priceSource } = own;
  if (guardAt === undefined || adapterAt === undefined) throw new Error('CollateralGuard is not deployed');
  return { guardAt, adapterAt, priceSource };
}

interface Case {
  readonly deposit: Address;
  readonly debt: Address;
  readonly route: SaleRoute;
}

/** 50,000 dollars of debt against one BTCB, as in loans.ts. Where the deposit is in the debt's token, it is another account's. */
async function borrowAndRegister(world: DeployedChain, borrower: Address, each: Case): Promise<Gas> {
  const { chain } = world;
  const { guardAt } = contractsOf(world);
  const saver = privateKeyToAccount(generatePrivateKey());
  const isSaved = each.deposit === each.debt;
  await supply(chain, borrower, 'BTCB', vBTC, '1');
  await chain.send(borrower, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBTC]] });
  await chain.send(borrower, each.debt, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther('50000')] });
  if (isSaved) await supply(chain, saver.address, 'USDT', vUSDT, '20000');
  const funder = isSaved ? saver.address : borrower;
  await chain.send(funder, each.deposit, { abi: erc20Abi, functionName: 'approve', args: [guardAt, maxUint256] });
  const terms = await termsOf(world, borrower, funder, each);
  if (!isSaved) return measure(chain, borrower, guardAt, { abi, functionName: 'register', args: [terms] });
  const consent = { terms, nonce: 1n, deadline: maxUint256, borrowerEpoch: 0n, funderEpoch: 0n };
  const hash = await chain.readContract({ address: guardAt, abi, functionName: 'digestOf', args: [consent] });
  const args = [consent, await saver.sign({ hash })] as const;
  return measure(chain, borrower, guardAt, { abi, functionName: 'registerFunded', args });
}

async function supply(
  chain: Chain,
  owner: Address,
  symbol: TokenSymbol,
  market: Address,
  whole: string,
): Promise<void> {
  await chain.impersonateAccount({ address: owner });
  await chain.setBalance({ address: owner, value: parseEther('1') });
  const amount = await give(chain, owner, symbol, whole);
  await approve(chain, owner, symbol, market, amount);
  await chain.send(owner, market, { abi: vTokenAbi, functionName: 'mint', args: [amount] });
}

async function termsOf(world: DeployedChain, borrower: Address, funder: Address, each: Case) {
  const { timestamp } = await world.chain.getBlock();
  const { adapterAt, priceSource } = contractsOf(world);
  return {
    ...{ borrower, funder, adapter: adapterAt, keeper: zeroAddress, priceSource },
    ...{ debtMarket: pad(each.debt), collateralMarket: pad(each.deposit), route: each.route, maxCostBps: 200 },
    ...{ triggerHealthWad: (WAD * 110n) / 100n, targetHealthWad: (WAD * 125n) / 100n },
    ...{ capPerRescue: parseEther('20000'), capPerDay: parseEther('20000'), minRepay: parseEther('1') },
    ...{ cooldownSeconds: 600, expiresAt: Number(timestamp) + 86_400 },
  };
}
