import { erc20Abi } from '@bowline/chain/erc20-abi';
import { shortAddress } from '@bowline/core/domain/readable';
import { useQuery } from '@tanstack/react-query';
import { maxUint128 } from 'viem';
import { useConnection } from 'wagmi';
import { useIsApproving } from '../acts/use-acts.tsx';
import { assetAt } from '../api/settings.ts';
import { approveStep, type Left } from '../chain/approve.ts';
import { useChain } from '../chain/client.ts';
import { useSteps } from '../chain/use-steps.ts';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { Notice } from './notice.tsx';

/** An approval of more than is needed, with a button that leaves only that. */
export function LeftBehind({ token, spender, needed: kept, isSurplus }: Left) {
  const settings = useSettings();
  const client = useChain();
  const { address: owner, chainId } = useConnection();
  const { progress, isBusy, run } = useSteps();
  // What it approves is not in what was read.
  const isOtherApproving = useIsApproving(spender) && !isBusy;
  const { data: allowance } = useQuery({
    queryKey: ['chain', 'allowance', token, owner, spender, progress.state],
    queryFn: () =>
      owner === undefined
        ? 0n
        : client.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }),
    gcTime: 0,
  });
  if (progress.state === 'done') return <Notice kind="good" title={words.signing.takenBack} />;
  if (allowance === undefined || allowance <= kept) return null;
  const asset = assetAt(settings, token);
  const spare = allowance - kept;
  const shown = asset && spare <= maxUint128 ? exactAmount(spare, asset.decimals) : '';
  const amount = `${shown} ${asset?.symbol ?? shortAddress(token)}`.trim();
  const label = words.signing.takeBack(amount);
  return (
    <Notice
      kind="caution"
      title={words.signing.leftBehind(amount)}
      more={isSurplus ? words.signing.leftBehindSurplus : words.signing.leftBehindMore}
    >
      <button
        type="button"
        className="button"
        disabled={isBusy || isOtherApproving || chainId !== settings.chainId}
        onClick={() => void run([approveStep(label, token, spender, kept)])}
      >
        {isBusy ? words.signing.signing : label}
      </button>
      {/* Every state of it stands in the tray, too. */}
      {progress.state === 'failed' && <p>{progress.failure.words}</p>}
      {progress.state === 'unknown' && <p>{words.signing.unknown}</p>}
    </Notice>
  );
}
