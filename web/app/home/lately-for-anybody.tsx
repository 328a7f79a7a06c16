import { grouped } from '@bowline/core/domain/readable';
import { useQuery } from '@tanstack/react-query';
import { useChain } from '../chain/client.ts';
import { readProofs } from '../chain/read-proofs.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { amountOf } from '../words/amount-of.ts';
import { homeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import { LastActivity, rescueWords, runWords, skipWords } from './activity-row.tsx';

/** The contracts' latest activity for anybody, each with its public audit. */
export function LatelyForAnybody() {
  const client = useChain();
  const settings = useSettings();
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['chain', 'proofs'],
    queryFn: () => readProofs(client, settings),
    // Four calls per reading, and the latest activity rarely changes.
    refetchInterval: 60_000,
  });
  if (data === undefined) {
    if (isError) return <ReadFailed what={homeWords.proofsFailed} error={error} retry={() => void refetch()} />;
    return <Skeleton lines={3} label={homeWords.proofs} />;
  }
  const { run, skip, rescue, blocks } = data;
  const of = (block: bigint) => homeWords.block(grouped(block));
  return (
    <section className="proofs stack" aria-labelledby="proofs">
      <div>
        <h2 id="proofs">{homeWords.proofs}</h2>
        <p className="faint">{homeWords.proofsLead(grouped(blocks))}</p>
      </div>
      <dl className="activity">
        <LastActivity
          kind="run"
          title={homeWords.lastBuy}
          found={run && { ...ofPlan(run.planId), at: of(run.block), text: runWords(run, run, settings) }}
          none={homeWords.notFound}
        />
        <LastActivity
          kind="skip"
          title={homeWords.lastDelayOrSkip}
          found={
            skip && {
              ...{ ...ofPlan(skip.planId), at: of(skip.block) },
              text: skipWords(skip, skip.reason, 'delayedOrSkipped', settings),
            }
          }
          none={homeWords.notFound}
        />
        <LastActivity
          kind="rescue"
          title={homeWords.lastRescue}
          found={
            rescue && {
              ...{
                href: `/check/guard/${rescue.guardId}`,
                name: partWords.guard(rescue.guardId),
                at: of(rescue.block),
              },
              text: rescueWords(amountOf(settings, rescue.repayToken, rescue.repaid), rescue),
            }
          }
          none={homeWords.notFound}
        />
      </dl>
    </section>
  );
}

const ofPlan = (id: bigint) => ({ href: `/check/plan/${id}`, name: partWords.plan(id) });
