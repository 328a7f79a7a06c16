import { belowWords, fundedWords } from '../chain/coverage/funded-words.ts';
import { collateralsOf, fundedDownTo, perToken, pricesOf } from '../chain/coverage/what-if.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { usd } from '../words/amounts.ts';

interface Props {
  readonly loan: Loan;
  /** The guard whose trigger and funds are shown; undefined for none. */
  readonly guard: Guard | undefined;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
}

const WAD = 10n ** 18n;

/** At which price of each collateral, the others as now, something happens to the loan. */
export function PriceLevels({ loan, guard, now }: Props) {
  const collaterals = collateralsOf(loan);
  if (collaterals === undefined || collaterals.length === 0) return null;
  return (
    <section className="scroll" aria-label={`Prices that matter, ${loan.protocol.name}`}>
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">If only this falls</th>
            <th scope="col">Now</th>
            {guard && <th scope="col">Rescue below</th>}
            {guard && <th scope="col">Funded down to</th>}
            <th scope="col">Liquidated below</th>
          </tr>
        </thead>
        <tbody>
          {collaterals.map((each) => {
            const below = (healthWad: bigint) => belowWords(pricesOf(loan, each, healthWad), each.market);
            const funded = guard && now !== undefined ? fundedDownTo(guard, loan, each, now) : undefined;
            return (
              <tr key={each.market.market}>
                <th scope="row">{each.market.symbol}</th>
                <td data-label="Now">{usd(perToken(each.part.priceWad, each.market))}</td>
                {guard && <td data-label="Rescue below">{below(guard.triggerWad)}</td>}
                {guard && (
                  <td data-label="Funded down to" className={funded === undefined ? 'tone bad' : undefined}>
                    {fundedWords(funded, each.market)}
                  </td>
                )}
                <td data-label="Liquidated below">{below(WAD)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {guard && (
        <p className="faint">
          Down to the funded price, one rescue by guard {String(guard.id)} reaches its target with what is approved and
          held now. Below the liquidation price, a liquidation can come first.
        </p>
      )}
    </section>
  );
}
