import { guardKey } from '@bowline/core/domain/guard-key';
import type { Address } from 'viem';
import { useSearch } from 'wouter';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { useCovered } from '../chain/coverage/use-covered.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { ListGaps } from '../parts/list-gaps.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { guardWords } from '../words/en/guard.ts';
import { Cards } from './cards.tsx';
import { consentIn } from './consent-link.ts';
import { AllRescues, OfferPart, SparePart } from './form-parts.tsx';
import { GuardCard } from './guard-card.tsx';
import { OwnLoan } from './own-loan.tsx';
import { useGuarded } from './use-loan.ts';

/** An account's loans and guards, with actions if the viewing wallet is its own. */
export function OwnLoans({ borrower }: { readonly borrower: Address }) {
  const settings = useSettings();
  const { isOwn } = useOwner();
  const reading = useGuarded(borrower);
  const now = useChainTime();
  const moment = useMoment();
  const consent = consentIn(useSearch());
  const coverages = useCovered(reading.data, now, moment);
  if (reading.data === undefined) return <Skeleton label={guardWords.readingLoan} />;
  const { loans, guards } = reading.data;
  const retry = () => void reading.refetch();
  const isStale = guards.error !== undefined || isReadingOld(guards.data, moment);
  const active = coverages?.own.filter(({ guard }) => guard.status === 'active');
  const all = coverages && [...coverages.own, ...coverages.funded];
  const card: React.ComponentProps<typeof Cards>['card'] = ({ guard, loan, coverage, asOf }, onEdit) => (
    <GuardCard
      key={String(guardKey(guard))}
      {...{ guard, loan, coverage, asOf, now, isStale, onEdit }}
      // Nobody here can sign for an account that is only viewed.
      {...(isOwn && { account: borrower })}
      owned={guards.data}
      covered={all}
    />
  );
  return (
    <>
      {guards.error && (
        <ReadFailed
          what={guards.data ? guardWords.newestGuards : guardWords.theGuards}
          error={guards.error}
          retry={retry}
        />
      )}
      {guards.data && <ListGaps owned={guards.data} noun="guard" retry={retry} />}
      {guards.data?.sales && <ListGaps owned={guards.data.sales} noun="guard" retry={retry} />}
      {isOwn && consent !== undefined && guards.data && (
        <OfferPart
          {...{ borrower, isStale, text: consent, owned: guards.data, covered: all }}
          loans={loans.flatMap(({ data }) => data ?? [])}
        />
      )}
      {loans.map((loan, at) => (
        <OwnLoan
          key={settings.lending[at]?.name}
          borrower={borrower}
          loan={loan.data}
          error={loan.error}
          guards={active}
          owned={guards.data}
          isStale={isStale}
          isOwn={isOwn}
          now={now}
          moment={moment}
          retry={retry}
        />
      ))}
      {guards.data && isOwn && (
        <SparePart
          {...{ now, isStale }}
          account={borrower}
          owned={guards.data}
          loans={loans.flatMap(({ data, error }) => (data && !error && !isReadingOld(data, moment) ? [data] : []))}
        />
      )}
      {coverages && <Cards all={coverages.own} card={card} />}
      {coverages && coverages.funded.length > 0 && (
        <>
          <h2>{isOwn ? guardWords.youPayFor : guardWords.paysFor}</h2>
          {isOwn && <p className="faint">{guardWords.youPayForMore}</p>}
          <Cards all={coverages.funded} card={card} />
        </>
      )}
      {all && <AllRescues guards={all.map(({ guard }) => guard)} />}
    </>
  );
}
