import { erc20Abi } from '@bowline/chain/erc20-abi';
import { sameAddress } from '@bowline/core/domain/same-address';
import { parseEventLogs, type TransactionReceipt } from 'viem';
import type { Trade } from '../../validate-offer.ts';
import { approveStep } from '../chain/approve.ts';
import { type Proof, proofBy } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import { wrapStep } from '../chain/wrap-steps.ts';
import { exactAmount } from '../words/amounts.ts';
import { buyWords } from '../words/en/buy.ts';
import { partWords } from '../words/en/parts.ts';

/** The changes of a trade in its owner's wallet, in base units. */
interface Outcome {
  readonly paid: bigint;
  readonly received: bigint;
  /** Whether the terms were met: no more was paid and no less received. */
  readonly isAsAgreed: boolean;
}

/** Uses only the two tokens' own Transfer logs: a contract's statements about itself prove nothing. */
export function outcomeOf({ owner, pay, receive, amountIn, minOut }: Trade, receipts: readonly TransactionReceipt[]) {
  const logs = receipts.flatMap((receipt) => (receipt.status === 'success' ? receipt.logs : []));
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs });
  const gained = (token: Trade['pay']): bigint =>
    transfers
      .filter(({ address }) => sameAddress(address, token.address))
      .reduce((sum, { args: { from, to, value } }) => {
        const into = sameAddress(to, owner) ? value : 0n;
        const out = sameAddress(from, owner) ? value : 0n;
        return sum + into - out;
      }, 0n);
  const [paid, received] = [-gained(pay), gained(receive)];
  return { paid, received, isAsAgreed: received >= minOut && received > 0n && paid <= amountIn } satisfies Outcome;
}

/** Proves that some of the token arrives, as a plan's run also does. outcomeOf judges the amount. */
const arrival = ({ owner, receive }: Trade): Proof => ({
  ...proofBy(receive.address, erc20Abi, 'Transfer', { to: owner }),
  isCommon: true,
});

/**
 * The steps to sign for a trade.
 * @param isInBnb whether BNB pays. The order says how much the swap takes and is wrapped; the agent has no say in it.
 */
export function tradeSteps(trade: Trade, isInBnb: boolean): readonly Step[] {
  const { owner, pay, receive, spender, amountIn, calls } = trade;
  const paid = `${exactAmount(amountIn, pay.decimals)} ${pay.symbol}`;
  const steps = calls.map(
    ({ kind, to, data }): Step =>
      kind === 'approve'
        ? { ...approveStep(partWords.approveStep(paid), pay.address, spender, amountIn), to, data }
        : { to, data, label: buyWords.swapStep(receive.symbol), proof: arrival(trade) },
  );
  return isInBnb ? [wrapStep(pay, owner, amountIn), ...steps] : steps;
}
