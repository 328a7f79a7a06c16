import { upcomingRuns } from '@bowline/core/domain/funded-runs';
import { Link } from 'wouter';
import { assetAt, sidedAt } from '../api/settings.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { noBuyWords, whyUnserved } from '../chain/served.ts';
import { type Buyer, isNotKnown } from '../chain/serving.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { Table } from '../parts/table.tsx';
import { useSettings } from '../settings.tsx';
import { amountOf } from '../words/amount-of.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { when } from '../words/times.ts';

const SHOWN = 8;

interface Props {
  readonly owned: OwnedPlans;
  readonly buyer: Buyer;
  /** Whether the newest reading failed or is old. */
  readonly isStale: boolean;
}

/** The next trades of all plans, and whether they are paid for. */
export function Calendar({ owned, buyer, isStale }: Props) {
  const settings = useSettings();
  const now = useChainTime();
  const next = now === undefined ? [] : upcomingRuns(owned, now, SHOWN);
  if (now === undefined || next.length === 0) return null;
  const isAway = typeof buyer === 'string' && !isNotKnown(buyer);
  const stateOf = ({ plan, isFunded }: (typeof next)[number]) => {
    if (whyUnserved(plan, settings, buyer) !== undefined || isAway)
      return <span className="badge word caution">{partWords.notServed}</span>;
    if (isStale || isFunded === undefined || owned.unread.includes(plan.id)) return planWords.status.unknown;
    return isFunded ? planWords.isFunded : <span className="badge word bad">{partWords.notFunded}</span>;
  };
  const tradedSymbol = (plan: (typeof next)[number]['plan']) =>
    (sidedAt(settings, plan)?.asset ?? assetAt(settings, plan.tokenOut))?.symbol ?? planWords.unlisted;
  return (
    <details className="card more">
      <summary>{planWords.nextBuys}</summary>
      <Table
        label={planWords.nextBuys}
        rows={next}
        keyOf={({ plan, from }) => `${plan.id} ${from}`}
        columns={[
          {
            name: partWords.when,
            kind: 'time',
            of: ({ from, until }) => (from <= now ? planWords.nowUntil(when(until)) : when(from)),
          },
          {
            name: partWords.planColumn,
            of: ({ plan }) => <Link href={`/plans/${plan.id}`}>{planWords.planOf(plan.id, tradedSymbol(plan))}</Link>,
          },
          { name: planWords.pays, of: ({ plan }) => amountOf(settings, plan.tokenIn, plan.amountPerRun) },
          { name: partWords.status, of: stateOf },
        ]}
      />
      {typeof buyer === 'string' && <p className="faint">{noBuyWords(buyer)}</p>}
      <p className="faint">{planWords.nextBuysMore}</p>
    </details>
  );
}
