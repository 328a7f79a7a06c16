import { useState } from 'react';
import { useConnection } from 'wagmi';
import { judgeTrade, type Order, type Trade } from '../../sound-offer.ts';
import { madeOf } from '../acts/act.ts';
import { BNB } from '../chain/bnb.ts';
import type { Step } from '../chain/step.ts';
import { useHeld } from '../chain/use-held.ts';
import { isCurrent, useNetwork } from '../chain/use-line.tsx';
import { type Progress, useSteps } from '../chain/use-steps.ts';
import { isWrapping, unwrapStep } from '../chain/wrap-steps.ts';
import { LeftApproval } from '../parts/left-approval.tsx';
import { Notice } from '../parts/notice.tsx';
import { OfferedStep } from '../parts/offered-step.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortCost } from '../words/amounts.ts';
import { bnbWords } from '../words/en/bnb.ts';
import { buyWords } from '../words/en/buy.ts';
import { partWords } from '../words/en/parts.ts';
import { formState } from '../words/form-state.ts';
import { duration } from '../words/times.ts';
import type { useCost, useMarket } from './readings.ts';
import { Result } from './result.tsx';
import { Unsound } from './unsound.tsx';

export interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether its owner trades BNB, and WBNB only on the way. */
  readonly isBnb: boolean;
  /** Whether the verdict has expired. */
  readonly isOld: boolean;
  readonly again: () => void;
  /** The chain's view of it, read again and again. */
  readonly market: ReturnType<typeof useMarket>;
  readonly steps: readonly Step[];
  /** Named as its owner has it: BNB before it is wrapped. */
  readonly pay: Pick<Trade['pay'], 'symbol' | 'decimals'>;
  readonly cost: ReturnType<typeof useCost>['cost'];
}

/**
 * The only way to sign an offer. It checks the offer against the chain when it is shown, and again before it is signed.
 */
export function SignOffer({ trade, order, isBnb, isOld, again, market, steps, pay, cost }: Props) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const { progress, isBusy, run } = useSteps();
  const isInBnb = isBnb && order.side === 'sell';
  const { data: wallet } = useHeld(trade.owner, trade.pay.address);
  const [isChecking, setChecking] = useState(false);
  // What a node says that is behind, or stuck, does not bear an offer out.
  const isChainOld = !isCurrent(useNetwork());
  const { receive, amountIn } = trade;

  async function sign() {
    if (isOld || isChainOld) return;
    setChecking(true);
    const { data, isSuccess } = await market.refetch();
    setChecking(false);
    if (!isSuccess || judgeTrade(trade, order, data) !== undefined || (!isInBnb && data.held < amountIn)) return;
    await run(steps);
  }

  const { data: now } = market;
  const isError = market.isError || isChainOld;
  const reason = now && judgeTrade(trade, order, now);
  const isSound = !isOld && !isError && now !== undefined && reason === undefined;
  const state = formState({
    act: actOf(order, amountIn, pay, receive.symbol),
    isSigning: isBusy,
    isOtherNetwork: chainId !== settings.chainId,
    missing: undefined,
    waitsFor: undefined,
    pay,
    needed: amountIn,
    held: isInBnb ? wallet?.native : now?.held,
    fee: cost?.wei,
    native: wallet && wallet.native - (isInBnb ? amountIn : 0n),
    isRefused: false,
  });
  // An offer that was sound before has met another price, not an attack.
  const [wasSound, setWasSound] = useState(false);
  if (isSound && !wasSound) setWasSound(true);
  const isOpen = !isBusy && progress.state !== 'done';
  return (
    <>
      {isOpen && isOld && <TooOld again={again} />}
      {isOpen && !isOld && isError && (
        <Notice kind="caution" title={buyWords.unchecked} more={buyWords.uncheckedMore} />
      )}
      {isOpen && !isOld && !isError && now === undefined && <p className="faint">{buyWords.checking}</p>}
      {isOpen && !isOld && !isError && reason && <Unsound {...{ reason, wasSound, again }} />}
      {(isBusy || (isSound && isOpen)) && (
        <button
          type="button"
          className="button primary wide"
          disabled={!state.isReady || isChecking}
          onClick={() => void sign()}
        >
          {state.label}
        </button>
      )}
      {isSound && progress.state === 'idle' && (
        <p className="faint">{buyWords.goodFor(duration(trade.expiresAt - now.time))}</p>
      )}
      {progress.state === 'done' ? (
        <Result {...{ trade, isBnb }} receipts={progress.receipts} isSale={order.side === 'sell'} />
      ) : (
        <Signing progress={progress} done="" />
      )}
      <LeftWrapped {...{ trade, progress }} />
      {/* While the trade is signed, its own approval is not left over. */}
      {!isBusy && <LeftOfTrade trade={trade} />}
    </>
  );
}

const LeftOfTrade = ({ trade: { pay, spender } }: Pick<Props, 'trade'>) => (
  <LeftApproval
    token={pay.address}
    spender={spender}
    needed={0n}
    title={buyWords.stillActive}
    more={buyWords.stillActiveMore(buyWords.router)}
    label={buyWords.takeBack}
    done={buyWords.takenBack}
  />
);

const actOf = ({ side }: Order, amount: bigint, { symbol, decimals }: Props['pay'], received: string): string =>
  side === 'sell'
    ? buyWords.sellFor(`${exactAmount(amount, decimals)} ${symbol}`, received)
    : buyWords.actFor(partWords.buyAsset(received), `${shortCost(amount, decimals)} ${symbol}`);

/** What was wrapped for a swap that did not follow. */
function LeftWrapped({ trade, progress }: Pick<Props, 'trade'> & { readonly progress: Progress }) {
  const { owner, pay, amountIn } = trade;
  if (progress.state !== 'failed' || !madeOf(progress).some(isWrapping)) return null;
  return (
    <OfferedStep
      step={unwrapStep(pay, owner, amountIn)}
      title={bnbWords.leftWrapped(`${exactAmount(amountIn, pay.decimals)} ${BNB.symbol}`)}
      more={bnbWords.leftWrappedMore}
      done={bnbWords.unwrapped}
    />
  );
}

/** Replaces the button when the verdict of an offer has expired. */
const TooOld = ({ again }: { readonly again: () => void }) => (
  <Notice kind="plain" title={buyWords.verdictTooOld} more={buyWords.verdictTooOldMore}>
    <button type="button" className="button" onClick={again}>
      {buyWords.askAgain}
    </button>
  </Notice>
);
