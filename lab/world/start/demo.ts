import { SALE_COST_BPS, SALE_TARGET_HEALTH } from '@bowline/core/domain/sale-terms';
import { type Address, formatEther, type Hex, maxUint128, pad, parseEther, zeroAddress } from 'viem';
import { collateralGuardAbi, loanGuardAbi, planRegistryAbi } from '../../../abis/index.ts';
import { comptrollerAbi, erc20Abi, faucetAbi, vBnbAbi, vTokenAbi } from '../abis.ts';
import { type TokenSymbol, tokens, unitScaleOf, venus, wholeTokens } from '../addresses.ts';
import { type Chain, call } from '../chain.ts';
import { borrowInMoolah, moolahMarketOf } from '../moolah.ts';
import { priceUsd8 } from '../prices.ts';
import { treasurer } from '../replica.ts';
import type { Contracts } from './contracts.ts';

/** Anvil's fourth account: has two plans and two loans, one of which will soon need a rescue. Its key is public. */
export const owner: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
/** Anvil's fifth account: has a loan that only a crash puts at risk. Its key is public. */
export const secondBorrower: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

/** Anvil's sixth account: has a loan, no stablecoin, and a guard that sells some of the collateral. Its key is public. */
export const thirdBorrower: Address = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';

const year = 365 * 86_400;

export const plans = [
  { buys: 'BTCB', amount: '100', periodSeconds: 60, remark: '' },
  // Its pool holds 16 million USDT, so this amount moves the price by three per cent.
  { buys: 'WBNB', amount: '500000', periodSeconds: 600, remark: ', too much for its pool' },
] as const;

export interface Loan {
  readonly borrower: Address;
  readonly collateral: 'ETH' | 'BTCB';
  readonly market: Address;
  readonly deposit: string;
  /** Whole BNB that are owed besides USDT. */
  readonly bnb?: string;
  /** Venus's liquidation threshold: the share of the deposit that counts, in percent. */
  readonly threshold: bigint;
  /** The loan's initial health, in 1/1000. */
  readonly healthMilli: bigint;
}

/** The replica's liquidation threshold of a deposit, in percent. */
const thresholdPercent = 80n;
const { vETH, vBTC, vUSDT, vBNB } = venus.markets;

export const loans: readonly [Loan, Loan] = [
  // The path's first dip takes 4 %; the trigger is 2.3 % away.
  {
    borrower: owner,
    ...{ collateral: 'ETH', market: vETH, deposit: '10', bnb: '1', threshold: thresholdPercent, healthMilli: 1_126n },
  },
  // A crash of 15 % takes it below the trigger, but not below 1.
  {
    borrower: secondBorrower,
    collateral: 'BTCB',
    market: vBTC,
    deposit: '1',
    threshold: thresholdPercent,
    healthMilli: 1_220n,
  },
];

/** The path's first dip takes it below the trigger of its guard, which pays out of the loan's own collateral. */
export const saleLoan: Loan = {
  borrower: thirdBorrower,
  ...{ collateral: 'ETH', market: vETH, deposit: '5', threshold: thresholdPercent, healthMilli: 1_110n },
};
export const sale = { trigger: '1.08', target: SALE_TARGET_HEALTH, maxCostBps: SALE_COST_BPS } as const;

/** The owner's loan in Lista, which the same dip puts at risk. */
export const listaLoan = {
  borrower: owner,
  collateral: 'ETH',
  deposit: '5',
  threshold: 80n,
  healthMilli: 1_122n,
} as const;

/** The inventory of a desk, in whole tokens. */
const inventory = { BTCB: '5', ETH: '100', WBNB: '500', USDC: '100000' } as const;

export const trigger = '1.1';
export const targetHealth = '1.25';

/**
 * Sets up the demo with transactions from the accounts themselves.
 * @param payers the agent's accounts that pay gas: they get BNB.
 */
export async function setUpDemo(chain: Chain, contracts: Contracts, payers: readonly Address[]): Promise<void> {
  for (const address of payers) await chain.setBalance({ address, value: parseEther('10') });
  const { quoteDesk } = contracts;
  if (quoteDesk !== undefined) {
    const given = Object.entries(inventory).map(([symbol, amount]) => give(symbol as TokenSymbol, quoteDesk, amount));
    await chain.sendAll(treasurer, given);
  }
  // To pay for answers and jobs.
  const { token } = contracts.escrow;
  const args = [owner, parseEther('1000')] as const;
  await chain.sendAll(treasurer, [call(token.address, erc20Abi, 'transfer', args)]);
  const { timestamp } = await chain.getBlock();
  const now = Number(timestamp);
  // In sequence, so that plans and guards get the numbers that the screen shows.
  for (const account of [owner, secondBorrower]) {
    const calls = [
      take(account, 'USDT', '2000000'),
      approve('USDT', contracts.planRegistry, '2000000'),
      approve('USDT', contracts.loanGuard, '2000000'),
      ...loans.filter(({ borrower }) => borrower === account).flatMap((loan) => borrowAndGuard(loan, contracts, now)),
      ...(account === owner ? plans.map((plan) => createPlan(plan, contracts, now)) : []),
    ];
    await chain.sendAll(account, calls);
  }
  if (contracts.moolahMarket !== undefined) {
    await chain.sendAll(owner, borrowAndGuardInLista(contracts, contracts.moolahMarket, now));
  }
  if (contracts.collateralGuard !== undefined) {
    await chain.sendAll(thirdBorrower, borrowAndSpend(contracts as SaleContracts, now));
  }
}

