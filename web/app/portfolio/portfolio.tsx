import { elapsed } from '../api/age.ts';
import { isAnswerOld, isReadingOld, isVerdictOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import { useMoment } from '../api/use-moment.ts';
import { useBalances } from '../chain/use-balances.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Title } from '../parts/title.tsx';
import { useSettings } from '../settings.tsx';
import { Account } from '../wallet/account.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { WatchForm } from '../wallet/watching.tsx';
import { shortAmount } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { asOfTime, roughly } from '../words/times.ts';
import { whyUnread } from '../words/why-unread.ts';
import { AssetRow } from './asset-row.tsx';
import { totalUsdWad, totalWords } from './total.ts';

export function Portfolio() {
  const { assets } = useSettings();
  const { owner } = useOwner();
  const quote = useQuote();
  const balances = useBalances(owner);
  const now = useMoment();
  const chainTime = useChainTime();
  const asOf = quote.data && asOfTime(quote.data.asOf.wall);
  const isOld = quote.data !== undefined && isAnswerOld(quote.data, now);
  const isBalanceOld = balances.data !== undefined && isReadingOld(balances.data, now);
  const total = balances.data && quote.data && totalUsdWad(assets, balances.data, quote.data.assets);
  return (
    <>
      <Title title={words.frame.sections.portfolio} lead={portfolioWords.lead} />
      {owner !== undefined ? (
        <section className="hero" aria-label={portfolioWords.holdings}>
          <p className="faint">{portfolioWords.total}</p>
          <p className={isOld || isBalanceOld ? 'hero-number old' : 'hero-number'}>{totalWords(total)}</p>
          <p className="faint">
            {balances.data && isBalanceOld && `${portfolioWords.balancesAsOf(asOfTime(balances.data.readAt.wall))} · `}
            {isOld && total !== undefined && `${portfolioWords.pricesAsOf(asOf ?? '')} · `}
            {balances.data?.native !== undefined && portfolioWords.fees(shortAmount(balances.data.native, 18))}
            {total !== undefined &&
              total.unpriced.length > 0 &&
              ` · ${portfolioWords.unpriced(total.unpriced.join(', '))}`}
          </p>
        </section>
      ) : (
        <section className="hero inviting">
          <p>{portfolioWords.connect}</p>
          <div className="stack">
            <Account hasMore />
            <WatchForm />
          </div>
        </section>
      )}
      {quote.isPending && <Skeleton lines={5} label={portfolioWords.readingPrices} />}
      {quote.isError && quote.data === undefined && (
        <ReadFailed what={portfolioWords.prices} error={quote.error} retry={() => void quote.refetch()} />
      )}
      {quote.data && (quote.isError || isOld) && (
        <Notice kind={isOld ? 'bad' : 'caution'} title={portfolioWords.oldPrices(asOf ?? '')}>
          <p>
            {portfolioWords.age(ago(elapsed(quote.data.asOf, now)))}{' '}
            {quote.isError ? whyUnread(quote.error) : portfolioWords.nothingNewer}
          </p>
          <button type="button" className="button" onClick={() => void quote.refetch()}>
            {words.readings.retry}
          </button>
        </Notice>
      )}
      {balances.isError && (
        <ReadFailed
          what={portfolioWords.balances}
          error={balances.error}
          {...(balances.data && { more: portfolioWords.shownAsOf(asOfTime(balances.data.readAt.wall)) })}
          retry={() => void balances.refetch()}
        />
      )}
      {quote.data && asOf !== undefined && (
        <ul className="assets" aria-label={portfolioWords.assets}>
          {assets.map((asset) => {
            const quoted = quote.data.assets.find(({ symbol }) => symbol === asset.symbol);
            return (
              <AssetRow
                key={asset.symbol}
                asset={asset}
                quoted={quoted}
                balance={balances.data?.of[asset.symbol]}
                asOf={asOf}
                isPriceOld={isOld}
                isBalanceOld={isBalanceOld}
                isVerdictOld={quoted?.judged ? isVerdictOld(quoted.judged, quote.data, now, chainTime) : false}
              />
            );
          })}
        </ul>
      )}
    </>
  );
}

/** In minutes: announced text must not change every second. */
const ago = (ms: number): string =>
  ms < 60_000 ? portfolioWords.underAMinute : roughly(BigInt(Math.floor(ms / 1_000)));
