import { isNativeMarket } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { ReactNode } from 'react';
import { BNB } from '../chain/bnb.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { Fact } from '../parts/facts.tsx';
import { Explained } from '../parts/term.tsx';
import { shortAmount, shortCost, usd, usdUp } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health, healthTone } from '../words/health.ts';
import { coverageSaid } from './coverage-said.tsx';
import { Gauge } from './gauge.tsx';
import { isInDanger } from './payment.ts';

interface Props {
  readonly loan: Loan;
  /** Guards that are neither cancelled nor revoked; undefined if they could not be read. */
  readonly guards: readonly Pick<Covered, 'guard' | 'coverage'>[] | undefined;
  /** Time of the shown reading, if it could not be refreshed. */
  readonly asOf: string | undefined;
  /** Whether the loan belongs to the viewing account. */
  readonly isOwn?: boolean;
  /** The chain's time, unix seconds. */
  readonly now?: bigint | undefined;
  /** The owner's actions. */
  readonly children?: ReactNode;
}

/** The loan's current state: its health as a number and on a bar, and its parts. */
export function LoanCard({ loan, guards, asOf, now, isOwn = true, children }: Props) {
  const { protocol, healthWad, debtUsdWad, weightedUsdWad, markets } = loan;
  if (healthWad === undefined) return null;
  const isDanger = isInDanger(loan, guards ?? []);
  const active = (guards ?? []).map(({ guard }) => guard);
  // The guard that does the most for the loan. A guard that cannot act has no trigger to draw.
  const able = (guards ?? []).filter(({ coverage }) => coverage.state !== 'unable');
  const best =
    able.find(
      ({ coverage }) => coverage.state === 'full' && !coverage.nextFrom && !coverage.onlyBy && !coverage.shares,
    ) ??
    able.find(({ coverage }) => coverage.state === 'full') ??
    able[0];
  const said = best ?? guards?.[0];
  const repaid = said && markets.find((each) => sameAddress(each.market, said.guard.market));
  const words = said && coverageSaid(said.coverage, protocol.name, repaid);
  const heading = `loan-${protocol.name}`;
  return (
    <section className="card" aria-labelledby={heading}>
      <div className="card-head">
        <div>
          <h2 id={heading}>
            {isOwn ? guardWords.loanIn(protocol.name) : guardWords.loanOf(shortAddress(loan.borrower), protocol.name)}
          </h2>
          <p className="faint">{liquidation(loan)}</p>
        </div>
        {words?.badge ?? (
          <span className="badge word caution">{guards ? partWords.notGuarded : guardWords.guardsUnknown}</span>
        )}
      </div>
      {words?.sentences}
      <Gauge
        {...{ best, now }}
        actions={children}
        loan={{ ...loan, healthWad }}
        guards={active}
        isOld={asOf !== undefined}
      >
        <p className="faint">
          <Explained text={asOf ? guardWords.healthAsOf(asOf) : guardWords.healthFactor} />
        </p>
        <p className={`health-number ${asOf ? 'old' : isDanger ? 'bad' : healthTone(healthWad)}`} data-testid="health">
          {health(healthWad)}
        </p>
      </Gauge>
      <dl className="facts key">
        <Fact name={guardWords.debt}>{usdUp(debtUsdWad)}</Fact>
        <Fact name={guardWords.weighted}>{usd(weightedUsdWad)}</Fact>
        {markets
          .filter(({ debt, supplied }) => debt > 0n || supplied > 0n)
          .map(({ market, symbol, debt, supplied, decimals }) => (
            <Fact key={market} name={isNativeMarket(protocol, market) ? BNB.symbol : symbol}>
              {partsOf(supplied, debt, decimals)}
            </Fact>
          ))}
      </dl>
    </section>
  );
}

function partsOf(supplied: bigint, debt: bigint, decimals: number): string {
  if (debt === 0n) return guardWords.supplied(shortAmount(supplied, decimals));
  if (supplied === 0n) return guardWords.owed(shortCost(debt, decimals));
  return guardWords.suppliedAndOwed(shortAmount(supplied, decimals), shortCost(debt, decimals));
}

function liquidation({ protocol, forcedMarkets, markets }: Loan): string {
  if (forcedMarkets === undefined) return guardWords.liquidation + guardWords.forcedUnread(protocol.name);
  if (forcedMarkets.length === 0) return guardWords.liquidation;
  const isForced = ({ market }: LoanMarket) => forcedMarkets.some((forced) => sameAddress(forced, market));
  // If a debt changed between the two readings, none is named.
  return guardWords.forced(
    protocol.name,
    markets.filter(isForced).map(({ symbol }) => symbol),
  );
}
