import { erc20Abi } from '@bowline/chain/erc20-abi';
import { useQuery } from '@tanstack/react-query';
import { maxUint128 } from 'viem';
import { useConnection } from 'wagmi';
import type { Trade } from '../../sound-offer.ts';
import { approveStep } from '../chain/approve.ts';
import { useChain } from '../chain/client.ts';
import { type Progress, useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { buyWords } from '../words/en/buy.ts';
import { words } from '../words/en/frame.ts';

interface Props {
  readonly trade: Trade;
  /** Progress of the trade: while it is being signed, its own approval is not a left-over. */
  readonly state: Progress['state'];
}

/** An active approval that was not used up, with a button to revoke it. */
export function LeftApproval({ trade: { owner, pay, spender: address }, state }: Props) {
  const { chainId } = useSettings();
  const connection = useConnection();
  const client = useChain();
  const { progress, isBusy: isTaking, run } = useSteps();
  const { data: allowance } = useQuery({
    // Read again whenever the trade progresses, because its last step uses up the approval.
    queryKey: ['chain', 'allowance', pay.address, owner, address, state],
    queryFn: () =>
      client.readContract({ address: pay.address, abi: erc20Abi, functionName: 'allowance', args: [owner, address] }),
    refetchInterval: 5_000,
    gcTime: 0,
  });
  if (state === 'signing' || state === 'pending' || allowance === undefined) return null;
  if (allowance === 0n) return progress.state === 'done' ? <Notice kind="good" title={buyWords.takenBack} /> : null;
  const title =
    allowance > maxUint128
      ? buyWords.stillActiveAny(pay.symbol)
      : buyWords.stillActive(exactAmount(allowance, pay.decimals), pay.symbol);
  return (
    <Notice kind="caution" title={title} more={buyWords.stillActiveMore(buyWords.router)}>
      <button
        type="button"
        className="button"
        disabled={isTaking || connection.chainId !== chainId}
        onClick={() => void run([approveStep(buyWords.takeBackStep(pay.symbol), pay.address, address, 0n)])}
      >
        {isTaking ? words.signing.signing : buyWords.takeBack}
      </button>
      {progress.state !== 'done' && <Signing progress={progress} done="" />}
    </Notice>
  );
}
