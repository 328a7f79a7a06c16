import { guardKey } from '@bowline/core/domain/guard-key';
import { useState } from 'react';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { LongList } from '../parts/long-list.tsx';
import { guardWords } from '../words/en/guard.ts';

/** Guards shown at first. */
const FIRST = 5;

interface Props {
  readonly all: readonly Covered[];
  readonly card: (covered: Covered) => React.ReactNode;
}

/** Guards that had ended when they were first seen here fold away. One that ends meanwhile stays, with what ended it. */
export function Cards({ all, card }: Props) {
  const [folded] = useState(() => new Set(all.filter(hasEnded).map(({ guard }) => guardKey(guard))));
  const ended = all.filter((each) => hasEnded(each) && folded.has(guardKey(each.guard)));
  return (
    <>
      <LongList
        items={all.filter((each) => !ended.includes(each))}
        first={FIRST}
        each="article"
        name={guardWords.theGuards}
      >
        {(shown) => shown.map(card)}
      </LongList>
      {ended.length > 0 && (
        <details className="more">
          <summary>{guardWords.ended(ended.length)}</summary>
          <LongList items={ended} first={FIRST} each="article" name={guardWords.ended(ended.length)}>
            {(shown) => <div className="stack">{shown.map(card)}</div>}
          </LongList>
        </details>
      )}
    </>
  );
}

const hasEnded = ({ coverage }: Covered): boolean =>
  coverage.state === 'unable' && ['cancelled', 'revoked', 'expired'].includes(coverage.why);
