import { useEffect, useRef, useState } from 'react';
import { type Address, encodeFunctionData } from 'viem';
import { revocationsAbi } from '../../../abis/index.ts';
import { proofBy } from '../chain/proof.ts';
import { useOwnChain } from '../chain/use-own-chain.ts';
import { useSteps } from '../chain/use-steps.ts';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useLasting } from '../parts/use-lasting.ts';
import { useSettings } from '../settings.tsx';
import { ApprovalsLeft } from './approvals.tsx';
import { isRevokedBy } from './revoked.ts';

interface Props {
  readonly owner: Address;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Time that a wallet has before it can be asked again. */
const SILENCE_MS = 5_000;

/**
 * One transaction ends every plan, guard and unused signature of an account. It needs only the account's address and
 * one contract's, and waits for no reading. Remaining approvals are shown while it is open. It is part of the frame, so
 * it survives a change of sections.
 */
export function StopEverything({ owner, isOpen, close }: Props) {
  const { contracts, chainName } = useSettings();
  const { isElsewhere, isSwitching, isStillElsewhere, switchOver } = useOwnChain();
  const { progress, isBusy, run, reset } = useSteps('stop', true);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isOpen) heading.current?.focus();
  }, [isOpen]);
  // Stays mounted once opened: a revocation of an approval may be in progress.
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);

  async function stop() {
    if (!(await switchOver())) return;
    await run([
      {
        label: 'End every plan, guard and unused signature',
        to: contracts.revocations,
        data: encodeFunctionData({ abi: revocationsAbi, functionName: 'revokeAll' }),
        isUntried: true,
        proof: proofBy(contracts.revocations, revocationsAbi, 'AllRevoked', { owner }),
      },
    ]);
  }

  // A wallet may never answer, and stopping twice does no harm.
  const isAsked = isSwitching || progress.state === 'signing';
  const isSilent = useLasting(isAsked, SILENCE_MS);
  const isDone = progress.state === 'done' && isRevokedBy(progress.receipts, contracts.revocations, owner);
  if (!wasOpened) return null;
  return (
    <section className="stop-panel" aria-labelledby="stop" hidden={!isOpen}>
      <div className="card">
        <h2 id="stop" tabIndex={-1} ref={heading}>
          Stop everything
        </h2>
        {!isDone && (
          <p>
            One signature ends every plan, every guard and every unused signature of this account, at once and for good.
            Your loan is then not guarded. What is approved stays approved until you take it back below.
          </p>
        )}
        {!isDone && isElsewhere && (
          <p>The wallet is on another network: it will first ask you to switch to {chainName}.</p>
        )}
        {isStillElsewhere && (
          <Notice kind="caution" title="The wallet did not switch">
            <p>Choose {chainName} in the wallet itself, or try again. Nothing was sent.</p>
          </Notice>
        )}
        {progress.state === 'done' && !isDone ? (
          <Notice kind="bad" title="Nothing was stopped">
            <p>A transaction went through, but its receipt does not show that anything was revoked. Try again.</p>
          </Notice>
        ) : (
          <Signing progress={progress} done="Every plan, every guard and every unused signature has ended" />
        )}
        <div className="buttons">
          {!isDone && (
            <button
              type="button"
              className="button danger"
              disabled={isAsked ? !isSilent : isBusy}
              onClick={() => void stop()}
            >
              {isAsked && isSilent && 'Ask the wallet again'}
              {isAsked && !isSilent && 'Look at your wallet …'}
              {!isAsked && (isBusy ? 'Stopping …' : 'Stop everything')}
            </button>
          )}
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              if (isDone) reset();
              close();
            }}
          >
            {isDone ? 'Close' : 'Not now'}
          </button>
        </div>
        <ErrorBoundary what="What is still approved">
          <ApprovalsLeft owner={owner} isShown={isOpen} isRevoked={isDone} />
        </ErrorBoundary>
      </div>
    </section>
  );
}
