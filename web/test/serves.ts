import type { Serving } from '@bowline/core/serving';
import type { Page } from 'playwright-core';
import { maxUint256 } from 'viem';
import type { Settings } from '../app/api/settings.ts';
import type { Buys } from '../app/chain/serving.ts';

// An agent that serves everything, for tests of what the page says while one does.

type Stated = Pick<Settings, 'chainId' | 'contracts' | 'verdictSigners' | 'assets'>;

/** The agent's statement. @param now unix seconds. */
export function servesAll({ chainId, contracts, verdictSigners, assets }: Stated, now: bigint): Serving {
  const part = { reason: null, everySeconds: 15, lastRoundAt: String(now) };
  const tokens = assets.map(({ address }) => address);
  const { planRegistry, swapExecutor, loanGuard, collateralGuard, quoteDesk } = contracts;
  return {
    ...{ chainId, planRegistry, swapExecutor, loanGuard, at: String(now) },
    ...(collateralGuard && { collateralGuard }),
    block: { number: '1', timestamp: String(now) },
    plans: { ...part, tokens, verdictSigners, owner: null, minPeriodSeconds: '0', minRunUsdWad: '0' },
    guards: {
      ...{ ...part, tokens, maxTriggerHealthWad: String(maxUint256), owner: null, minRepayUsdWad: '0' },
    },
    quotes: quoteDesk && { desk: quoteDesk },
    selling: null,
  };
}

/** The same statement as the page uses it for plans. */
export const buysAll = ({ verdictSigners, assets }: Pick<Stated, 'verdictSigners' | 'assets'>): Buys => ({
  ...{ tokens: assets.map(({ address }) => address), verdictSigners: [...verdictSigners] },
  ...{ owner: null, minPeriodSeconds: '0', minRunUsdWad: '0', usdWad: {} },
});

interface World {
  /** Address of the page's server, without a slash at the end. */
  readonly url: string;
  /** The newest block's time, unix seconds. */
  readonly blockTime: () => Promise<bigint>;
  /** Replaces the rest of the server's answer; absent: the server's own answer. */
  readonly answer?: (time: string) => object;
}

/** Adds to the page server's answers the statement of an agent that works and serves everything. */
export async function statesAll(page: Page, { url, blockTime, answer }: World): Promise<void> {
  const settings = (await (await fetch(`${url}/config.json`)).json()) as Settings;
  await page.route('**/api/quote', async (route) => {
    const quote = answer?.(new Date().toISOString()) ?? ((await (await route.fetch()).json()) as object);
    const works = { ok: true, reason: null };
    const serves = servesAll(settings, await blockTime());
    return route.fulfill({ json: { ...quote, rescues: works, buys: works, serves } });
  });
}
