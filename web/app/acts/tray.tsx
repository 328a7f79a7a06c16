import { shortAddress } from '@bowline/core/domain/readable';
import { useState } from 'react';
import { useConnection } from 'wagmi';
import { TransactionLink } from '../parts/transaction-link.tsx';
import { isUnsure } from '../words/contract-errors.ts';
import { count } from '../words/times.ts';
import { words } from '../words/words.ts';
import { type Act, isBusy } from './act.ts';
import { useActStore, useActs } from './use-acts.tsx';

/** Every transaction that was asked for, with its state, in every section. */
export function Tray() {
  const acts = useActs();
  const [isUnfolded, setUnfolded] = useState(false);
  // What waits for its owner's signature is more urgent than what came after it.
  const latest = acts.findLast(({ state }) => state === 'signing') ?? acts.findLast(isBusy) ?? acts.at(-1);
  if (latest === undefined) return null;
  const open = acts.filter(isBusy).length;
  return (
    <details className="tray" onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
      <summary aria-live="polite">
        <span className={`dot ${toneOf(latest)}`} aria-hidden="true" />
        <span className="tray-line">
          {labelOf(latest)}: {wordsOf(latest)}
        </span>
        {open > 1 && <span className="faint">{open} under way</span>}
      </summary>
      {isUnfolded && <List acts={acts} />}
    </details>
  );
}

function List({ acts }: { readonly acts: readonly Act[] }) {
  const store = useActStore();
  const { address } = useConnection();
  return (
    <section className="tray-body" aria-label="Your transactions">
      <ul>
        {acts.toReversed().map((act) => (
          <li key={act.id}>
            <p>
              <span className={`dot ${toneOf(act)}`} aria-hidden="true" /> {labelOf(act)}: {wordsOf(act)}
              {act.owner !== address && <span className="faint"> ({shortAddress(act.owner)})</span>}
            </p>
            {act.state === 'failed' && <p className="faint">{act.failure.words}</p>}
            {act.state === 'unknown' && <p className="faint">{unknownOf(act)}</p>}
            {hashesOf(act).map((hash) => (
              <TransactionLink key={hash} hash={hash} />
            ))}
          </li>
        ))}
      </ul>
      <button type="button" className="button quiet" onClick={store.clear}>
        Clear the list
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
  if (batch !== undefined) return steps.map(({ label }) => label).join('; ');
  const { label } = steps[at] ?? { label: count(steps.length, 'step') };
  return steps.length > 1 ? `${at + 1} of ${steps.length}, ${label}` : label;
}

const failures = {
  rejected: 'declined',
  refused: 'not sent, the contract would refuse it',
  reverted: 'refused by the contract',
  failed: 'not sent',
  replaced: 'replaced',
  other: 'another transaction was sent',
  missing: 'not found on the chain',
  unfinished: 'not asked for',
  partial: 'not as asked',
} as const;

function wordsOf(act: Act): string {
  switch (act.state) {
    case 'signing':
      return 'waiting for your wallet';
    case 'pending':
      return act.batch === undefined ? 'sent, not confirmed yet' : 'with your wallet, not confirmed yet';
    case 'done':
      return 'confirmed';
    case 'failed':
      return failures[act.failure.kind] ?? 'failed';
    case 'unknown':
      return act.sent?.isDropped ? 'dropped' : 'status unknown';
  }
}

function unknownOf({ sent, batch, asked }: Act & { readonly state: 'unknown' | 'pending' }): string {
  if (batch !== undefined) return words.parts.unknownAsOne;
  if (sent === undefined) return asked === undefined ? words.parts.unknownUnsought : words.parts.unknownUntold;
  return sent.isDropped
    ? 'The chain’s node no longer knows it. Your wallet may send it again: check there before you try again.'
    : 'It isn’t in a block yet. The page keeps looking for it.';
}

function toneOf(act: Act): string {
  if (act.state === 'done') return 'good';
  if (act.state === 'failed') return act.failure.kind === 'rejected' || isUnsure(act.failure) ? 'caution' : 'bad';
  return act.state === 'unknown' ? 'caution' : 'busy';
}
