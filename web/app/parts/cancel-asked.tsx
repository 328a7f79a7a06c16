import { useState } from 'react';
import { partWords } from '../words/en/parts.ts';
import { Notice } from './notice.tsx';

interface Props<Id> {
  readonly id: Id;
  /** The texts for a plan or a guard. */
  readonly words: {
    readonly cancelAsked: (id: Id) => string;
    readonly cancelMore: string;
    readonly cancelNow: (id: Id) => string;
    readonly keepIt: string;
    readonly keepForOthers: (amount: string) => string;
  };
  /** What cancelling frees of the account's own approval, in base units; undefined if nothing or uncertain. */
  readonly back: { readonly kept: bigint; readonly freed: bigint } | undefined;
  /** Whether the amount of it that others need is known exactly. */
  readonly isExact?: boolean;
  readonly shown: (base: bigint) => string;
  readonly isBusy: boolean;
  readonly cancel: (takesBack: boolean) => void;
  readonly keep: () => void;
}

/** Asks before a plan or a guard is cancelled, and offers to reduce its approval. */
export function CancelAsked<Id>({ id, words, back, isExact = false, shown, isBusy, cancel, keep }: Props<Id>) {
  // Otherwise a lower approval may be too low for others that are paid from it, so the owner chooses.
  const [takesBack, setTakesBack] = useState(isExact || back?.kept === 0n);
  return (
    <Notice kind="caution" title={words.cancelAsked(id)} more={words.cancelMore}>
      {back && back.freed > 0n && (
        <label className="tick">
          <input type="checkbox" checked={takesBack} onChange={(event) => setTakesBack(event.target.checked)} />
          <span>
            {partWords.takeBackToo(shown(back.freed))}
            {back.kept > 0n && words.keepForOthers(shown(back.kept))}
          </span>
        </label>
      )}
      <div className="buttons">
        <button type="button" className="button danger" disabled={isBusy} onClick={() => cancel(takesBack)}>
          {words.cancelNow(id)}
        </button>
        <button type="button" className="button" onClick={keep}>
          {words.keepIt}
        </button>
      </div>
    </Notice>
  );
}
