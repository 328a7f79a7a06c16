import { SWAP_SLIPPAGE_BPS } from '@bowline/core/domain/defaults';
import { formatUnits, mulDivUp } from '@bowline/core/domain/units';
import { checkCount } from '@bowline/core/texts/checks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Address } from 'viem';
import type { Order } from '../../sound-offer.ts';
import { buyAnswer } from '../../wire.ts';
import { ApiError, postJson } from '../api/request.ts';
import { type Asset, buyable, payTokenOf } from '../api/settings.ts';
import { useBalances } from '../chain/use-balances.ts';
import { AmountField } from '../parts/amount-field.tsx';
import { Choice } from '../parts/choice.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { parseAmount, shortCost } from '../words/amounts.ts';
import { buyWords } from '../words/en/buy.ts';
import { refusalOf } from '../words/refusals.ts';
import { notPassedIn } from './accepted.ts';
import { Offer } from './offer.tsx';
import { useFeed } from './use-feed.ts';

/** Decimals of US dollars: a purchase is judged at the typed amount. */
const CENTS = 2;

export function BuyOnce({ owner }: { readonly owner: Address }) {
  const { assets } = useSettings();
  const { data: balances } = useBalances(owner);
  const [asset, setAsset] = useState('BTCB');
  const [text, setText] = useState('');
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const parsed = parseAmount(text, CENTS);
  const ask = useMutation({
    mutationFn: ({ asset, amount, maxSlippageBps, isCautionAccepted }: Order) => {
      const order = { asset, amount_usd: amount.text, side: 'buy', owner, max_slippage_bps: maxSlippageBps };
      return postJson('/api/buy', { ...order, acknowledge_caution: isCautionAccepted }, buyAnswer);
    },
  });
  const send = (isCautionAccepted: boolean) => {
    if (!parsed.ok) return;
    // With a point, whatever was typed.
    const amount = { of: 'usd', text: formatUnits(parsed.value, CENTS) } as const;
    ask.mutate({ owner, asset, side: 'buy', amount, isCautionAccepted, maxSlippageBps: SWAP_SLIPPAGE_BPS });
  };
  const pay = payTokenOf(assets, asset);
  const held = pay && balances?.of[pay.symbol];
  const { data: payUsd } = useFeed(pay);
  // An answer belongs to its question, so a change of the question removes it.
  const change = (act: () => void) => {
    ask.reset();
    act();
  };
  return (
    <div className="split">
      <form
        className="card form"
        onSubmit={(event) => {
          event.preventDefault();
          send(false);
        }}
      >
        <Choice
          label={buyWords.buy}
          options={buyable(assets).map(({ symbol }) => ({ value: symbol, name: symbol }))}
          value={asset}
          onChange={(next) => change(() => setAsset(next))}
        />
        <AmountField
          label={buyWords.amount}
          value={text}
          onChange={(next) => change(() => setText(next))}
          unit={buyWords.dollars}
          error={parsed.ok ? undefined : parsed.why}
          pay={pay}
          held={held}
          hint={parsed.ok && pay && payUsd ? buyWords.inToken(inToken(parsed.value, pay, payUsd)) : undefined}
          max={pay && held !== undefined && payUsd !== undefined ? maxUsd(held, pay.decimals, payUsd) : undefined}
        />
        <button type="submit" className="button primary wide" disabled={!parsed.ok || ask.isPending}>
          {ask.isPending ? buyWords.asking : buyWords.ask}
        </button>
        {ask.isError && (
          <Notice
            kind="bad"
            title={isUnsound(ask.error) ? buyWords.unsound : buyWords.noVerdict}
            more={buyWords.notSent(refusal(ask.error))}
          />
        )}
      </form>
      {ask.data ? (
        <Offer
          key={`${ask.data.expires_at}-${ask.submittedAt}`}
          answer={ask.data}
          order={ask.variables}
          isAsking={ask.isPending}
          accepted={accepted}
          acknowledge={() => {
            setAccepted(notPassedIn(ask.data));
            send(true);
          }}
          again={() => send(false)}
        />
      ) : (
        <div className="empty">
          <h2>{buyWords.nothingAsked}</h2>
          <p>{buyWords.nothingAskedMore(checkCount)}</p>
        </div>
      )}
    </div>
  );
}

/** What cents are in a token, rounded up. */
const inToken = (cents: bigint, { decimals, symbol }: Asset, usdWad: bigint): string =>
  `${shortCost(mulDivUp(cents * 10n ** 16n, 10n ** BigInt(decimals), usdWad), decimals)} ${symbol}`;

/** What a balance is worth, cut to cents, as decimal text; undefined if that is nothing. */
function maxUsd(held: bigint, decimals: number, usdWad: bigint): string | undefined {
  const cents = (held * usdWad) / 10n ** BigInt(decimals) / 10n ** 16n;
  return cents === 0n ? undefined : formatUnits(cents, CENTS);
}

/** Errors in the fields or in the offer have their own sentences. */
const refusal = (error: Error): string =>
  isUnsound(error) || (error instanceof ApiError && error.code === 'invalid_input') ? error.message : refusalOf(error);

const isUnsound = (error: Error): boolean => error instanceof ApiError && error.code === 'unsound_draft';
