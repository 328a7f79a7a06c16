import { grouped } from '@bowline/core/domain/readable';
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
import { useTransactionStore } from '../transactions/use-transactions.tsx';
import { words } from '../words/en/frame.ts';
import { ApprovalsLeft } from './approvals.tsx';
import { revokedAt } from './revoked.ts';

interface Props {
  readonly owner: Address;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Time after which a silent wallet can be asked again. */
const SILENCE_MS = 5_000;

/**
 * One transaction ends every plan, guard and unused signature of an account. It needs only the addresses of the
 * account and one contract, and waits for no reading. Remaining approvals are shown while it is open. It is part of the
 * frame, so it survives a change of sections.
 */
export function StopEverything({ owner, isOpen, close }: Props) {
  const { contracts, chainName } = useSettings();
  const { isElsewhere, isSwitching, isStillElsewhere, switchOver } = useOwnChain();
  const { progress, isBusy, run, reset } = useSteps('stop', true);
  const store = useTransactionStore();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isOpen) heading.current?.focus();
  }, [isOpen]);
  // Stays mounted once opened: a revocation of an approval may be in progress.
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);

  async function stop() {
    store.halt(owner);
    if (!(await switchOver())) return;
    await run([
      {
        label: words.stop.step,
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
  const doneAt = progress.state === 'done' ? revokedAt(progress.receipts, contracts.revocations, owner) : undefined;
  const isDone = doneAt !== undefined;
  if (!wasOpened) return null;
  return (
    <section className="stop-panel" aria-labelledby="stop" hidden={!isOpen}>
      <div className="card">
        <h2 id="stop" tabIndex={-1} ref={heading}>
          {words.stop.title}
        </h2>
        {!isDone && <p>{words.stop.lead}</p>}
        {!isDone && isElsewhere && <p>{words.stop.elsewhere(chainName)}</p>}
        {isStillElsewhere && (
          <Notice kind="caution" title={words.stop.notSwitched} more={words.stop.notSwitchedMore(chainName)} />
        )}
        {progress.state === 'done' && !isDone ? (
          <Notice kind="bad" title={words.stop.nothing} more={words.stop.nothingMore} />
        ) : (
          <Signing progress={progress} done={words.stop.done(doneAt === undefined ? '' : grouped(doneAt))} />
        )}
        <div className="buttons">
          {!isDone && (
            <button
              type="button"
              className="button danger"
              disabled={isAsked ? !isSilent : isBusy}
              onClick={() => void stop()}
            >
              {isAsked && isSilent && words.stop.askAgain}
              {isAsked && !isSilent && words.wallet.lookAtWallet}
              {!isAsked && (isBusy ? words.stop.stopping : words.stop.title)}
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
            {isDone ? words.stop.close : words.stop.notNow}
          </button>
        </div>
        <ErrorBoundary what={words.stop.theApprovals}>
          <ApprovalsLeft owner={owner} isShown={isOpen} revokedAt={doneAt} />
        </ErrorBoundary>
      </div>
    </section>
  );
}
