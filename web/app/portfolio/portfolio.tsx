import { elapsed } from '../api/age.ts';
import { isAnswerOld, isReadingOld, isVerdictOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import { useMoment } from '../api/use-moment.ts';
import { useBalances } from '../chain/use-balances.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { Account } from '../wallet/account.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { WatchForm } from '../wallet/watching.tsx';
import { shortAmount, usd } from '../words/amounts.ts';
import { roughly, timeOfDay } from '../words/times.ts';
import { whyUnread } from '../words/why-unread.ts';
import { AssetRow } from './asset-row.tsx';
import { totalUsdWad } from './total.ts';

export function Portfolio() {
  const { assets } = useSettings();
  const { owner } = useOwner();
  const quote = useQuote();
  const balances = useBalances(owner);
  const now = useMoment();
  const chainTime = useChainTime();
  const asOf = quote.data && timeOfDay(quote.data.asOf.wall);
  const isOld = quote.data !== undefined && isAnswerOld(quote.data, now);
  const isBalanceOld = balances.data !== undefined && isReadingOld(balances.data, now);
  const total = balances.data && quote.data && totalUsdWad(assets, balances.data, quote.data.assets);
  return (
    <>
      <div className="title-row">
        <div>
          <h1>Portfolio</h1>
          <p className="lead">Prices from the exchange and the chain, and the verdict on buying at them now.</p>
        </div>
      </div>
      {owner !== undefined ? (
        <section className="hero" aria-label="Your holdings">
          <p className="hero-label">Worth of what is listed here</p>
          <p className="hero-number">{total === undefined ? '—' : usd(total.usdWad)}</p>
          <p className="faint">
            {balances.data && isBalanceOld && `balances as of ${timeOfDay(balances.data.readAt.wall)} · `}
            {isOld && total !== undefined && `at prices of ${asOf} · `}
            {balances.data?.native !== undefined && `${shortAmount(balances.data.native, 18)} BNB for network fees`}
            {total !== undefined && total.unpriced.length > 0 && ` · without ${total.unpriced.join(', ')}: no price`}
          </p>
        </section>
      ) : (
        <section className="hero inviting">
          <div>
            <p className="hero-title">Buy on a schedule. Keep your loan safe.</p>
            <p>
              Sign a plan or a guard once; an agent carries it out, and the contracts hold it to your terms. Your tokens
              stay in your wallet until the moment they are used.
            </p>
          </div>
          <div className="stack">
            <Account hasMore />
            <WatchForm />
          </div>
        </section>
      )}
      {quote.isPending && <Skeleton lines={5} label="Reading prices" />}
      {quote.isError && quote.data === undefined && (
        <ReadFailed what="The prices" error={quote.error} retry={() => void quote.refetch()} />
      )}
      {quote.data && (quote.isError || isOld) && (
        <Notice kind={isOld ? 'bad' : 'caution'} title={`Prices and verdicts are as of ${asOf}`}>
          <p>
            That is {ago(elapsed(quote.data.asOf, now))} ago.{' '}
            {quote.isError ? whyUnread(quote.error) : 'Nothing newer has come since.'}
          </p>
          <button type="button" className="button" onClick={() => void quote.refetch()}>
            Try again
          </button>
        </Notice>
      )}
      {balances.isError && (
        <ReadFailed
          what="Your balances"
          error={balances.error}
          {...(balances.data && { more: `What is shown is as of ${timeOfDay(balances.data.readAt.wall)}.` })}
          retry={() => void balances.refetch()}
        />
      )}
      {quote.data && asOf !== undefined && (
        <ul className="assets" aria-label="Assets">
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
const ago = (ms: number): string => (ms < 60_000 ? 'less than a minute' : roughly(BigInt(Math.floor(ms / 1_000))));
