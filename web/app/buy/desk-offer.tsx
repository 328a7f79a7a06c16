import { type Address, encodeFunctionData, isAddressEqual } from 'viem';
import { useConnection } from 'wagmi';
import { quoteDeskAbi } from '../../../abis/index.ts';
import type { BuyAnswer } from '../../wire.ts';
import { assetAt } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { duration } from '../words/times.ts';

/** The other way on chains with a desk: its maker's signed quote, for this buyer alone. */
export function DeskOffer({
  desk: { quote, signature },
  owner,
}: {
  readonly desk: NonNullable<BuyAnswer['desk']>;
  readonly owner: Address;
}) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const now = useChainTime();
  const { progress, isBusy, run } = useSteps();
  const { quoteDesk } = settings.contracts;
  if (!quote || !signature || quoteDesk === null || !isAddressEqual(quote.buyer, owner)) return null;
  const pay = assetAt(settings, quote.token_in);
  const buy = assetAt(settings, quote.token_out);
  if (!pay || !buy) return null;
  const [amountIn, amountOut, expiresAt] = [quote.amount_in, quote.amount_out, quote.expires_at].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const paid = `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`;
  const left = now === undefined ? undefined : expiresAt - now;
  const terms = {
    buyer: quote.buyer,
    tokenIn: quote.token_in,
    amountIn,
    tokenOut: quote.token_out,
    amountOut,
    nonce: BigInt(quote.nonce),
    expiresAt,
  };
  const redeem = () =>
    run([
      approveStep(`Approve ${paid}`, quote.token_in, quoteDesk, amountIn),
      {
        label: 'Redeem the quote',
        to: quoteDesk,
        data: encodeFunctionData({ abi: quoteDeskAbi, functionName: 'redeem', args: [terms, signature] }),
      },
    ]);
  const isLate = left !== undefined && left <= 0n && progress.state === 'idle';
  return (
    <details className="more">
      <summary>Or buy from the desk</summary>
      <div className="stack">
        <p>
          The desk of this chain has signed for you: exactly {exactAmount(amountOut, buy.decimals)} {buy.symbol} for{' '}
          {paid}.{' '}
          {isLate
            ? 'The quote has expired: ask for the verdict again.'
            : left !== undefined && left > 0n && `Good for ${duration(left)} more.`}
        </p>
        {progress.state !== 'done' && (
          <button
            type="button"
            className="button"
            disabled={isBusy || isLate || chainId !== settings.chainId}
            onClick={() => void redeem()}
          >
            {isBusy ? 'Signing …' : `Redeem for ${shortAmount(amountIn, pay.decimals)} ${pay.symbol}`}
          </button>
        )}
        <Signing progress={progress} done={`Redeemed: the ${buy.symbol} is in your wallet.`} />
      </div>
    </details>
  );
}
