import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { assetAt } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import { readProofs } from '../chain/read-proofs.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { amountOf } from '../words/amount-of.ts';
import { homeWords } from '../words/en/home.ts';
import { rescueWords, skipWords } from './deed-row.tsx';

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
  const amount = (token: `0x${string}`, base: bigint) => amountOf(settings, token, base);
  const rows = [
    {
      title: homeWords.lastBuy,
      found: run && {
        ...{ href: `/audit/plan/${run.planId}`, name: homeWords.plan(run.planId), block: run.block },
        text: homeWords.bought(
          amount(run.tokenIn, run.amountIn),
          amount(run.tokenOut, run.amountOut),
          amount(run.tokenOut, run.floor),
        ),
      },
    },
    {
      title: homeWords.lastSkip,
      found: skip && {
        ...{ href: `/audit/plan/${skip.planId}`, name: homeWords.plan(skip.planId), block: skip.block },
        text: skipWords(assetAt(settings, skip.tokenOut)?.symbol ?? skip.tokenOut, skip.reason),
      },
    },
    {
      title: homeWords.lastRescue,
      found: rescue && {
        ...{ href: `/audit/guard/${rescue.guardId}`, name: homeWords.guard(rescue.guardId), block: rescue.block },
        text: rescueWords(amount(rescue.repayToken, rescue.repaid), rescue),
      },
    },
  ];
  return (
    <section className="card" aria-labelledby="proofs">
      <h2 id="proofs">{homeWords.proofs}</h2>
      <p className="faint">{homeWords.proofsLead(blocks.toLocaleString('en'))}</p>
      <dl className="deeds">
        {rows.map(({ title, found }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {found === undefined ? (
                <span className="faint">{homeWords.notFound}</span>
              ) : (
                <>
                  <span>{found.text}</span>{' '}
                  <span className="faint">
                    <Link href={found.href}>{found.name}</Link>, {homeWords.block(found.block.toLocaleString('en'))}
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
