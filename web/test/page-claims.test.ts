import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { WagmiProvider } from 'wagmi';
import { Router } from 'wouter';
import { earlier, type Moment, thisMoment } from '../app/api/age.ts';
import type { Settings } from '../app/api/settings.ts';
import { createLine } from '../app/chain/line.ts';
import type { OwnedPlans } from '../app/chain/read-plans.ts';
import { sawBlock, useChainTime } from '../app/chain/use-clock.ts';
import { LineProvider } from '../app/chain/use-line.tsx';
import { Terms } from '../app/check/ticket-terms.tsx';
import { Calendar } from '../app/plans/calendar.tsx';
import { SettingsProvider } from '../app/settings.tsx';
import { NetworkName, Troubles } from '../app/troubles.tsx';
import { walletConfig } from '../app/wallet/config.ts';
import { ConnectingProvider } from '../app/wallet/connecting.tsx';
import { verifyWords } from '../app/words/en/tickets.ts';
import { stateOf } from './said-by-figures.ts';
import { buysAll } from './serves.ts';

// What parts of the page claim about a stale chain, and about plans that share funds, without a browser.

const at = (digit: string) => `0x${digit.repeat(40)}` as const;
const [usdt, btcb, owner] = [at('1'), at('2'), at('5')];
const settings = {
  ...{ chainId: 56, chainName: 'BNB Chain', rpcUrl: 'http://127.0.0.1:1', explorerUrl: null },
  assets: [
    { symbol: 'USDT', address: usdt, decimals: 18 },
    { symbol: 'BTCB', address: btcb, decimals: 18, quote: 'USDT' },
  ],
  contracts: { planRegistry: at('6'), loanGuard: at('7'), priceSource: at('8'), swapExecutor: at('a') },
  verdictSigners: [at('b')],
  lending: [{ name: 'Venus' }],
} as unknown as Settings;
const MINUTE = 60_000;

/** @param ageMs the newest block's age by the browser's clock. @param serverFastMs server clock minus browser clock. */
async function drawn(element: ReactElement, ageMs: number, serverFastMs?: number, given = settings): Promise<string> {
  const queries = new QueryClient();
  const now = thisMoment();
  queries.setQueryData(['chain', 'time'], { timestamp: BigInt(Math.floor((now.wall - ageMs) / 1_000)), at: now });
  if (serverFastMs !== undefined) {
    queries.setQueryData(['quote'], { time: new Date(now.wall + serverFastMs).toISOString(), asOf: now });
  }
  const line = createLine();
  await line
    .watch((() => ({ request: async () => '0x1' })) as never)({} as never)
    .request({} as never);
  const config = walletConfig(given, line);
  const inFrame = createElement(Router, { ssrPath: '/', ssrSearch: '' } as never, element);
  const inLine = createElement(LineProvider, { value: line }, createElement(ConnectingProvider, null, inFrame));
  const inSettings = createElement(SettingsProvider, { value: given }, inLine);
  const inQueries = createElement(QueryClientProvider, { client: queries }, inSettings);
  const html = renderToStaticMarkup(createElement(WagmiProvider, { config, reconnectOnMount: false }, inQueries));
  return html.replaceAll('’', "'");
}

