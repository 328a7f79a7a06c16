import { erc20Abi } from '@bowline/chain/erc20-abi';
import { shortAddress } from '@bowline/core/domain/readable';
import { useQuery } from '@tanstack/react-query';
import { maxUint128 } from 'viem';
import { useConnection } from 'wagmi';
import { assetAt } from '../api/settings.ts';
import { approveStep, type Left } from '../chain/approve.ts';
import { useChain } from '../chain/client.ts';
import { useSteps } from '../chain/use-steps.ts';
import { useSettings } from '../settings.tsx';
import { useIsApproving } from '../transactions/use-transactions.tsx';
import { exactOf } from '../words/amount-of.ts';
import { words } from '../words/en/frame.ts';
import { Notice } from './notice.tsx';

interface Props extends Pick<Left, 'token' | 'spender' | 'needed'> {
  /** Texts about the excess amount: the notice and the button. */
  readonly title: (amount: string) => string;
  readonly more: string;
  readonly label: (amount: string) => string;
  readonly done: string;
}

/** An approval of more than is needed, with a button that reduces it to what is needed. */
export function LeftApproval({ token, spender, needed: kept, title, more, label, done }: Props) {
  const settings = useSettings();
  const client = useChain();
  const { address: owner } = useConnection();
  const { progress, isBusy, isOff, run } = useSteps();
  // The allowance that was read does not include what another transaction is approving.
  const isOtherApproving = useIsApproving(spender) && !isBusy;
  const { data: allowance } = useQuery({
    queryKey: ['chain', 'allowance', token, owner, spender, progress.state],
    queryFn: () =>
      owner === undefined
        ? 0n
        : client.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }),
    refetchInterval: 5_000,
    gcTime: 0,
  });
  if (progress.state === 'done') return <Notice kind="good" title={done} />;
  if (allowance === undefined || allowance <= kept) return null;
  const spare = allowance - kept;
  const amount =
    spare <= maxUint128
      ? exactOf(settings, token, spare)
      : words.signing.anyAmount(assetAt(settings, token)?.symbol ?? shortAddress(token));
  return (
    <Notice kind="caution" title={title(amount)} more={more}>
      <button
        type="button"
        className="button"
        disabled={isOff || isOtherApproving}
        onClick={() => void run([approveStep(label(amount), token, spender, kept)])}
      >
        {isBusy ? words.signing.signing : label(amount)}
      </button>
      {/* The tray also shows every state. */}
      {progress.state === 'failed' && <p>{progress.failure.words}</p>}
      {progress.state === 'unknown' && <p>{words.signing.unknown}</p>}
    </Notice>
  );
}
