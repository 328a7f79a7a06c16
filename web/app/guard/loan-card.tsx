import { shortAddress } from '@bowline/core/domain/readable';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { coverageWords } from '../chain/coverage/coverage-words.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { shortAmount, shortCost, usd } from '../words/amounts.ts';
import { health, healthTone } from '../words/health.ts';
import { when } from '../words/times.ts';
import { HealthBar } from './health-bar.tsx';
import { PriceLevels } from './price-levels.tsx';

interface Props {
  readonly loan: Loan;
  /** Guards that are neither cancelled nor revoked; undefined if they could not be read. */
  readonly guards: readonly Covered[] | undefined;
  /** Time of the shown reading, if it could not be refreshed since. */
  readonly asOf: string | undefined;
  /** Whether it is the account's that looks at it. */
  readonly isOwn?: boolean;
  /** The chain's time, unix seconds. */
  readonly now?: bigint | undefined;
}

interface Covered {
  readonly guard: Guard;
  readonly coverage: Coverage;
}

/** The loan's current state: its health as a number and on a bar, and its parts. */
export function LoanCard({ loan, guards, asOf, now, isOwn = true }: Props) {
  const { protocol, healthWad, debtUsdWad, weightedUsdWad, markets } = loan;
  if (healthWad === undefined) return null;
  const isForced = loan.forcedMarkets !== undefined && loan.forcedMarkets.length > 0;
  const amountOf = ({ market }: Guard, base: bigint) => {
    const of = markets.find((each) => each.market.toLowerCase() === market.toLowerCase());
    return of ? `${shortAmount(base, of.decimals)} ${of.symbol}` : `${base} units`;
  };
  // The guard that does the most for the loan. A guard that cannot act has no trigger to draw.
  const able = (guards ?? []).filter(({ coverage }) => coverage.state !== 'unable');
  const best =
    able.find(({ coverage }) => coverage.state === 'full' && !coverage.nextFrom && !coverage.onlyBy) ??
    able.find(({ coverage }) => coverage.state === 'full') ??
    able[0];
  const first = best?.guard;
  const said = best ?? guards?.[0];
  const words = said && coverageWords(said.coverage, protocol.name, (base) => amountOf(said.guard, base), when);
  const heading = `loan-${protocol.name}`;
  return (
    <section className="card" aria-labelledby={heading}>
      <div className="card-head">
        <div>
          <h2 id={heading}>
            {isOwn ? 'Your loan' : `Loan of ${shortAddress(loan.borrower)}`} in {protocol.name}
          </h2>
          <p className="faint">{liquidation(loan)}</p>
        </div>
        {words === undefined ? (
          <span className="badge word caution">{guards ? 'not guarded' : 'guards not known'}</span>
        ) : (
          <span className={`badge word ${words.tone}`}>{words.badge}</span>
        )}
      </div>
      {words?.more && <p className="faint">{words.more}</p>}
      <div>
        <p className="faint">Health factor{asOf && ` as of ${asOf}`}</p>
        <p className={`health-number ${asOf ? 'old' : isForced ? 'bad' : healthTone(healthWad)}`} data-testid="health">
          {health(healthWad)}
        </p>
      </div>
      <HealthBar healthWad={healthWad} triggerWad={first?.triggerWad} targetWad={first?.targetWad} />
      {!asOf && <PriceLevels loan={loan} guard={first} now={now} />}
      <dl className="facts">
        <div>
          <dt>Debt</dt>
          <dd>{usd(debtUsdWad)}</dd>
        </div>
        <div>
          <dt>Weighted collateral</dt>
          <dd>{usd(weightedUsdWad)}</dd>
        </div>
        {markets
          .filter(({ debt, supplied }) => debt > 0n || supplied > 0n)
          .map(({ market, symbol, debt, supplied, decimals }) => (
            <div key={market}>
              <dt>{symbol}</dt>
              <dd>
                {supplied > 0n && `${shortAmount(supplied, decimals)} supplied`}
                {supplied > 0n && debt > 0n && ', '}
                {debt > 0n && `${shortCost(debt, decimals)} owed`}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function liquidation({ protocol, forcedMarkets, markets }: Loan): string {
  const usual = 'Below 1.00 anybody may liquidate it, at a loss to you.';
  if (forcedMarkets === undefined) return `${usual} Whether ${protocol.name} forces liquidation could not be read.`;
  if (forcedMarkets.length === 0) return usual;
  const isForced = ({ market }: LoanMarket) =>
    forcedMarkets.some((forced) => forced.toLowerCase() === market.toLowerCase());
  const debts = markets.filter(isForced).map(({ symbol }) => symbol);
  // A debt may have changed between the two readings.
  const named = debts.length === 0 ? 'debt' : `${debts.join(' and ')} debt`;
  return `${protocol.name} lets anyone liquidate your ${named} at any health. Only repaying it protects you.`;
}
