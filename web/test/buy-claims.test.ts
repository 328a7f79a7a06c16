import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { concat, encodeFunctionData, parseAbi, toHex } from 'viem';
import { expect, test } from 'vitest';
import { WagmiProvider } from 'wagmi';
import { Router } from 'wouter';
import { thisMoment } from '../app/api/age.ts';
import { Offer } from '../app/buy/offer.tsx';
import { createLine } from '../app/chain/line.ts';
import { LineProvider } from '../app/chain/use-line.tsx';
import { SettingsProvider } from '../app/settings.tsx';
import { TransactionsProvider } from '../app/transactions/use-transactions.tsx';
import { walletConfig } from '../app/wallet/config.ts';
import { buyWords } from '../app/words/en/buy.ts';
import { type BuyAnswer, buyAnswer } from '../wire.ts';
import { now, plan, settings as served } from './served-world.ts';

// What the page says about an answer to a purchase, without a browser.

const router = `0x${'d'.repeat(40)}` as const;
const settings = {
  ...{ ...served, contracts: { ...served.contracts, router }, hubs: [] },
  assets: served.assets.map((asset) => ({ ...asset, quote: asset.symbol === 'USDT' ? 'USD' : 'USDT' })),
} as typeof served;

const swapAbi = parseAbi([
  'struct Swap { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(Swap swap) payable returns (uint256)',
]);

function said(changes: Partial<BuyAnswer>, accepted?: readonly string[]): string {
  const answer: BuyAnswer = {
    ...{ verdict: 'GO', reason: null, findings: [], asset: 'ETH', side: 'buy', simulated: null },
    ...{ token_in: null, amount_in: null, token_out: null, min_amount_out: null, calls: null, withheld: null },
    ...{ expires_at: String(now + 300n), ...changes },
  };
  const order = { owner: plan.owner, asset: 'ETH', side: 'buy', amount: { of: 'usd', text: '100' } } as const;
  const props = { answer, order: { ...order, isCautionAccepted: accepted !== undefined, maxSlippageBps: 50 } };
  const offer = createElement(Offer, {
    ...props,
    ...{ isBnb: false, isAsking: false },
    accepted: accepted ?? [],
    acknowledge() {},
    again() {},
  });
  const client = new QueryClient();
  client.setQueryData(['chain', 'time'], { timestamp: now, at: thisMoment() });
  const line = createLine();
  const inTransactions = createElement(LineProvider, { value: line }, createElement(TransactionsProvider, null, offer));
  const inFrame = createElement(Router, { ssrPath: '/trade', ssrSearch: '' } as never, inTransactions);
  const within = createElement(SettingsProvider, { value: settings }, inFrame);
  const inQueries = createElement(QueryClientProvider, { client }, within);
  const config = walletConfig(settings, line);
  return renderToStaticMarkup(createElement(WagmiProvider, { config, reconnectOnMount: false }, inQueries));
}

test('an answer with nothing to sign says why, or is told as one that contradicts itself', () => {
  expect(said({})).toContain('offer_contradicts_itself');
  expect(said({ withheld: 'swap_would_revert' })).toContain(buyWords.withheld);
  // A reason that belongs to another verdict still counts as a reason.
  expect(said({ withheld: 'caution_not_acknowledged' })).toContain(buyWords.withheld);
  const caution = said({ verdict: 'CAUTION', reason: 'cost_above_limit', withheld: 'caution_not_acknowledged' });
  expect(caution).toContain(buyWords.accept);
  expect(caution).not.toContain(buyWords.withheld);
  expect(said({ verdict: 'NO_GO', reason: 'cost_above_limit', withheld: 'verdict_no_go' })).toContain(buyWords.refused);
});

test('beside the verdict of a size stands up to which size it would pass', () => {
  const refused = { verdict: 'NO_GO', reason: 'cost_above_limit', withheld: 'verdict_no_go' } as const;
  expect(said({ ...refused, largest_go_usd: '54000.00' })).toContain('Up to about $54,000.00 would pass.');
  expect(said({ ...refused, largest_go_usd: null })).not.toContain('would pass');
  // Unreadable parts do not remove the verdict.
  const answer = { ...refused, findings: [], asset: 'BTCB', side: 'buy', expires_at: '1', largest_go_usd: '1e9' };
  const bare = { calls: null, simulated: null, token_in: null, amount_in: null, token_out: null, min_amount_out: null };
  expect(buyAnswer.parse({ ...answer, ...bare })).toMatchObject({ verdict: 'NO_GO', largest_go_usd: null });
});

test('a caution that was accepted is not another one', () => {
  const [pay, buy] = [plan.tokenIn, plan.tokenOut];
  const finding = (check: string) => ({
    ...{ check, outcome: 'caution', detail: 'It is dear.', reason: null, measured: null, caution_limit: null },
    ...{ limit: '1', unit: 'bps', ages: {} },
  });
  const [amountIn, deadline] = [10n ** 20n, now + 300n];
  const swap = {
    ...{ path: concat([pay, toHex(500, { size: 3 }), buy]), recipient: plan.owner, deadline, amountIn },
    amountOutMinimum: 1n,
  };
  const data = encodeFunctionData({ abi: swapAbi, functionName: 'exactInput', args: [swap] });
  const draft = {
    ...{ token_in: pay, amount_in: String(amountIn), token_out: buy, min_amount_out: '1', withheld: null },
    calls: [{ kind: 'swap', to: router, data, value: '0' }],
    simulated: { token_in_delta: String(-amountIn), token_out_delta: '1' },
  } as const;
  const answer = (...checks: readonly string[]) =>
    ({ verdict: 'CAUTION', findings: checks.map(finding), ...draft }) as never;
  const sold = buyWords.changes;
  expect(said(answer('trade_cost'), ['trade_cost'])).toContain(sold);
  expect(said(answer('trade_cost'), ['trade_cost', 'volatility'])).toContain(sold);
  const changed = said(answer('trade_cost', 'volatility'), ['trade_cost']);
  expect(changed).not.toContain(sold);
  expect(changed).toContain(buyWords.newFindings);
  expect(changed).toContain(buyWords.accept);
});
