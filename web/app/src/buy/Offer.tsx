import { encodeFunctionData, erc20Abi } from 'viem';
import { quoteDeskAbi } from '../../../../abis/index.ts';
import type { BuyAnswer } from '../../../wire.ts';
import { assetAt, useConfig } from '../config.tsx';
import { amount } from '../format.ts';
import { Calls } from '../parts/Calls.tsx';
import { Badge, Findings } from '../parts/Verdict.tsx';
import { useCalls } from '../useCalls.ts';
import { inWords } from '../words.ts';

interface OfferProps {
  readonly answer: BuyAnswer;
  readonly isPending: boolean;
  /** Asks again, with the warning read. */
  readonly acknowledge: () => void;
  readonly again: () => void;
}

/** A verdict, and where it allows it the very transactions, with what they do. */
export function Offer({ answer, isPending, acknowledge, again }: OfferProps) {
  const { verdict, reason, findings, calls, withheld, simulated, token_in, token_out, min_amount_out, desk } = answer;
  const config = useConfig();
  const { state, run, isReady } = useCalls();
  const pay = token_in === null ? undefined : assetAt(config, token_in);
  const buy = token_out === null ? undefined : assetAt(config, token_out);
  const isBusy = state.state === 'busy';

  const swap = () =>
    run(
      (calls ?? []).map(({ kind, to, data }) => ({
        label: kind === 'approve' ? `Allow exactly what is paid` : `Swap`,
        to,
        data,
      })),
      'Done: it is in your wallet.',
    );
  const redeem = () => {
    if (desk === null || desk.quote === null || desk.signature === null) return;
    const { buyer, token_in: tokenIn, token_out: tokenOut, amount_in, amount_out, nonce, expires_at } = desk.quote;
    const amountIn = BigInt(amount_in);
    const quote = {
      buyer,
      tokenIn,
      amountIn,
      tokenOut,
      amountOut: BigInt(amount_out),
      nonce: BigInt(nonce),
      expiresAt: BigInt(expires_at),
    };
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [desk.desk, amountIn] });
    const data = encodeFunctionData({ abi: quoteDeskAbi, functionName: 'redeem', args: [quote, desk.signature] });
    return run(
      [
        { label: 'Allow exactly what is paid', to: tokenIn, data: approve },
        { label: 'Redeem the quote', to: desk.desk, data },
      ],
      'Done: the desk has paid out.',
    );
  };

  return (
    <article className="card offer" aria-label="Verdict">
      <div className="card-head">
        <h2>{verdict === 'GO' ? 'Fairly priced' : verdict === 'CAUTION' ? 'With caution' : 'Not offered'}</h2>
        <Badge verdict={verdict} />
      </div>
      {reason !== null && <p>{inWords(reason)}</p>}
      {simulated !== null && pay && buy && (
        <dl className="facts wide">
          <div>
            <dt>You pay</dt>
            <dd className="num">
              {amount(-BigInt(simulated.token_in_delta), pay.decimals)} {pay.symbol}
            </dd>
          </div>
          <div>
            <dt>You receive</dt>
            <dd className="num">
              {amount(BigInt(simulated.token_out_delta), buy.decimals)} {buy.symbol}
            </dd>
          </div>
          <div>
            <dt>At least</dt>
            <dd className="num">
              {min_amount_out === null ? '–' : `${amount(BigInt(min_amount_out), buy.decimals)} ${buy.symbol}`}
            </dd>
          </div>
        </dl>
      )}
      {simulated !== null && (
        <p className="hint">Played on the chain just now, from your account. The offer holds for five minutes.</p>
      )}
      {withheld === 'caution_not_acknowledged' ? (
        <label className="tick">
          <input type="checkbox" disabled={isPending} onChange={({ target }) => target.checked && acknowledge()} />I
          have read what is wrong with this price, and want it all the same.
        </label>
      ) : (
        withheld !== null && <p className="notice bad">{inWords(withheld)}</p>
      )}
      <div className="actions">
        {calls !== null && (
          <button type="button" className="primary" disabled={!isReady || isBusy} onClick={() => void swap()}>
            {calls.length > 1 ? 'Allow and swap' : 'Swap'}
          </button>
        )}
        {desk?.quote && buy && (
          <button type="button" disabled={!isReady || isBusy} onClick={() => void redeem()}>
            Buy {amount(BigInt(desk.quote.amount_out), buy.decimals)} {buy.symbol} at the desk
          </button>
        )}
        <button type="button" className="quiet" disabled={isPending || isBusy} onClick={again}>
          Check again
        </button>
      </div>
      <Calls state={state} />
      <details className="more" open={verdict !== 'GO'}>
        <summary>{findings.length} checks</summary>
        <Findings findings={findings} />
      </details>
    </article>
  );
}
