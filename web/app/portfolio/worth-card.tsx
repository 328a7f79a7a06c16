import { Link } from 'wouter';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { Fact } from '../parts/facts.tsx';
import { useSettings } from '../settings.tsx';
import { usd, usdUp } from '../words/amounts.ts';
import { verdictWords } from '../words/en/parts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { asOfTime } from '../words/times.ts';
import { netWords, netWorth } from './net-worth.ts';
import type { Worth } from './read-worth.ts';

interface Props {
  /** Undefined while nothing was read. */
  readonly worth: Worth | undefined;
  readonly native: bigint | undefined;
}

/** What an account is worth, where that is, and what is not counted. */
export function WorthCard({ worth, native }: Props) {
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
