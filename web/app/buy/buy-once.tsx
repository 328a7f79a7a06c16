import { WRAPPED_BNB } from '@bowline/core/domain/assets';
import { SWAP_SLIPPAGE_BPS } from '@bowline/core/domain/defaults';
import { formatUnits, mulDivUp } from '@bowline/core/domain/units';
import { checkCount } from '@bowline/core/texts/checks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Address } from 'viem';
import type { Order } from '../../validate-offer.ts';
import { type BuyAnswer, buyAnswer } from '../../wire.ts';
import { ApiError, postJson } from '../api/request.ts';
import { type Asset, payTokenOf, traded } from '../api/settings.ts';
import { BNB } from '../chain/bnb.ts';
import { useFeeReserve } from '../chain/use-fee-reserve.ts';
import { useHeld } from '../chain/use-held.ts';
import { AmountField } from '../parts/amount-field.tsx';
import { Choice } from '../parts/choice.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { type Parsed, parseAmount, shortCost } from '../words/amounts.ts';
import { bnbWords } from '../words/en/bnb.ts';
import { buyWords } from '../words/en/buy.ts';
import { partWords } from '../words/en/parts.ts';
import { refusalOf } from '../words/refusals.ts';
import { notPassedIn, Offer } from './offer.tsx';
import { useFeed } from './readings.ts';

/** Decimals of US dollars. A purchase is judged at the typed amount; a sale sells exactly the typed amount. */
const CENTS = 2;

/** An order, and whether its owner trades BNB itself. The swap then uses WBNB. */
interface Asked extends Order {
  readonly isBnb: boolean;
}

function askFor({ owner, asset, side, amount, maxSlippageBps, isCautionAccepted, isBnb }: Asked): Promise<BuyAnswer> {
  const order = { asset, side, [`amount_${amount.of}`]: amount.text, owner, max_slippage_bps: maxSlippageBps };
  const inBnb = isBnb && side === 'sell' && { in_bnb: true };
  return postJson('/api/buy', { ...order, acknowledge_caution: isCautionAccepted, ...inBnb }, buyAnswer);
}

export function BuyOnce({ owner }: { readonly owner: Address }) {
  const { assets } = useSettings();
  const [side, setSide] = useState<Order['side']>('buy');
  const [asset, setAsset] = useState('BTCB');
  const [text, setText] = useState('');
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const isSale = side === 'sell';
  const isBnb = asset === BNB.symbol;
  const symbol = isBnb ? WRAPPED_BNB : asset;
  const sold = assets.find((each) => each.symbol === symbol);
  const pay = isSale ? sold && { ...sold, symbol: asset } : payTokenOf(assets, symbol);
  const decimals = isSale && pay ? pay.decimals : CENTS;
  const parsed = parseAmount(text, decimals);
  const ask = useMutation({ mutationFn: askFor });
  const send = (isCautionAccepted: boolean) => {
    if (!parsed.ok) return;
    // Always with a decimal point, however it was typed.
    const amount = { of: isSale ? 'asset' : 'usd', text: formatUnits(parsed.value, decimals) } as const;
    ask.mutate({
      ...{ owner, asset: symbol, isBnb, side, amount, isCautionAccepted },
      maxSlippageBps: SWAP_SLIPPAGE_BPS,
    });
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
        <OrderFields
          {...{ owner, side, asset, text, parsed, pay, isSale }}
          set={({ side: nextSide = side, asset: nextAsset = asset, text: nextText }) => {
            // An answer belongs to its question, so a change of the question removes it.
            ask.reset();
            setSide(nextSide);
            setAsset(nextAsset);
            // An amount of one asset does not apply to another.
            const isOfOther = nextSide !== side || (isSale && nextAsset !== asset);
            setText(nextText ?? (isOfOther ? '' : text));
          }}
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
          isBnb={ask.variables.isBnb}
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

interface Typed {
  readonly side: Order['side'];
  readonly asset: string;
  readonly text: string;
}

interface FieldsProps extends Typed {
  readonly owner: Address;
  readonly parsed: Parsed;
  /** Named as the owner holds it: BNB before it is wrapped. */
  readonly pay: Asset | undefined;
  readonly isSale: boolean;
  readonly set: (changes: Partial<Typed>) => void;
}

function OrderFields({ owner, side, asset, text, parsed, pay, isSale, set }: FieldsProps) {
  const { assets } = useSettings();
  const { data: wallet } = useHeld(owner, pay?.address);
  const isBnb = asset === BNB.symbol;
  const isInBnb = isBnb && isSale;
  const reserve = useFeeReserve(isInBnb);
  const held = isInBnb ? wallet?.native : wallet?.held;
  const kept = isInBnb ? reserve : 0n;
  const spare = held !== undefined && kept !== undefined && held > kept ? held - kept : 0n;
  const { data: payUsd } = useFeed(isSale ? undefined : pay);
  return (
    <>
      <Choice
        label={buyWords.side}
        options={[
          { value: 'buy', name: buyWords.buy },
          { value: 'sell', name: buyWords.sell },
        ]}
        value={side}
        onChange={(next) => set({ side: next })}
      />
      <Choice
        label={partWords.asset}
        options={traded(assets)
          .flatMap(({ symbol }) => (symbol === WRAPPED_BNB ? [BNB.symbol, symbol] : [symbol]))
          .map((symbol) => ({ value: symbol, name: symbol }))}
        value={asset}
        onChange={(next) => set({ asset: next })}
        hint={isInBnb ? bnbWords.wrapsOnTheWay : isBnb ? bnbWords.arrivesWrapped : undefined}
      />
      <AmountField
        label={buyWords.amount}
        value={text}
        onChange={(next) => set({ text: next })}
        unit={isSale ? asset : buyWords.dollars}
        error={parsed.ok ? undefined : parsed.why}
        pay={pay}
        held={held}
        hint={
          isInBnb && kept !== undefined
            ? partWords.maxKeeps(shortCost(kept, BNB.decimals))
            : parsed.ok && pay && payUsd
              ? buyWords.inToken(inToken(parsed.value, pay, payUsd))
              : undefined
        }
        max={pay && spare > 0n ? maxOf(spare, pay, isSale, payUsd) : undefined}
      />
    </>
  );
}

/** Converts cents to a token, rounded up. */
const inToken = (cents: bigint, { decimals, symbol }: Asset, usdWad: bigint): string =>
  `${shortCost(mulDivUp(cents * 10n ** 16n, 10n ** BigInt(decimals), usdWad), decimals)} ${symbol}`;

/** A whole balance: for a sale in its own units, else in dollars cut to cents. Undefined if nothing or not known. */
function maxOf(
  held: bigint,
  { decimals }: Asset,
  isSale: boolean,
  usdWad: bigint | null | undefined,
): string | undefined {
  if (isSale) return formatUnits(held, decimals);
  const cents = usdWad ? (held * usdWad) / 10n ** BigInt(decimals) / 10n ** 16n : 0n;
  return cents === 0n ? undefined : formatUnits(cents, CENTS);
}

/** Errors in the fields or in the offer have their own sentences. */
const refusal = (error: Error): string =>
  isUnsound(error) || (error instanceof ApiError && error.code === 'invalid_input') ? error.message : refusalOf(error);

const isUnsound = (error: Error): boolean => error instanceof ApiError && error.code === 'unsound_draft';
