import { Link } from 'wouter';
import { elapsed, type Moment } from '../api/age.ts';
import { isAnswerOld, isReadingOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import { useMoment } from '../api/use-moment.ts';
import { Fact } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Title } from '../parts/title.tsx';
import { useSettings } from '../settings.tsx';
import { Account } from '../wallet/account.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { WatchForm } from '../wallet/watching.tsx';
import { usd, usdUp } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { verdictWords } from '../words/en/parts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { whyUnread } from '../words/refusals.ts';
import { asOfTime, roughly } from '../words/times.ts';
import { AssetList } from './asset-list.tsx';
import { netWords, netWorth } from './net-worth.ts';
import { useWorth, type Worth } from './read-worth.ts';

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

/** Says that the server's verdicts are old or did not arrive. */
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

interface Props {
  /** Undefined while nothing was read. */
  readonly worth: Worth | undefined;
  readonly native: bigint | undefined;
}

/** What an account is worth, where its assets are, and what is not counted. */
function WorthCard({ worth, native }: Props) {
  const settings = useSettings();
  const now = useMoment();
  const net = worth && netWorth({ ...worth, native }, settings);
  const parts = worth ? [worth.prices, worth.wallet, ...worth.loans].flatMap((part) => part?.data ?? []) : [];
  const old = parts.filter((part) => isReadingOld(part, now)).map(({ readAt }) => readAt.wall);
  const protocols = [...new Set(settings.lending.map(({ name, family = name }) => family))];
  return (
    <section className="hero stack worth" aria-label={portfolioWords.holdings}>
      <div>
        <p className="faint">
          {portfolioWords.netWorth}
          {old.length > 0 && ` · ${verdictWords.asOf(asOfTime(Math.min(...old)))}`}
        </p>
        <p className={old.length > 0 ? 'hero-number old' : 'hero-number'}>{netWords(net)}</p>
      </div>
      {net && (
        <dl className="facts roomy">
          <Fact name={portfolioWords.wallet}>{net.walletUsdWad === undefined ? '—' : usd(net.walletUsdWad)}</Fact>
          {net.protocols.map(({ name, suppliedUsdWad, owedUsdWad }) => (
            <div key={name}>
              <dt>
                <Link href="/loans">{name}</Link>
              </dt>
              <dd>
                {usd(suppliedUsdWad - owedUsdWad)}
                <p className="faint">{portfolioWords.lent(usd(suppliedUsdWad), usdUp(owedUsdWad))}</p>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="faint">
        {portfolioWords.counted(protocols)} {net && net.leftOut.length > 0 && portfolioWords.leftOut(net.leftOut)}
      </p>
    </section>
  );
}
