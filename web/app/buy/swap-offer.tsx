import { useConnection } from 'wagmi';
import type { BuyAnswer } from '../../wire.ts';
import { assetAt } from '../api/settings.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { duration } from '../words/times.ts';
import { soundCalls } from './sound-calls.ts';

/** What the swap would do to the owner's balances, and the calls that do it. */
export function SwapOffer({ answer, again }: { readonly answer: BuyAnswer; readonly again: () => void }) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const now = useChainTime();
  const { progress, isBusy, run } = useSteps();
  const { token_in, token_out, amount_in, min_amount_out, simulated, expires_at } = answer;
  const pay = token_in ? assetAt(settings, token_in) : undefined;
  const buy = token_out ? assetAt(settings, token_out) : undefined;
  if (!pay || !buy || amount_in === null || min_amount_out === null || simulated === null) return unreadable;
  const paid = `${exactAmount(BigInt(amount_in), pay.decimals)} ${pay.symbol}`;
  const steps = soundCalls(answer, paid);
  if (steps === undefined) return unreadable;
  const left = now === undefined ? undefined : BigInt(expires_at) - now;
  const isLate = left !== undefined && left <= 0n && progress.state === 'idle';
  return (
    <div className="stack">
      <h3>What changes in your wallet, tried out just now</h3>
      <dl className="ledger">
        <div>
          <dt>You pay</dt>
          <dd className="out number">
            {exactAmount(BigInt(simulated.token_in_delta), pay.decimals)} {pay.symbol}
          </dd>
        </div>
        <div>
          <dt>You receive</dt>
          <dd className="in number">
            +{exactAmount(BigInt(simulated.token_out_delta), buy.decimals)} {buy.symbol}
          </dd>
        </div>
        <div>
          <dt>At the very least</dt>
          <dd className="number">
            {exactAmount(BigInt(min_amount_out), buy.decimals)} {buy.symbol}
          </dd>
        </div>
      </dl>
      <details className="more">
        <summary>Exactly what you sign</summary>
        <div className="calldata">
          {answer.calls?.map(({ kind, to, data }) => (
            <div key={kind}>
              <p>
                {kind === 'approve' ? `Approval of ${paid}` : 'Swap'}, sent to <span className="mono full">{to}</span>
              </p>
              <code>{data}</code>
            </div>
          ))}
        </div>
      </details>
      {isLate ? (
        <Notice kind="plain" title="This offer is too old to be sent">
          <button type="button" className="button" onClick={again}>
            Ask again
          </button>
        </Notice>
      ) : (
        progress.state !== 'done' && (
          <button
            type="button"
            className="button primary wide"
            disabled={isBusy || chainId !== settings.chainId}
            onClick={() => void run(steps)}
          >
            {isBusy
              ? 'Signing …'
              : `Buy ${buy.symbol} for ${shortAmount(BigInt(amount_in), pay.decimals)} ${pay.symbol}`}
          </button>
        )
      )}
      {left !== undefined && left > 0n && progress.state === 'idle' && (
        <p className="faint">Good for {duration(left)} more; later the swap refuses itself.</p>
      )}
      <Signing progress={progress} done={`Bought: the ${buy.symbol} is in your wallet.`} />
    </div>
  );
}

const unreadable = (
  <Notice kind="bad" title="The offer is not what it says">
    <p>This page could not make sense of the calls that it was given, so it offers none of them.</p>
  </Notice>
);
