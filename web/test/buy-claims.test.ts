import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { WagmiProvider } from 'wagmi';
import { thisMoment } from '../app/api/age.ts';
import * as deskPart from '../app/buy/desk-offer.tsx';
import { Offer } from '../app/buy/offer.tsx';
import { createLine } from '../app/chain/line.ts';
import { SettingsProvider } from '../app/settings.tsx';
import { walletConfig } from '../app/wallet/config.ts';
import { buyWords } from '../app/words/en/buy.ts';
import { deskWords } from '../app/words/en/desk.ts';
import type { BuyAnswer } from '../wire.ts';
import { now, plan, settings as served } from './served-world.ts';

// What the page says of an answer to a purchase, without a browser.

const quoteDesk = `0x${'d'.repeat(40)}` as const;
const settings = {
  ...{ ...served, contracts: { ...served.contracts, quoteDesk } },
  assets: served.assets.map((asset) => ({ ...asset, quote: asset.symbol === 'USDT' ? 'USD' : 'USDT' })),
} as typeof served;

function said(changes: Partial<BuyAnswer>, accepted?: readonly string[], desk?: typeof deskPart): string {
  const answer: BuyAnswer = {
    ...{ verdict: 'GO', reason: null, findings: [], asset: 'ETH', side: 'buy', desk: null, simulated: null },
    ...{ token_in: null, amount_in: null, token_out: null, min_amount_out: null, calls: null, withheld: null },
    ...{ expires_at: String(now + 300n), ...changes },
  };
  const order = { owner: plan.owner, asset: 'ETH', side: 'buy', amount: { of: 'usd', text: '100' } } as const;
  const props = { answer, order: { ...order, isCautionAccepted: accepted !== undefined, maxSlippageBps: 50 } };
  const offer = createElement(Offer, {
    ...{ ...props, desk },
    isAsking: false,
    accepted: accepted ?? [],
    acknowledge() {},
    again() {},
  });
  const client = new QueryClient();
  client.setQueryData(['chain', 'time'], { timestamp: now, at: thisMoment() });
  const within = createElement(SettingsProvider, { value: settings }, offer);
  const inQueries = createElement(QueryClientProvider, { client }, within);
  const config = walletConfig(settings, createLine());
  return renderToStaticMarkup(createElement(WagmiProvider, { config, reconnectOnMount: false }, inQueries));
}

test('WB-256: an answer with nothing to sign says why, or is told as one that contradicts itself', () => {
  expect(said({})).toContain('offer_contradicts_itself');
  expect(said({ withheld: 'swap_would_revert' })).toContain(buyWords.withheld);
  // A reason that belongs to another verdict is a reason all the same.
  expect(said({ withheld: 'caution_not_acknowledged' })).toContain(buyWords.withheld);
  const caution = said({ verdict: 'CAUTION', reason: 'cost_above_limit', withheld: 'caution_not_acknowledged' });
  expect(caution).toContain(buyWords.accept);
  expect(caution).not.toContain(buyWords.withheld);
  expect(said({ verdict: 'NO_GO', reason: 'cost_above_limit', withheld: 'verdict_no_go' })).toContain(buyWords.refused);
});

test('WB-257: a caution that was accepted is not another one', () => {
  const [pay, buy] = [plan.tokenIn, plan.tokenOut];
  const finding = (check: string) => ({
    ...{ check, outcome: 'caution', detail: 'It is dear.', reason: null, measured: null, caution_limit: null },
    ...{ limit: '1', unit: 'bps', ages: {} },
  });
  const quote = { buyer: plan.owner, token_in: pay, amount_in: '1', token_out: buy, amount_out: '1', nonce: '1' };
  const desk = {
    desk: quoteDesk,
    quote: { ...quote, expires_at: String(now + 100n) },
    signature: '0x12',
    withheld: null,
  };
  const answer = (...checks: readonly string[]) =>
    ({ verdict: 'CAUTION', findings: checks.map(finding), withheld: 'price_moved', desk }) as never;
  const sold = deskWords.title;
  expect(said(answer('trade_cost'), ['trade_cost'], deskPart)).toContain(sold);
  // Where there is no desk, no answer makes one.
  expect(said(answer('trade_cost'), ['trade_cost'])).not.toContain(sold);
  expect(said(answer('trade_cost'), ['trade_cost', 'volatility'], deskPart)).toContain(sold);
  const changed = said(answer('trade_cost', 'volatility'), ['trade_cost'], deskPart);
  expect(changed).not.toContain(sold);
  expect(changed).toContain(buyWords.newFindings);
  expect(changed).toContain(buyWords.accept);
});
