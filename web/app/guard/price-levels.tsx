import { fundedIf } from '@bowline/core/domain/funded-prices';
import { type Collateral, pricesOf } from '@bowline/core/domain/loan-prices';
import { WAD } from '@bowline/core/domain/units';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { belowWords, fundedWords } from '../chain/coverage/funded-words.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { Fact } from '../parts/facts.tsx';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';

interface Props {
  readonly loan: Loan;
  readonly collateral: Collateral<LoanMarket>;
  /** The guard whose trigger and funds are shown; undefined for none. */
  readonly covered: { readonly guard: Guard; readonly coverage: Coverage } | undefined;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
}

/** The prices of one collateral at which something happens to the loan, with all other prices unchanged. */
export function PriceLevels({ loan, collateral, covered, now }: Props) {
  const { forcedMarkets } = loan;
  // No price and no funds protect a loan whose liquidation is forced.
  const isForced = forcedMarkets !== undefined && forcedMarkets.length > 0;
  const below = (healthWad: bigint) => belowWords(pricesOf(loan, collateral, healthWad), collateral.market);
  const funded = covered && fundedIf(covered.coverage, covered.guard, loan, collateral, now);
  return (
    <>
      <p className="faint small">{guardWords.onlyMoves(collateral.market.symbol)}</p>
      <dl className="facts">
        {covered && <Fact name={guardWords.rescueBelow}>{below(covered.guard.triggerHealthWad)}</Fact>}
        {covered && !isForced && (
          <Fact name={guardWords.fundedDownTo}>
            <span className={funded === undefined ? 'tone bad' : undefined}>
              {fundedWords(funded, collateral.market)}
            </span>
          </Fact>
        )}
        {!isForced && (
          <Fact name={guardWords.liquidatedBelow}>{forcedMarkets === undefined ? partWords.notKnown : below(WAD)}</Fact>
        )}
      </dl>
    </>
  );
}
