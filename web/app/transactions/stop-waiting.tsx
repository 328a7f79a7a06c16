import { elapsed } from '../api/age.ts';
import { useMoment } from '../api/use-moment.ts';
import { words } from '../words/en/frame.ts';
import { useTransactionStore } from './use-transactions.tsx';

/** A person may need this long to read what the wallet shows. */
const AFTER_MS = 60_000;

/** Ends the wait for a silent wallet, whose transaction disables buttons until then. Shown only after a while. */
export function StopWaiting({ id }: { readonly id: string }) {
  const store = useTransactionStore();
  const now = useMoment();
  const since = store.signingSince(id);
  if (since === undefined || elapsed(since, now) < AFTER_MS) return null;
  return (
    <p>
      {words.signing.stopWaitingMore}{' '}
      <button type="button" className="button compact" onClick={() => store.stopWaiting(id)}>
        {words.signing.stopWaiting}
      </button>
    </p>
  );
}
