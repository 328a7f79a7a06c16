import { useState } from 'react';
import { partWords } from '../words/en/parts.ts';
import { Notice } from './notice.tsx';

interface Props<Id> {
  readonly id: Id;
  readonly says: {
    readonly cancelAsked: (id: Id) => string;
    readonly cancelMore: string;
    readonly cancelNow: (id: Id) => string;
    readonly keepIt: string;
    readonly keepForOthers: (amount: string) => string;
  };
  /** What its end frees of the account's own approval, in base units; undefined if none, or that is not certain. */
  readonly back: { readonly kept: bigint; readonly freed: bigint } | undefined;
  /** Whether what the others have is all that they need. */
  readonly isKeptEnough?: boolean;
  readonly shown: (base: bigint) => string;
  readonly isBusy: boolean;
  readonly cancel: (takesBack: boolean) => void;
  readonly keep: () => void;
}

/** Asks before a plan or guard is cancelled, and offers its approval back. */
export function CancelAsked<Id>({ id, says, back, isKeptEnough, shown, isBusy, cancel, keep }: Props<Id>) {
  // Else less for another one is its owner's choice.
  const [takesBack, setTakesBack] = useState(isKeptEnough || back?.kept === 0n);
  return (
    <Notice kind="caution" title={says.cancelAsked(id)} more={says.cancelMore}>
      {back && back.freed > 0n && (
        <label className="tick">
          <input type="checkbox" checked={takesBack} onChange={(event) => setTakesBack(event.target.checked)} />
          <span>
            {partWords.takeBackToo(shown(back.freed))}
            {back.kept > 0n && says.keepForOthers(shown(back.kept))}
          </span>
        </label>
      )}
      <div className="buttons">
        <button type="button" className="button danger" disabled={isBusy} onClick={() => cancel(takesBack)}>
          {says.cancelNow(id)}
        </button>
        <button type="button" className="button" onClick={keep}>
          {says.keepIt}
        </button>
      </div>
    </Notice>
  );
}
