import { fundedIf } from '@bowline/core/domain/funded-prices';
import { guardKey } from '@bowline/core/domain/guard-key';
import { collateralsOf, perToken, pricesOf } from '@bowline/core/domain/loan-prices';
import { WAD } from '@bowline/core/domain/units';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { belowWords, fundedWords } from '../chain/coverage/funded-words.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { Table } from '../parts/table.tsx';
import { usd } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';

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
  const below = (each: (typeof collaterals)[number], healthWad: bigint) =>
    belowWords(pricesOf(loan, each, healthWad), each.market);
  return (
    <>
      <Table
        label={guardWords.prices(loan.protocol.name)}
        rows={collaterals}
        keyOf={({ market }) => market.market}
        columns={[
          { name: guardWords.keyPrices, kind: 'row', of: ({ market }) => guardWords.onlyMoves(market.symbol) },
          {
            name: guardWords.now,
            kind: 'figure',
            of: ({ market, part }) => usd(perToken(part.priceWad, market)),
          },
          guard && { name: guardWords.rescueBelow, kind: 'figure', of: (each) => below(each, guard.triggerHealthWad) },
          covered &&
            !isForced && {
              name: guardWords.fundedDownTo,
              kind: 'figure',
              of: (each) => {
                const funded = fundedIf(covered.coverage, covered.guard, loan, each, now);
                const said = fundedWords(funded, each.market);
                return funded === undefined ? <span className="tone bad">{said}</span> : said;
              },
            },
          !isForced && {
            name: guardWords.liquidatedBelow,
            kind: 'figure',
            of: (each) => (forcedMarkets === undefined ? partWords.notKnown : below(each, WAD)),
          },
        ]}
      />
      {guard && !isForced && <p className="faint">{guardWords.pricesMore(guardKey(guard))}</p>}
    </>
  );
}
