import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { useState } from 'react';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { LongList } from '../parts/long-list.tsx';
import { guardWords } from '../words/en/guard.ts';

/** Guards shown at first. */
const FIRST = 5;

interface Props {
  readonly all: readonly Covered[];
  readonly card: (covered: Covered, onEdit: (isOpen: boolean) => void) => React.ReactNode;
}

/** Folds away guards that had already ended when first shown. One that ends later stays listed, with what ended it. */
export function Cards({ all, card }: Props) {
  const [folded] = useState(() => new Set(all.filter(hasEnded).map(({ guard }) => guardKey(guard))));
  const [known] = useState(() => new Set(all.map(({ guard }) => guardKey(guard))));
  const [edited, setEdited] = useState<ReadonlySet<GuardKey>>(new Set());
  const ended = all.filter((each) => hasEnded(each) && folded.has(guardKey(each.guard)));
  const others = all.filter((each) => !ended.includes(each));
  const cardOf = (each: Covered) => {
    const key = guardKey(each.guard);
    return card(each, (isOpen) =>
      setEdited((before) => new Set([...before].filter((other) => other !== key).concat(isOpen ? key : []))),
    );
  };
  // The user looks for a newly set guard, and it must not push an open form out of the list.
  const lastKept = others.findLastIndex(({ guard }) => edited.has(guardKey(guard)) || !known.has(guardKey(guard)));
  return (
    <>
      <LongList items={others} first={Math.max(FIRST, lastKept + 1)} each="article" name={guardWords.theGuards}>
        {(shown) => shown.map(cardOf)}
      </LongList>
      {ended.length > 0 && (
        <details className="more">
          <summary>{guardWords.ended(ended.length)}</summary>
          <LongList items={ended} first={FIRST} each="article" name={guardWords.ended(ended.length)}>
            {(shown) => <div className="stack">{shown.map(cardOf)}</div>}
          </LongList>
        </details>
      )}
    </>
  );
}

const hasEnded = ({ coverage }: Covered): boolean =>
  coverage.state === 'unable' && ['cancelled', 'revoked', 'expired'].includes(coverage.why);
