import { shortAddress } from '@bowline/core/domain/readable';
import { useEffect, useState } from 'react';
import { useConnection } from 'wagmi';
import { LongList } from '../parts/long-list.tsx';
import { TransactionLink } from '../parts/transaction-link.tsx';
import { isUnsure } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';
import { StopWaiting } from './stop-waiting.tsx';
import { isBusy, type Transaction } from './transaction.ts';
import { useTransactionStore, useTransactions } from './use-transactions.tsx';

/** Number of transactions shown at first. */
const FIRST = 5;

/** How long a confirmation is shown over the content. */
const TOLD_MS = 6_000;

/** Every requested transaction with its state, in every section. */
export function Tray() {
  const transactions = useTransactions();
  const [isUnfolded, setUnfolded] = useState(false);
  // A transaction that waits for a signature is more urgent than later ones.
  const latest =
    transactions.findLast(({ state }) => state === 'signing') ?? transactions.findLast(isBusy) ?? transactions.at(-1);
  const isTold = useIsTold(latest?.state === 'done' ? latest.id : undefined) && !isUnfolded;
  if (latest === undefined) return null;
  const open = transactions.filter(isBusy).length;
  return (
    <details
      className={isTold ? 'tray box told' : 'tray box'}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
    >
      <summary className="row" aria-live={isTold ? 'off' : 'polite'}>
        <span className={`dot ${toneOf(latest)}`} aria-hidden="true" />
        <span className="tray-line">
          {isTold ? words.transactions.title : words.transactions.line(labelOf(latest), wordsOf(latest))}
        </span>
        {open > 1 && <span className="faint">{words.transactions.underWay(open)}</span>}
      </summary>
      {isUnfolded && <List transactions={transactions} />}
    </details>
  );
}

/** Whether the done transaction was confirmed more than TOLD_MS ago. */
function useIsTold(done: string | undefined): boolean {
  const [told, setTold] = useState<string>();
  useEffect(() => {
    if (done === undefined) return;
    const timer = setTimeout(() => setTold(done), TOLD_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return done !== undefined && told === done;
}

function List({ transactions }: { readonly transactions: readonly Transaction[] }) {
  const store = useTransactionStore();
  const { address } = useConnection();
  return (
    <section className="tray-body stack small" aria-label={words.transactions.title}>
      <LongList items={transactions.toReversed()} first={FIRST} each="li" name={words.transactions.title}>
        {(shown) => (
          <ul>
            {shown.map((tx) => (
              <li key={tx.id}>
                <p>
                  <span className={`dot ${toneOf(tx)}`} aria-hidden="true" />{' '}
                  {words.transactions.line(labelOf(tx), wordsOf(tx))}
                  {tx.owner !== address && <span className="faint"> ({shortAddress(tx.owner)})</span>}
                </p>
                {tx.state === 'signing' && <StopWaiting id={tx.id} />}
                {tx.state === 'failed' && <p className="faint">{tx.failure.words}</p>}
                {tx.state === 'unknown' && <p className="faint">{unknownOf(tx)}</p>}
                {hashesOf(tx).map((hash) => (
                  <TransactionLink key={hash} hash={hash} />
                ))}
              </li>
            ))}
          </ul>
        )}
      </LongList>
      <button type="button" className="button quiet" onClick={store.clear}>
        {words.transactions.clear}
      </button>
    </section>
  );
}

const hashesOf = (tx: Transaction) => {
  const sent = tx.state === 'pending' || tx.state === 'unknown' ? tx.sent?.hash : undefined;
  return [...new Set([...tx.hashes, ...(sent ? [sent] : [])])];
};

/** The current step, and its number out of the total. */
function labelOf({ steps, at, batch }: Transaction): string {
  if (batch !== undefined) return steps.map(({ label }) => label).join(words.transactions.and);
  const { label } = steps[at] ?? { label: words.transactions.steps(steps.length) };
  return steps.length > 1 ? words.transactions.stepOf(at + 1, steps.length, label) : label;
}

function wordsOf(tx: Transaction): string {
  switch (tx.state) {
    case 'signing':
      return words.transactions.signing;
    case 'pending':
      return tx.batch === undefined ? words.transactions.pending : words.transactions.pendingAsOne;
    case 'done':
      return words.transactions.done;
    case 'failed':
      return words.transactions.failed[tx.failure.kind] ?? words.transactions.otherFailure;
    case 'unknown':
      return tx.sent?.isDropped ? words.transactions.dropped : words.transactions.unknown;
  }
}

function unknownOf({ sent, batch, asked }: Transaction & { readonly state: 'unknown' | 'pending' }): string {
  if (batch !== undefined) return words.signing.unknownAsOne;
  if (sent === undefined) return asked === undefined ? words.signing.unknownUnsought : words.signing.unknownUntold;
  return sent.isDropped ? words.transactions.droppedMore : words.transactions.soughtMore;
}

function toneOf(tx: Transaction): string {
  if (tx.state === 'done') return 'good';
  if (tx.state === 'failed') return tx.failure.kind === 'rejected' || isUnsure(tx.failure) ? 'caution' : 'bad';
  return tx.state === 'unknown' ? 'caution' : 'busy';
}
