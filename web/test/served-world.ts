import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { pad, parseEther, zeroAddress } from 'viem';
import type { Settings } from '../app/api/settings.ts';
import type { Guard } from '../app/chain/read-guards.ts';
import type { Loan, LoanMarket } from '../app/chain/read-loan.ts';

// One loan with a guard that can pay for a whole rescue, and one plan with enough funds for its buys.

const at = (digit: string) => `0x${digit.repeat(40)}` as const;
const [usdt, eth, adapter, owner] = [at('1'), at('2'), at('3'), at('4')];
const [market, ethMarket] = [pad(usdt), pad(eth)];
const wad = parseEther;
const DAY = 86_400n;

/** Unix seconds. */
export const now = 1_800_000_000n;

export const settings = {
  ...{ chainId: 31_337, chainName: 'a chain', rpcUrl: 'http://127.0.0.1:1', explorerUrl: null },
  contracts: {
    planRegistry: at('6'),
    swapExecutor: at('a'),
    loanGuard: at('7'),
    priceSource: at('8'),
    quoteDesk: null,
  },
  verdictSigners: [at('b')],
  lending: [{ name: 'Venus', scope: '', url: 'https://app.venus.io/', adapter, core: market }],
  assets: [
    { symbol: 'USDT', address: usdt, decimals: 18 },
    { symbol: 'ETH', address: eth, decimals: 18, quote: 'USDT' },
  ],
} as unknown as Settings;

const owed: LoanMarket = {
  ...{ market, token: usdt, symbol: 'USDT', decimals: 18, debt: wad('1000'), supplied: 0n },
  ...{ walletBalance: wad('500'), allowance: 0n },
};

export const loan: Loan = {
  ...{ protocol: settings.lending[0] as Loan['protocol'], borrower: owner },
  markets: [owed, { ...owed, market: ethMarket, token: eth, symbol: 'ETH', debt: 0n, supplied: wad('1') }],
  ...{ debtUsdWad: wad('1000'), weightedUsdWad: wad('1200'), healthWad: wad('1.2'), chainlinkHealthWad: undefined },
  ...{ forcedMarkets: [], prices: { [market]: wad('1') } },
  parts: [
    { market, priceWad: wad('1'), weightedAt: () => 0n, debtAt: (price) => price * 1_000n },
    { market: ethMarket, priceWad: wad('1600'), weightedAt: (price) => (price * 3n) / 4n, debtAt: () => 0n },
  ],
};

export const guard: Guard = {
  ...{ id: 1n, borrower: owner, funder: owner, adapter, market },
  ...{ repayToken: usdt, triggerHealthWad: wad('1.1'), targetHealthWad: wad('1.25'), capPerRescue: wad('300') },
  ...{ capPerDay: wad('300'), minRepay: wad('10'), cooldownSeconds: 600n, expiresAt: now + 60n * DAY },
  ...{ status: 'active', rescues: 0, lastRescueAt: 0n, day: 0n, takenInDay: 0n },
  means: { allowance: wad('400'), balance: wad('500'), marketToken: usdt, isRepayPaused: false },
};

export const plan: Plan = {
  ...{ owner, recipient: owner, executor: at('a'), verdictSigner: zeroAddress, priceSource: at('8') },
  ...{ farLimit: false, triggerPriceWad: 0n, deferrals: 0, lastReason: 0 },
  ...{ id: 1n, tokenIn: usdt, tokenOut: eth, amountPerRun: wad('25') },
  ...{ startAt: now - DAY, periodSeconds: DAY, windowSeconds: 3_600n, maxRuns: 10, expiresAt: now + 30n * DAY },
  ...{ limitPriceWad: 0n, maxSlippageBps: 100, status: 'active', cursor: now + DAY, runs: 1, records: 1, version: 1 },
};
