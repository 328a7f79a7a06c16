import { shortAmount, usd } from '../words/amounts.ts';
import { health } from '../words/health.ts';
import { HealthBar } from './health-bar.tsx';
import type { Guard } from './read-guards.ts';
import type { Loan } from './read-loan.ts';

interface Props {
  readonly loan: Loan;
  /** Those that hold now. */
  readonly guards: readonly Guard[];
}

const WAD = 10n ** 18n;

/** The loan as it stands: its health as a number and on a bar, and what it is made of. */
export function LoanCard({ loan, guards }: Props) {
  const { healthWad, debtUsdWad, weightedUsdWad, markets } = loan;
  if (healthWad === undefined) return null;
  const [first] = guards;
  return (
    <section className="card" aria-labelledby="loan">
      <div className="card-head">
        <div>
          <h2 id="loan">Your loan in Venus</h2>
          <p className="faint">Below 1.00 anybody may liquidate it, at a loss to you.</p>
        </div>
        {guards.length === 0 && <span className="badge word caution">not guarded</span>}
        {guards.length > 0 && <span className="badge word good">guarded</span>}
      </div>
      <div>
        <p className="faint">Health factor</p>
        <p className={`health-number ${toneOf(healthWad, first)}`} data-testid="health">
          {health(healthWad)}
        </p>
      </div>
      <HealthBar healthWad={healthWad} triggerWad={first?.triggerWad} targetWad={first?.targetWad} />
      <dl className="facts">
        <div>
          <dt>Debt</dt>
          <dd>{usd(debtUsdWad)}</dd>
        </div>
        <div>
          <dt>Collateral that counts</dt>
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
                {debt > 0n && `${shortAmount(debt, decimals)} owed`}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function toneOf(healthWad: bigint, guard: Guard | undefined): 'good' | 'caution' | 'bad' {
  if (healthWad < WAD) return 'bad';
  return healthWad < (guard?.triggerWad ?? (11n * WAD) / 10n) ? 'caution' : 'good';
}
