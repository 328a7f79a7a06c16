import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { hasEnded } from '@bowline/core/domain/slots';
import { type ReactNode, useEffect, useState } from 'react';
import { LongList } from '../parts/long-list.tsx';
import { planWords } from '../words/en/plans.ts';

/** Plans shown at first. */
const FIRST = 5;

interface Props {
  readonly plans: readonly Plan[];
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
  readonly card: (plan: Plan) => ReactNode;
}

/**
 * The plans that can still buy, and below them, folded, those that have ended. One that ends while it is shown stays
 * where it is, because its card reports the cancellation.
 */
export function PlanList({ plans, now, card }: Props) {
  const [seen, setSeen] = useState<ReadonlySet<bigint>>(new Set());
  useEffect(() => {
    if (now === undefined) return;
    const more = plans.filter((plan) => !seen.has(plan.id) && !hasEnded(plan, now)).map(({ id }) => id);
    if (more.length > 0) setSeen(new Set([...seen, ...more]));
  }, [plans, now, seen]);
  const ended = plans.filter((plan) => hasEnded(plan, now) && !seen.has(plan.id));
  return (
    <>
      <LongList
        items={plans.filter((plan) => !ended.includes(plan))}
        first={FIRST}
        each="article"
        name={planWords.yourPlans}
      >
        {(shown) => shown.map(card)}
      </LongList>
      {ended.length > 0 && (
        <details className="card more">
          <summary>{planWords.ended(ended.length)}</summary>
          <LongList items={ended} first={FIRST} each="article" name={planWords.ended(ended.length)}>
            {(shown) => <div className="stack">{shown.map(card)}</div>}
          </LongList>
        </details>
      )}
    </>
  );
}
