import { fundedIf } from '@bowline/core/domain/funded-prices';
import { guardKey } from '@bowline/core/domain/guard-key';
import { collateralsOf, perToken, pricesOf } from '@bowline/core/domain/loan-prices';
import { WAD } from '@bowline/core/domain/units';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { belowWords, fundedWords } from '../chain/coverage/funded-words.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { usd } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';

interface Props {
  readonly loan: Loan;
  /** The guard whose trigger and funds are shown; undefined for none. */
  readonly covered: { readonly guard: Guard; readonly coverage: Coverage } | undefined;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
}

/** At which price of each collateral, the others as now, something happens to the loan. */
export function PriceLevels({ loan, covered, now }: Props) {
  const guard = covered?.guard;
  const collaterals = collateralsOf(loan);
  if (collaterals === undefined || collaterals.length === 0) return null;
  const { forcedMarkets } = loan;
  // No price keeps a loan whose liquidation is forced from it, and no funds do.
  const isForced = forcedMarkets !== undefined && forcedMarkets.length > 0;
  return (
    <section className="scroll" aria-label={guardWords.prices(loan.protocol.name)}>
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">{guardWords.keyPrices}</th>
            <th scope="col" className="figure">
              {guardWords.now}
            </th>
            {guard && (
              <th scope="col" className="figure">
                {guardWords.rescueBelow}
              </th>
            )}
            {guard && !isForced && (
              <th scope="col" className="figure">
                {guardWords.fundedDownTo}
              </th>
            )}
            {!isForced && (
              <th scope="col" className="figure">
                {guardWords.liquidatedBelow}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {collaterals.map((each) => {
            const below = (healthWad: bigint) => belowWords(pricesOf(loan, each, healthWad), each.market);
            const funded = covered && fundedIf(covered.coverage, covered.guard, loan, each, now);
            return (
              <tr key={each.market.market}>
                <th scope="row">{guardWords.onlyMoves(each.market.symbol)}</th>
                <td className="figure" data-label={guardWords.now}>
                  {usd(perToken(each.part.priceWad, each.market))}
                </td>
                {guard && (
                  <td className="figure" data-label={guardWords.rescueBelow}>
                    {below(guard.triggerHealthWad)}
                  </td>
                )}
                {guard && !isForced && (
                  <td
                    data-label={guardWords.fundedDownTo}
                    className={funded === undefined ? 'figure tone bad' : 'figure'}
                  >
                    {fundedWords(funded, each.market)}
                  </td>
                )}
                {!isForced && (
                  <td className="figure" data-label={guardWords.liquidatedBelow}>
                    {forcedMarkets === undefined ? guardWords.notKnown : below(WAD)}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {guard && !isForced && <p className="faint">{guardWords.pricesMore(guardKey(guard))}</p>}
    </section>
  );
}
