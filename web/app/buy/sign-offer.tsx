import { erc20Abi } from '@bowline/chain/erc20-abi';
import { useState } from 'react';
import { useConnection } from 'wagmi';
import { judgeTrade, type Order, type Trade } from '../../sound-offer.ts';
import { approveStep } from '../chain/approve.ts';
import { type Proof, proofBy } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import { useHeld } from '../chain/use-held.ts';
import { isCurrent, useNetwork } from '../chain/use-line.tsx';
import { useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortCost } from '../words/amounts.ts';
import { buyWords } from '../words/en/buy.ts';
import { partWords } from '../words/en/parts.ts';
import { formState } from '../words/form-state.ts';
import { duration } from '../words/times.ts';
import { LeftApproval } from './left-approval.tsx';
import { Result } from './result.tsx';
import { Unsound } from './unsound.tsx';
import { useCost } from './use-cost.ts';
import { useMarket } from './use-market.ts';

interface Props {
  readonly trade: Trade;
  readonly order: Order;
  /** Whether the verdict has expired: then nothing new is signed. */
  readonly isOld: boolean;
  readonly again: () => void;
}

/**
 * The only way to sign an offer. It checks the offer against the chain when it is shown, and again before it is signed.
 */
export function SignOffer({ trade, order, isOld, again }: Props) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const { progress, isBusy, run } = useSteps();
  const market = useMarket(trade);
  const { cost } = useCost(trade);
  const { data: wallet } = useHeld(trade.owner, trade.pay.address);
  const [isChecking, setChecking] = useState(false);
  // What a node says that is behind, or stuck, does not bear an offer out.
  const isChainOld = !isCurrent(useNetwork());
  const { pay, receive, amountIn } = trade;
  const paid = `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`;

  async function sign() {
    if (isOld || isChainOld) return;
    setChecking(true);
    const { data, isSuccess } = await market.refetch();
    setChecking(false);
    if (!isSuccess || judgeTrade(trade, order, data) !== undefined || data.held < amountIn) return;
    await run(
      trade.calls.map(
        ({ kind, to, data }): Step =>
          kind === 'approve'
            ? { ...approveStep(partWords.approveStep(paid), pay.address, trade.spender, amountIn), to, data }
            : { to, data, label: buyWords.swapStep(receive.symbol), proof: arrival(trade) },
      ),
    );
  }

  const { data: now } = market;
  const isError = market.isError || isChainOld;
  const reason = now && judgeTrade(trade, order, now);
  const isSound = !isOld && !isError && now !== undefined && reason === undefined;
  const state = formState({
    act:
      order.side === 'sell'
        ? buyWords.sellFor(paid, receive.symbol)
        : buyWords.actFor(partWords.buyAsset(receive.symbol), `${shortCost(amountIn, pay.decimals)} ${pay.symbol}`),
    isSigning: isBusy,
    isOtherNetwork: chainId !== settings.chainId,
    missing: undefined,
    waitsFor: undefined,
    pay,
    needed: amountIn,
    held: now?.held,
    fee: cost?.wei,
    native: wallet?.native,
    isRefused: false,
  });
  // An offer that was sound before has met another price, not an attack.
  const [wasSound, setWasSound] = useState(false);
  if (isSound && !wasSound) setWasSound(true);
  return (
    <>
      {!isBusy && progress.state !== 'done' && (
        <>
          {isOld && <TooOld again={again} />}
          {!isOld && isError && <Notice kind="caution" title={buyWords.unchecked} more={buyWords.uncheckedMore} />}
          {!isOld && !isError && now === undefined && <p className="faint">{buyWords.checking}</p>}
          {!isOld && !isError && reason !== undefined && <Unsound reason={reason} wasSound={wasSound} again={again} />}
        </>
      )}
      {(isBusy || (isSound && progress.state !== 'done')) && (
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
        <Result trade={trade} receipts={progress.receipts} isSale={order.side === 'sell'} />
      ) : (
        <Signing progress={progress} done="" />
      )}
      <LeftApproval trade={trade} state={progress.state} />
    </>
  );
}

/** Some of the token arrives, as it also does by a plan's run. How much of it is judged by outcome.ts. */
const arrival = ({ owner, receive }: Trade): Proof => ({
  ...proofBy(receive.address, erc20Abi, 'Transfer', { to: owner }),
  isCommon: true,
});

/** Replaces the button when the verdict of an offer has expired. */
const TooOld = ({ again }: { readonly again: () => void }) => (
  <Notice kind="plain" title={buyWords.verdictTooOld} more={buyWords.verdictTooOldMore}>
    <button type="button" className="button" onClick={again}>
      {buyWords.askAgain}
    </button>
  </Notice>
);
