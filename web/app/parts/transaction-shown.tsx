import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Progress } from '../chain/use-steps.ts';
import { partWords } from '../words/en/parts.ts';
import { Signing } from './signing.tsx';

interface Props {
  readonly title: string;
  readonly progress: Progress;
  /** The sentence to show once every step has succeeded. */
  readonly done: string;
  readonly close: () => void;
  /** Returns to the form. */
  readonly again: () => void;
  readonly children?: ReactNode;
}

/**
 * Replaces the form that started a transaction when it is done, or still open when the form is reopened: the form's
 * fields would not be the ones that were signed. It takes the focus, which was on a button that is gone.
 */
export function TransactionShown({ title, progress, done, close, again, children }: Props) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isOver = progress.state === 'failed' || progress.state === 'unknown';
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <Signing progress={progress} done={done} />
      {progress.state === 'done' && children}
      <div className="buttons">
        {isOver && (
          <button type="button" className="button" onClick={again}>
            {partWords.startAgain}
          </button>
        )}
        <button type="button" className="button" onClick={close}>
          {partWords.close}
        </button>
      </div>
    </section>
  );
}
