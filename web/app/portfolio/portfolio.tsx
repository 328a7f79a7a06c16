import { elapsed, type Moment } from '../api/age.ts';
import { isAnswerOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import { useMoment } from '../api/use-moment.ts';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Title } from '../parts/title.tsx';
import { useSettings } from '../settings.tsx';
import { Account } from '../wallet/account.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { WatchForm } from '../wallet/watching.tsx';
import { words } from '../words/en/frame.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { whyUnread } from '../words/refusals.ts';
import { asOfTime, roughly } from '../words/times.ts';
import { AssetList } from './asset-list.tsx';
import { useWorth } from './read-worth.ts';
import { WorthCard } from './worth-card.tsx';

export function Portfolio() {
  const { lending } = useSettings();
  const { owner } = useOwner();
  const quote = useQuote();
  const { worth, native, refetch } = useWorth(owner);
  const now = useMoment();
  const parts = worth && [
    [portfolioWords.prices, worth.prices] as const,
    [portfolioWords.balances, worth.wallet] as const,
    ...worth.loans.map((loan, at) => [lending[at]?.name ?? '', loan] as const),
  ];
  const [failed] = parts?.filter(([, part]) => part?.error !== undefined) ?? [];
  return (
    <>
      <Title title={words.frame.sections.portfolio} lead={portfolioWords.lead} />
      {owner !== undefined ? (
        <WorthCard {...{ worth, native }} />
      ) : (
        <section className="hero inviting">
          <p>{portfolioWords.connect}</p>
          <div className="stack">
            <Account hasMore />
            <WatchForm />
          </div>
        </section>
      )}
      <QuoteTrouble {...{ quote, now }} />
      {failed && <ReadFailed what={failed[0]} error={failed[1]?.error} retry={() => void refetch()} />}
      {worth === undefined ? (
        <Skeleton lines={5} label={portfolioWords.readingPrices} />
      ) : (
        <AssetList {...{ worth, native, quote: quote.data, now }} />
      )}
    </>
  );
}

interface Trouble {
  readonly quote: ReturnType<typeof useQuote>;
  readonly now: Moment;
}

/** The server's verdicts are old, or did not arrive. */
function QuoteTrouble({ quote: { data, isError, error, refetch }, now }: Trouble) {
  const retry = () => void refetch();
  if (data === undefined) {
    return isError ? <ReadFailed what={portfolioWords.verdicts} error={error} retry={retry} /> : null;
  }
  const isOld = isAnswerOld(data, now);
  if (!isError && !isOld) return null;
  return (
    <Notice kind={isOld ? 'bad' : 'caution'} title={portfolioWords.oldVerdicts(asOfTime(data.asOf.wall))}>
      <p>
        {portfolioWords.age(ago(elapsed(data.asOf, now)))} {isError ? whyUnread(error) : portfolioWords.nothingNewer}
      </p>
      <button type="button" className="button" onClick={retry}>
        {words.readings.retry}
      </button>
    </Notice>
  );
}

/** In minutes: announced text must not change every second. */
const ago = (ms: number): string =>
  ms < 60_000 ? portfolioWords.underAMinute : roughly(BigInt(Math.floor(ms / 1_000)));