export function createPlan(
  { buys, amount, periodSeconds }: (typeof plans)[number],
  contracts: Pick<Contracts, 'swapExecutor' | 'chainlinkPriceSource' | 'planRegistry'>,
  now: number,
  verdictSigner: Address = zeroAddress,
) {
  const terms = {
    owner,
    recipient: owner,
    executor: contracts.swapExecutor,
    verdictSigner,
    tokenIn: tokens.USDT,
    tokenOut: tokens[buys],
    amountPerRun: wholeTokens('USDT', amount),
    startAt: now,
    periodSeconds,
    windowSeconds: periodSeconds,
    maxRuns: 1_000_000,
    expiresAt: now + year,
    priceSource: contracts.chainlinkPriceSource,
    limitPriceWad: 0n,
    maxSlippageBps: 100,
    farLimit: false,
    triggerPriceWad: 0n,
  };
  return call(contracts.planRegistry, planRegistryAbi, 'create', [terms]);
}

/** The limits that both guards' terms share for every loan here. */
const limits = (borrower: Address, now: number) => ({
  ...{ borrower, funder: borrower, keeper: zeroAddress },
  capPerRescue: wholeTokens('USDT', '50000'),
  capPerDay: wholeTokens('USDT', '200000'),
  minRepay: wholeTokens('USDT', '10'),
  cooldownSeconds: 60,
  expiresAt: now + year,
});

/** The debt in USDT. */
function debtOf({ collateral, deposit, bnb = '0', threshold, healthMilli }: Omit<Loan, 'market'>): bigint {
  const owed = (parseEther(deposit) * priceUsd8[collateral] * threshold * 10n) / healthMilli;
  return (owed - parseEther(bnb) * priceUsd8.WBNB) / priceUsd8.USDT / unitScaleOf('USDT');
}

/** The calls with which a borrower takes a loan and registers its guard. The approval of LoanGuard is separate. */
export function borrowAndGuard(loan: Loan, contracts: Pick<Contracts, 'venusMarket' | 'loanGuard'>, now: number) {
  return [...borrow(loan), register(contracts.loanGuard, loan.borrower, contracts.venusMarket, pad(vUSDT), now)];
}

function borrowAndGuardInLista({ loanGuard }: Pick<Contracts, 'loanGuard'>, adapter: Address, now: number) {
  const { borrower, collateral, deposit } = listaLoan;
  const market = moolahMarketOf(collateral);
  return [
    take(borrower, collateral, deposit),
    ...borrowInMoolah(market, borrower, parseEther(deposit), debtOf(listaLoan)),
    register(loanGuard, borrower, adapter, market.id, now),
  ];
}

function register(loanGuard: Address, borrower: Address, adapter: Address, market: Hex, now: number) {
  const terms = {
    ...limits(borrower, now),
    ...{ adapter, market, priceSource: zeroAddress },
    triggerHealthWad: parseEther(trigger),
    targetHealthWad: parseEther(targetHealth),
  };
  return call(loanGuard, loanGuardAbi, 'register', [terms]);
}

/** The contracts of COLLATERAL_GUARD, and its price source. */
type SaleContracts = Required<Pick<Contracts, 'collateralGuard' | 'venusCollateral' | 'chainlinkPriceSource'>>;

/** The same for a borrower who keeps nothing of the loan, with a guard that sells some of the deposit. */
export function borrowAndSpend({ collateralGuard, venusCollateral, chainlinkPriceSource }: SaleContracts, now: number) {
  const { borrower, market } = saleLoan;
  const terms = {
    ...limits(borrower, now),
    adapter: venusCollateral,
    debtMarket: pad(vUSDT),
    collateralMarket: pad(market),
    priceSource: chainlinkPriceSource,
    triggerHealthWad: parseEther(sale.trigger),
    targetHealthWad: parseEther(sale.target),
    maxCostBps: sale.maxCostBps,
    // Anybody may call it, so the terms name the pool.
    route: { firstFee: 500, firstToken: zeroAddress, secondFee: 0, secondToken: zeroAddress, thirdFee: 0 },
  };
  return [
    ...borrow(saleLoan),
    call(tokens.USDT, erc20Abi, 'transfer', [treasurer, debtOf(saleLoan)]),
    call(market, erc20Abi, 'approve', [collateralGuard, maxUint128]),
    call(collateralGuard, collateralGuardAbi, 'register', [terms]),
  ];
}

/** The calls with which a borrower takes a loan. */
export function borrow(loan: Loan) {
  const { borrower, collateral, market, deposit, bnb } = loan;
  const amount = parseEther(deposit);
  return [
    take(borrower, collateral, deposit),
    approve(collateral, market, deposit),
    call(market, vTokenAbi, 'mint', [amount]),
    call(venus.comptroller, comptrollerAbi, 'enterMarkets', [[market]]),
    call(vUSDT, vTokenAbi, 'borrow', [debtOf(loan)]),
    ...(bnb === undefined ? [] : [call(vBNB, vBnbAbi, 'borrow', [parseEther(bnb)])]),
  ];
}

/** Anybody may take these tokens on the local chain. */
export const take = (to: Address, symbol: TokenSymbol, amount: string) =>
  call(tokens[symbol], faucetAbi, 'allocateTo', [to, wholeTokens(symbol, amount)]);

const give = (symbol: TokenSymbol, to: Address, amount: string) =>
  call(tokens[symbol], erc20Abi, 'transfer', [to, wholeTokens(symbol, amount)]);

export const approve = (symbol: TokenSymbol, spender: Address, amount: string) =>
  call(tokens[symbol], erc20Abi, 'approve', [spender, wholeTokens(symbol, amount)]);

/** For people: the collateral, and the health when the loan was taken. */
export const describeLoan = ({ collateral, deposit, bnb, healthMilli }: Omit<Loan, 'market'>): string =>
  `${deposit} ${collateral} as collateral${bnb ? `, ${bnb} BNB of debt besides USDT` : ''}, health ${formatEther(healthMilli * 10n ** 15n)}`;
