import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccount } from 'wagmi';
import type { BuyAnswer } from '../../../wire.ts';
import { parseAmount } from '../amount.ts';
import { draftBuy } from '../api.ts';
import { assetOf, useConfig } from '../config.tsx';
import { amount } from '../format.ts';
import { Choice, Field } from '../parts/Field.tsx';
import { useBalances } from '../useBalances.ts';
import { Offer } from './Offer.tsx';

export function Buy() {
  const config = useConfig();
  const { address } = useAccount();
  const balances = useBalances(address);
  const buyable = config.assets.filter((asset) => asset.class === 'crypto');
  const [symbol, setSymbol] = useState(buyable[0]?.symbol ?? '');
  const [dollars, setDollars] = useState('100');
  const pay = assetOf(config, assetOf(config, symbol).quote);
  const parsed = parseAmount(dollars, 2, 'The amount');
  const problem = 'problem' in parsed ? parsed.problem : undefined;
  const held = balances.data?.[pay.symbol];

  const draft = useMutation({
    mutationFn: (isAcknowledged: boolean): Promise<BuyAnswer> =>
      draftBuy({
        asset: symbol,
        amount_usd: dollars.replaceAll(/[\s,_]/g, ''),
        owner: address ?? '',
        acknowledge_caution: isAcknowledged,
        max_slippage_bps: 50,
      }),
  });
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    // An offer is for what was asked.
    draft.reset();
  };

  return (
    <section aria-labelledby="buy-title">
      <div className="section-head">
        <div>
          <h1 id="buy-title">Buy once</h1>
          <p className="lead">
            Ask for a verdict first. Only what is fairly priced is offered, and you see what it does before you sign.
          </p>
        </div>
      </div>
      <div className="columns flip">
        <form
          className="card form"
          aria-label="What to buy"
          onSubmit={(event) => {
            event.preventDefault();
            draft.mutate(false);
          }}
        >
          <Choice
            label="Buy"
            value={symbol}
            onChange={change(setSymbol)}
            options={buyable.map((a) => [a.symbol, `${a.symbol} · ${a.name}`])}
          />
          <Field
            label="For"
            value={dollars}
            onChange={change(setDollars)}
            unit="USD"
            hint={
              problem ??
              (held === undefined
                ? `Paid in ${pay.symbol}.`
                : `Paid in ${pay.symbol}. You hold ${amount(held, pay.decimals)}.`)
            }
          />
          <button
            type="submit"
            className="primary wide"
            disabled={problem !== undefined || address === undefined || draft.isPending}
          >
            {address === undefined
              ? 'Connect a wallet to ask'
              : draft.isPending
                ? 'Checking the price …'
                : 'Check the price'}
          </button>
        </form>
        <div aria-live="polite">
          {draft.isError && (
            <p className="notice bad" role="alert">
              {draft.error.message}
            </p>
          )}
          {draft.data === undefined ? (
            !draft.isError && (
              <div className="empty">
                <h3>No verdict yet</h3>
                <p>Seven checks compare the pool with Chainlink, Venus and the exchange, for your very size.</p>
              </div>
            )
          ) : (
            <Offer
              answer={draft.data}
              acknowledge={() => draft.mutate(true)}
              isPending={draft.isPending}
              again={() => draft.mutate(false)}
            />
          )}
        </div>
      </div>
    </section>
  );
}