test('WB-201: dot and notice say of when an old chain is, and name a wrong clock instead', async () => {
  const network = (...given: [number, number?, Settings?]) => drawn(createElement(NetworkName), ...given);
  const troubles = (...given: [number, number?, Settings?]) => drawn(createElement(Troubles), ...given);
  expect(await network(3_000, 0)).toMatch(/dot good.*responding/);
  expect(await troubles(3_000, 0)).not.toContain('notice');
  for (const serverFastMs of [0, undefined]) {
    expect(await network(10 * MINUTE, serverFastMs)).toMatch(
      /dot caution.*behind: latest block from .*, 10 minutes old/,
    );
  }
  expect(await troubles(10 * MINUTE, 0)).toMatch(
    /latest block is from .*, 10 minutes old.*and this browser agree on the time/,
  );
  expect(await troubles(10 * MINUTE)).toMatch(/10 minutes old.*or this browser's clock is wrong: check the clock/);
  expect(await network(10 * MINUTE, -10 * MINUTE)).toMatch(/dot caution.*this browser's clock is off by 10 minutes/);
  expect(await troubles(10 * MINUTE, -10 * MINUTE)).toMatch(/This browser's clock is 10 minutes fast/);
  expect(await troubles(-11 * MINUTE, 11 * MINUTE)).toMatch(/This browser's clock is 1[01] minutes slow/);
  const local = { ...settings, chainId: 31_337 };
  expect(await network(-61 * MINUTE, 0, local)).toMatch(/dot good.*its clock was moved forward by 1 hour/);
  expect(await troubles(-61 * MINUTE, 0, local)).not.toContain('notice');
});

const Clock = () => createElement('i', null, String(useChainTime()));

test('WB-201: readings and the clock go by when an old block was made', async () => {
  const seconds = Math.floor(Date.now() / 1_000);
  const told = async (...given: [number, number?]) =>
    Number((await drawn(createElement(Clock), ...given)).replace(/\D/g, '')) - seconds;
  expect(Math.abs(await told(10 * MINUTE, 0))).toBeLessThan(5);
  // The browser's clock is wrong: the chain's time counts.
  expect(await told(10 * MINUTE, -10 * MINUTE)).toBeLessThan(-590);

  const queries = new QueryClient();
  const first = thisMoment();
  const later: Moment = { wall: first.wall + 20_000, steady: first.steady + 20_000 };
  const timestamp = BigInt(Math.floor(first.wall / 1_000));
  expect(sawBlock(queries, timestamp, first, false)).toEqual(first);
  // The same block again, or none: as of the earlier moment. A newer one: as of now.
  expect(sawBlock(queries, timestamp, later, false)).toEqual(first);
  expect(sawBlock(queries, undefined, later, false)).toEqual(first);
  expect(sawBlock(queries, timestamp + 20n, later, false)).toEqual(later);
  const behind = sawBlock(queries, timestamp - 600n, later, false);
  expect(later.wall - behind.wall).toBeGreaterThan(600_000);
  expect(earlier(later, later.wall - behind.wall)).toEqual(behind);
});

const wad = parseEther;
const now = BigInt(Math.floor(Date.now() / 1_000));
const HOUR = 3_600n;
const plan: Plan = {
  ...{ owner, recipient: owner, executor: at('a'), verdictSigner: at('b'), priceSource: at('8') },
  ...{ farLimit: false, triggerPriceWad: 0n, deferrals: 0, lastReason: 0 },
  ...{ id: 1n, tokenIn: usdt, tokenOut: btcb, amountPerRun: wad('25') },
  ...{ startAt: now + 2n * HOUR, periodSeconds: 24n * HOUR, windowSeconds: HOUR, maxRuns: 1 },
  ...{ expiresAt: now + 48n * HOUR, limitPriceWad: 0n, maxSlippageBps: 100, status: 'active', cursor: 0n },
  ...{ runs: 0, records: 0, version: 1 },
};

test('Home promises no buy that another plan, whoever runs it, leaves without funds', () => {
  // A stranger's executor runs this plan an hour earlier and uses up the funds.
  const before: Plan = { ...plan, id: 2n, executor: at('9'), startAt: now + HOUR };
  const sure = { loans: true, guards: true, plans: true, activity: true };
  const state = (plans: readonly Plan[], held: string) => {
    const money = { allowances: { [usdt]: wad('500') }, balances: { [usdt]: wad(held) } };
    const known = { loans: [], covered: [], plans: { plans, ...money }, activity: {}, now, buyer: buysAll(settings) };
    return stateOf(known, sure, settings);
  };
  expect(state([plan], '25')).toContain(' · 2 hours ');
  expect(state([plan, before], '50')).toContain(' · 2 hours ');
  expect(state([plan, before], '49')).toContain('next trade not funded');
  expect(state([{ ...plan, status: 'paused' }], '50')).toContain('no active plan');
  expect(state([{ ...plan, expiresAt: now }], '50')).toContain('no active plan');
  expect(state([{ ...plan, runs: 1 }], '50')).toContain('no active plan');
});

test('the next buys are called paid for only by a reading of now, and of plans that were read', async () => {
  const owned: OwnedPlans = {
    ...{ plans: [plan], allowances: { [usdt]: wad('25') }, balances: { [usdt]: wad('25') }, count: 1n, upTo: 1n },
    ...{ unread: [], cause: undefined, searchCause: undefined },
  };
  const paid = async (given: Partial<OwnedPlans>, isStale: boolean) => {
    const text = await drawn(
      createElement(Calendar, { owned: { ...owned, ...given }, buyer: buysAll(settings), isStale }),
      1_000,
    );
    return /data-label="Status"[^>]*>(.*?)<\/td>/.exec(text)?.[1] ?? text;
  };
  const [good, stale, unread] = [await paid({}, false), await paid({}, true), await paid({ unread: [1n] }, false)];
  expect(good).toMatch(/^funded$/i);
  for (const each of [stale, unread]) expect(each).toMatch(/unknown/i);
});

test('WB-51: a ticket without a quote has neither a price nor an amount, of a purchase as of a sale', async () => {
  const shown = (tokenIn: typeof usdt, tokenOut: typeof usdt, amount: bigint) => {
    const ticket = {
      ...{ tokenIn, tokenOut, verdict: 0, maxPriceWad: amount, maxAmountIn: amount },
      ...{ issuedAt: now, expiresAt: now + 120n, evidenceHash: at('1') },
    };
    return drawn(createElement(Terms, { verified: { ticket, signer: at('b') }, isExpired: false }), 0);
  };
  for (const [tokenIn, tokenOut] of [
    [usdt, btcb],
    [btcb, usdt],
  ] as const) {
    const without = await shown(tokenIn, tokenOut, 0n);
    expect(without).toContain(`<dd>${verifyWords.noPrice}</dd>`);
    expect(without).toContain(`<dd>${verifyWords.nothing}</dd>`);
    expect(await shown(tokenIn, tokenOut, wad('1'))).toContain(verifyWords.per('1', 'USDT', 'BTCB'));
  }
});
