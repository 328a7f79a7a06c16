import { grouped } from '@bowline/core/domain/readable';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useChain } from '../chain/client.ts';
import { readProofs } from '../chain/read-proofs.ts';
import { DeedMark } from '../parts/deed-mark.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { amountOf } from '../words/amount-of.ts';
import { homeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import { rescueWords, runWords, skipWords } from './deed-row.tsx';

/** What the contracts did last for anybody, each with its public audit. */
export function LatelyForAnybody() {
  const client = useChain();
  const settings = useSettings();
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['chain', 'proofs'],
    queryFn: () => readProofs(client, settings),
    // Four calls; what happened last changes seldom.
    refetchInterval: 60_000,
  });
  if (data === undefined) {
    if (isError) return <ReadFailed what={homeWords.proofsFailed} error={error} retry={() => void refetch()} />;
    return <Skeleton lines={3} label={homeWords.proofs} />;
  }
  const { run, skip, rescue, blocks } = data;
  const rows = [
    {
      kind: 'run',
      title: homeWords.lastBuy,
      found: run && {
        ...{ href: `/check/plan/${run.planId}`, name: partWords.plan(run.planId), block: run.block },
        text: runWords(run, run, settings),
      },
    },
    {
      kind: 'skip',
      title: homeWords.lastDelayOrSkip,
      found: skip && {
        ...{ href: `/check/plan/${skip.planId}`, name: partWords.plan(skip.planId), block: skip.block },
        text: skipWords(skip, skip.reason, 'delayedOrSkipped', settings),
      },
    },
    {
      kind: 'rescue',
      title: homeWords.lastRescue,
      found: rescue && {
        ...{ href: `/check/guard/${rescue.guardId}`, name: partWords.guard(rescue.guardId), block: rescue.block },
        text: rescueWords(amountOf(settings, rescue.repayToken, rescue.repaid), rescue),
      },
    },
  ] as const;
  return (
    <section className="proofs stack" aria-labelledby="proofs">
      <div>
        <h2 id="proofs">{homeWords.proofs}</h2>
        <p className="faint">{homeWords.proofsLead(grouped(blocks))}</p>
      </div>
      <dl className="deeds">
        {rows.map(({ kind, title, found }) => (
          <div key={title}>
            <dt>
              <DeedMark kind={kind} />
              {title}
            </dt>
            <dd>
              {found === undefined ? (
                <span className="faint">{homeWords.notFound}</span>
              ) : (
                <>
                  <span className="deed-said">{found.text}</span>{' '}
                  <span className="faint deed-more">
                    <Link href={found.href}>{found.name}</Link>, {homeWords.block(grouped(found.block))}
                  </span>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
