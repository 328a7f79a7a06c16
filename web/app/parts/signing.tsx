import { isApproval } from '../chain/approve.ts';
import type { Progress } from '../chain/use-steps.ts';
import { useSettings } from '../settings.tsx';
import { words } from '../words/words.ts';
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
  return (
    <div className="stack" aria-live="polite">
      <ol className="steps">
        {progress.steps.map(({ label }, at) => (
          <li key={label} className={classOf(progress, at)}>
            <span className="step-mark" aria-hidden="true">
              {at < progress.at ? '✓' : at + 1}
            </span>
            {label}
            <span className="step-state">{wordOf(progress, at)}</span>
          </li>
        ))}
      </ol>
      {progress.state === 'failed' && (
        <Notice
          kind={progress.failure.kind === 'rejected' ? 'caution' : 'bad'}
          title={words.parts.ended[progress.failure.kind]}
        >
          <p>{progress.failure.words}</p>
          <Before progress={progress} />
        </Notice>
      )}
      {progress.state === 'unknown' && (
        <Notice kind="caution" title={words.parts.unknown}>
          <p>{progress.hash ? words.parts.unknownMore(chainName) : words.parts.unknownUntold}</p>
          <Before progress={progress} />
          {progress.hash && <TransactionLink hash={progress.hash} />}
        </Notice>
      )}
      {progress.state === 'pending' && progress.hash && <TransactionLink hash={progress.hash} />}
    </div>
  );
}

/** The steps completed before the failed one, and how to revoke an approval among them. */
function Before({ progress: { steps, at } }: { readonly progress: Running }) {
  const done = steps.slice(0, at);
  if (done.length === 0) return null;
  return (
    <p>
      {words.parts.before(done.map(({ label }) => label).join('; '))}
      {done.some(isApproval) && words.parts.beforeApproved}
    </p>
  );
}

type Running = Exclude<Progress, { state: 'idle' | 'done' }>;

function classOf(progress: Running, at: number): string {
  if (at < progress.at) return 'done';
  if (at > progress.at) return 'later';
  return progress.state === 'failed' ? 'failed' : 'now';
}

function wordOf({ state, at: now }: Running, at: number): string {
  if (at < now) return words.parts.stepDone;
  if (at > now) return words.parts.stepLater;
  return words.parts.step[state];
}
