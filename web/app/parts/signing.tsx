import { isApproval, leftBehind } from '../chain/approve.ts';
import type { Step } from '../chain/step.ts';
import type { Progress } from '../chain/use-steps.ts';
import { useSettings } from '../settings.tsx';
import { StopWaiting } from '../transactions/stop-waiting.tsx';
import { madeOf } from '../transactions/transaction.ts';
import { isUnsure } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';
import { LeftApproval } from './left-approval.tsx';
import { Notice } from './notice.tsx';
import { TransactionLink } from './transaction-link.tsx';

interface Props {
  readonly progress: Progress;
  /** The sentence to show once every step has succeeded. */
  readonly done: string;
}

/** The status of every step, and finally the result. */
export function Signing({ progress, done }: Props) {
  const { chainName } = useSettings();
  if (progress.state === 'idle') return null;
  if (progress.state === 'done') {
    const hash = progress.receipts.at(-1)?.transactionHash;
    return (
      <Notice kind="good" title={done}>
        {hash && <TransactionLink hash={hash} />}
      </Notice>
    );
  }
  const isOne = progress.batch !== undefined;
  return (
    <div className="stack" aria-live="polite">
      {isOne && progress.state !== 'failed' && <p className="faint">{words.signing.asOne}</p>}
      <ol className="steps stack small">
        {progress.steps.map(({ label }, at) => (
          <li key={label} className={`row ${classOf(progress, at)}`}>
            <span className="step-mark" aria-hidden="true">
              {classOf(progress, at) === 'done' ? '✓' : at + 1}
            </span>
            {label}
            <span className="faint step-state">{wordOf(progress, at)}</span>
          </li>
        ))}
      </ol>
      {progress.state === 'signing' && <StopWaiting id={progress.id} />}
      {progress.state === 'failed' && (
        <Notice
          kind={progress.failure.kind === 'rejected' || isUnsure(progress.failure) ? 'caution' : 'bad'}
          title={words.signing.ended[progress.failure.kind]}
          more={progress.failure.words}
        >
          <Before steps={madeOf(progress)} />
          {isOne && progress.hashes.map((hash) => <TransactionLink key={hash} hash={hash} />)}
        </Notice>
      )}
      {progress.state === 'unknown' && (
        <Notice kind="caution" title={words.signing.unknown} more={unknownOf(progress, chainName)}>
          <Before steps={isOne ? [] : progress.steps.slice(0, progress.at)} />
          {progress.sent && <TransactionLink hash={progress.sent.hash} />}
        </Notice>
      )}
      {progress.state === 'failed' &&
        !isUnsure(progress.failure) &&
        leftBehind(progress.steps, madeOf(progress), progress.failure.kind === 'partial').map(
          ({ isSurplus, ...left }) => (
            <LeftApproval
              key={left.token + left.spender}
              {...left}
              title={words.signing.leftBehind}
              more={isSurplus ? words.signing.leftBehindSurplus : words.signing.leftBehindMore}
              label={words.signing.takeBack}
              done={words.signing.takenBack}
            />
          ),
        )}
      {progress.state === 'pending' && progress.sent && <TransactionLink hash={progress.sent.hash} />}
    </div>
  );
}

type Sent = Running & { readonly state: 'pending' | 'unknown' };

function unknownOf({ batch, sent, asked }: Sent, chainName: string): string {
  if (batch !== undefined) return words.signing.unknownAsOne;
  if (sent) return words.signing.unknownMore(chainName);
  return asked ? words.signing.unknownUntold : words.signing.unknownUnsought;
}

/** The steps that happened before, or without, the one that failed, and where to revoke an approval among them. */
function Before({ steps }: { readonly steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <p>
      {words.signing.before(steps.map(({ label }) => label).join('; '))}
      {steps.some(isApproval) && words.signing.beforeApproved}
    </p>
  );
}

type Running = Exclude<Progress, { state: 'idle' | 'done' }>;

function classOf(progress: Running, at: number): string {
  const { state, batch } = progress;
  const isOne = batch !== undefined;
  const step = progress.steps[at];
  if (state === 'failed' && step !== undefined && madeOf(progress).includes(step)) return 'done';
  if (!isOne && at < progress.at) return 'done';
  if (!isOne && at > progress.at) return 'later';
  return state === 'failed' && !isUnsure(progress.failure) ? 'failed' : 'now';
}

function wordOf(progress: Running, at: number): string {
  const kind = classOf(progress, at);
  if (kind === 'done') return words.signing.stepDone;
  if (kind === 'later') return words.signing.stepLater;
  const isUnknown = progress.state === 'failed' && isUnsure(progress.failure);
  return words.signing.step[isUnknown ? 'unknown' : progress.state];
}
