import { shortAddress } from '@bowline/core/domain/readable';
import { useEffect, useState } from 'react';
import { useConnection } from 'wagmi';
import { LongList } from '../parts/long-list.tsx';
import { TransactionLink } from '../parts/transaction-link.tsx';
import { isUnsure } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';
import { type Act, isBusy } from './act.ts';
import { StopWaiting } from './stop-waiting.tsx';
import { useActStore, useActs } from './use-acts.tsx';

/** Transactions shown at first. */
const FIRST = 5;

/** How long a confirmation is shown over the content. */
const TOLD_MS = 6_000;

/** Every requested transaction with its state, in every section. */
export function Tray() {
  const acts = useActs();
  const [isUnfolded, setUnfolded] = useState(false);
  // What waits for its owner's signature is more urgent than what came after it.
  const latest = acts.findLast(({ state }) => state === 'signing') ?? acts.findLast(isBusy) ?? acts.at(-1);
  const isTold = useIsTold(latest?.state === 'done' ? latest.id : undefined) && !isUnfolded;
  if (latest === undefined) return null;
  const open = acts.filter(isBusy).length;
  return (
    <details
      className={isTold ? 'tray box told' : 'tray box'}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
    >
      <summary className="row" aria-live={isTold ? 'off' : 'polite'}>
        <span className={`dot ${toneOf(latest)}`} aria-hidden="true" />
        <span className="tray-line">
          {isTold ? words.acts.title : words.acts.line(labelOf(latest), wordsOf(latest))}
        </span>
        {open > 1 && <span className="faint">{words.acts.underWay(open)}</span>}
      </summary>
      {isUnfolded && <List acts={acts} />}
    </details>
  );
}

/** Whether that act was confirmed a while ago. */
function useIsTold(done: string | undefined): boolean {
  const [told, setTold] = useState<string>();
  useEffect(() => {
    if (done === undefined) return;
    const timer = setTimeout(() => setTold(done), TOLD_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return done !== undefined && told === done;
}

function List({ acts }: { readonly acts: readonly Act[] }) {
  const store = useActStore();
  const { address } = useConnection();
  return (
    <section className="tray-body stack small" aria-label={words.acts.title}>
      <LongList items={acts.toReversed()} first={FIRST} each="li" name={words.acts.title}>
        {(shown) => (
          <ul>
            {shown.map((act) => (
              <li key={act.id}>
                <p>
                  <span className={`dot ${toneOf(act)}`} aria-hidden="true" />{' '}
                  {words.acts.line(labelOf(act), wordsOf(act))}
                  {act.owner !== address && <span className="faint"> ({shortAddress(act.owner)})</span>}
                </p>
                {act.state === 'signing' && <StopWaiting id={act.id} />}
                {act.state === 'failed' && <p className="faint">{act.failure.words}</p>}
                {act.state === 'unknown' && <p className="faint">{unknownOf(act)}</p>}
                {hashesOf(act).map((hash) => (
                  <TransactionLink key={hash} hash={hash} />
                ))}
              </li>
            ))}
          </ul>
        )}
      </LongList>
      <button type="button" className="button quiet" onClick={store.clear}>
        {words.acts.clear}
      </button>
    </section>
  );
}

const hashesOf = (act: Act) => {
  const sent = act.state === 'pending' || act.state === 'unknown' ? act.sent?.hash : undefined;
  return [...new Set([...act.hashes, ...(sent ? [sent] : [])])];
};

/** The step that it has reached, and which of how many that is. */
function labelOf({ steps, at, batch }: Act): string {
  if (batch !== undefined) return steps.map(({ label }) => label).join(words.acts.and);
  const { label } = steps[at] ?? { label: words.acts.steps(steps.length) };
  return steps.length > 1 ? words.acts.stepOf(at + 1, steps.length, label) : label;
}

function wordsOf(act: Act): string {
  switch (act.state) {
    case 'signing':
      return words.acts.signing;
    case 'pending':
      return act.batch === undefined ? words.acts.pending : words.acts.pendingAsOne;
    case 'done':
      return words.acts.done;
    case 'failed':
      return words.acts.failed[act.failure.kind] ?? words.acts.otherFailure;
    case 'unknown':
      return act.sent?.isDropped ? words.acts.dropped : words.acts.unknown;
  }
}

function unknownOf({ sent, batch, asked }: Act & { readonly state: 'unknown' | 'pending' }): string {
  if (batch !== undefined) return words.signing.unknownAsOne;
  if (sent === undefined) return asked === undefined ? words.signing.unknownUnsought : words.signing.unknownUntold;
  return sent.isDropped ? words.acts.droppedMore : words.acts.soughtMore;
}

function toneOf(act: Act): string {
  if (act.state === 'done') return 'good';
  if (act.state === 'failed') return act.failure.kind === 'rejected' || isUnsure(act.failure) ? 'caution' : 'bad';
  return act.state === 'unknown' ? 'caution' : 'busy';
}
