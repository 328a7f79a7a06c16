import { useState } from 'react';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { guardWords } from '../words/en/guard.ts';

interface Props {
  readonly all: readonly Covered[];
  readonly card: (covered: Covered) => React.ReactNode;
}

/** Guards that had ended when they were first seen here fold away. One that ends meanwhile stays, with what ended it. */
export function Cards({ all, card }: Props) {
  const [folded] = useState(() => new Set(all.filter(hasEnded).map(({ guard }) => guard.id)));
  const ended = all.filter((each) => hasEnded(each) && folded.has(each.guard.id));
  return (
    <>
      {all.filter((each) => !ended.includes(each)).map(card)}
      {ended.length > 0 && (
        <details className="more">
          <summary>{guardWords.ended(ended.length)}</summary>
          <div className="stack">{ended.map(card)}</div>
        </details>
      )}
    </>
  );
}

const hasEnded = ({ coverage }: Covered): boolean =>
  coverage.state === 'unable' && ['cancelled', 'revoked', 'expired'].includes(coverage.why);
