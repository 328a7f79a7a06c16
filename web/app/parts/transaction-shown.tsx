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
  /** Gives the form back. */
  readonly again: () => void;
  readonly children?: ReactNode;
}

/**
 * A transaction in place of the form that started it: done, or still open when the form was reopened. The fields would
 * then not be those that were signed. It takes the focus, which was on a button that is gone.
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
