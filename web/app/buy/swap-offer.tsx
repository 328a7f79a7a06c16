import { useState } from 'react';
import { useConnection } from 'wagmi';
import { judgeTrade, type OfferReason, type Order, type Trade } from '../../validate-offer.ts';
import { isApproval } from '../chain/approve.ts';
import { BNB } from '../chain/bnb.ts';
import type { Step } from '../chain/step.ts';
import { useHeld } from '../chain/use-held.ts';
import { isCurrent, useNetwork } from '../chain/use-line.tsx';
import { type Progress, useSteps } from '../chain/use-steps.ts';
import { isWrapping, unwrapStep } from '../chain/wrap-steps.ts';
import { Amount } from '../parts/amount.tsx';
import { Fact } from '../parts/facts.tsx';
import { LeftApproval } from '../parts/left-approval.tsx';
import { Notice } from '../parts/notice.tsx';
import { OfferedStep } from '../parts/offered-step.tsx';
import { Signing } from '../parts/signing.tsx';
import { TradeFacts } from '../parts/trade-facts.tsx';
import { useSettings } from '../settings.tsx';
import { madeOf } from '../transactions/transaction.ts';
import { exactAmount, shortCost } from '../words/amounts.ts';
import { textOf } from '../words/core-words.ts';
import { bnbWords } from '../words/en/bnb.ts';
import { buyWords } from '../words/en/buy.ts';
import { partWords } from '../words/en/parts.ts';
import { formState } from '../words/form-state.ts';
import { duration } from '../words/times.ts';
import { useCost, useMarket } from './readings.ts';
import { Result } from './result.tsx';
import { tradeSteps } from './trade.ts';

interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether the owner trades BNB, with WBNB only in between. */
  readonly isBnb: boolean;
  /** Whether the verdict has expired. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/** The changes of the owner's balances according to the calls themselves, and what the pool gives now. */
export function SwapOffer({ trade, order, isBnb, isOld, again }: Props) {
  const market = useMarket(trade);
  const { quoted, unmoved = 0n } = market.data ?? {};
  const { receive, route, amountIn, minOut } = trade;
  const isInBnb = isBnb && order.side === 'sell';
  const pay = isInBnb ? BNB : trade.pay;
  const steps = tradeSteps(trade, isInBnb);
  const { cost, bnbUsdWad } = useCost(trade.owner, steps);
  const paid = `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`;
  const least = `${exactAmount(minOut, receive.decimals)} ${receive.symbol}`;
  const toldOf = (step: Step) => {
    if (isWrapping(step)) return bnbWords.wrapTo(paid);
    return isApproval(step)
      ? buyWords.approvalTo(`${exactAmount(amountIn, pay.decimals)} ${trade.pay.symbol}`)
      : buyWords.swapTo(least);
  };
  return (
    <div className="stack">
      <h3>{buyWords.changes}</h3>
      <dl className="ledger">
        <Fact name={partWords.youPay} className="out number">
          -<Amount base={amountIn} token={pay} isPaid />
        </Fact>
        {quoted !== undefined && (
          <Fact name={buyWords.youReceive} className="in number">
            +<Amount base={quoted} token={receive} />
          </Fact>
        )}
        {quoted === undefined ? (
          <Fact name={partWords.minimum} className="number">
            <Amount base={minOut} token={receive} />
          </Fact>
        ) : (
          <TradeFacts {...{ pay, receive, amountIn, minOut, route, cost, bnbUsdWad, unmoved }} amountOut={quoted} />
        )}
      </dl>
      <details className="more">
        <summary>{buyWords.exactly}</summary>
        <div className="calldata stack small">
          {steps.map((step) => (
            <div key={step.label}>
              <p>
                {toldOf(step)} <span className="mono full">{step.to}</span>
              </p>
              <code>{step.data}</code>
            </div>
          ))}
        </div>
      </details>
      <SignOffer {...{ trade, order, isBnb, isOld, again, market, steps, pay, cost }} />
    </div>
  );
}

interface SignProps extends Props {
  /** The chain's view of the trade, polled. */
  readonly market: ReturnType<typeof useMarket>;
  readonly steps: readonly Step[];
  /** Named as the owner holds it: BNB before it is wrapped. */
  readonly pay: Pick<Trade['pay'], 'symbol' | 'decimals'>;
  readonly cost: ReturnType<typeof useCost>['cost'];
}

/**
 * The only way to sign an offer. It checks the offer against the chain when it is shown, and again before it is signed.
 */
function SignOffer({ trade, order, isBnb, isOld, again, market, steps, pay, cost }: SignProps) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const { progress, isBusy, run } = useSteps();
  const isInBnb = isBnb && order.side === 'sell';
  const { data: wallet } = useHeld(trade.owner, trade.pay.address);
  const [isChecking, setChecking] = useState(false);
  // A node that is behind or stuck cannot confirm an offer.
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
    action: actionOf(order, amountIn, pay, receive.symbol),
    isSigning: isBusy,
    isOtherNetwork: chainId !== settings.chainId,
    pay,
    needed: amountIn,
    held: isInBnb ? wallet?.native : now?.held,
    fee: cost?.wei,
    native: wallet && wallet.native - (isInBnb ? amountIn : 0n),
  });
  // An offer that was sound before has met a changed price, not an attack.
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

const actionOf = ({ side }: Order, amount: bigint, { symbol, decimals }: SignProps['pay'], received: string): string =>
  side === 'sell'
    ? buyWords.sellFor(`${exactAmount(amount, decimals)} ${symbol}`, received)
    : buyWords.actionFor(partWords.buyAsset(received), `${shortCost(amount, decimals)} ${symbol}`);

/** Offers to unwrap what was wrapped for a swap that did not follow. */
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

interface UnsoundProps {
  readonly reason: OfferReason;
  /** Whether the offer was sound before: then time has passed or the price has moved. */
  readonly wasSound?: boolean;
  readonly again: () => void;
}

/** Replaces an offer that does not match the order, or no longer does. */
export function Unsound({ reason, wasSound = false, again }: UnsoundProps) {
  const isLate = reason === 'offer_expired';
  const isOver = isLate || wasSound;
  const title = isLate ? buyWords.tooOld : wasSound ? buyWords.priceMoved : buyWords.unsound;
  return (
    <Notice kind={isOver ? 'plain' : 'bad'} title={title}>
      {!isLate && (
        <p>
          {buyWords.unsoundWhy} {textOf(reason)} (<span className="mono">{reason}</span>).
        </p>
      )}
      <button type="button" className="button" onClick={again}>
        {buyWords.askAgain}
      </button>
    </Notice>
  );
}
