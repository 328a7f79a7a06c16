import type { GuardKey } from '@bowline/core/domain/guard-key';
import { useState } from 'react';
import { Notice } from '../parts/notice.tsx';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';

interface Props {
  readonly id: GuardKey;
  /** What its end frees of the account's own approval, in base units; undefined if none, or that is not certain. */
  readonly back: { readonly kept: bigint; readonly freed: bigint } | undefined;
  readonly shown: (base: bigint) => string;
  readonly isBusy: boolean;
  readonly cancel: (takesBack: boolean) => void;
  readonly keep: () => void;
}

/** Asks before a guard is cancelled, and offers its approval back. */
export function CancelAsked({ id, back, shown, isBusy, cancel, keep }: Props) {
  // Where another guard is paid from it, less of it is less for that one: its owner chooses.
  const [takesBack, setTakesBack] = useState(back?.kept === 0n);
  return (
    <Notice kind="caution" title={guardWords.cancelAsked(id)} more={guardWords.cancelMore}>
      {back && back.freed > 0n && (
        <label className="tick">
          <input type="checkbox" checked={takesBack} onChange={(event) => setTakesBack(event.target.checked)} />
          <span>
            {partWords.takeBackToo(shown(back.freed))}
            {back.kept > 0n && guardWords.keepForOthers(shown(back.kept))}
          </span>
        </label>
      )}
      <div className="buttons">
        <button type="button" className="button danger" disabled={isBusy} onClick={() => cancel(takesBack)}>
          {guardWords.cancelNow(id)}
        </button>
        <button type="button" className="button" onClick={keep}>
          {guardWords.keepIt}
        </button>
      </div>
    </Notice>
  );
}
