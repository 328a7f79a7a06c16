import type { Supposed } from '@bowline/chain/lending/reader';
import { type Collateral, collateralsOf, perToken } from '@bowline/core/domain/loan-prices';
import { type ReactNode, useState } from 'react';
import type { Coverage } from '../chain/coverage/coverage.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { guardWords } from '../words/en/guard.ts';
import { HealthBar } from './health-bar.tsx';
import { Outcome, outcomeOf } from './outcome.tsx';
import { PriceLevels } from './price-levels.tsx';
import { PriceSlider } from './price-slider.tsx';
import { usePreview } from './use-preview.ts';

interface Props {
  readonly loan: Loan & { readonly healthWad: bigint };
  /** The loan's active guards. */
  readonly guards: readonly Guard[];
  /** The guard whose marks and prices are shown; undefined for none. */
  readonly best: { readonly guard: Guard; readonly coverage: Coverage } | undefined;
  /** Whether the reading is old. If so, no other prices are offered. */
  readonly isOld: boolean;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
  /** The owner's actions, above the sliders: on a phone, anything below them is far away. */
  readonly actions: ReactNode;
  /** The health as a number. */
  readonly children: ReactNode;
}

/** Price moves of all collateral at once, in thousandths. */
const FALLS = [-100, -300, -500];

/** Current health among the liquidation and guard marks, and the health at other prices. Sends nothing. */
export function Gauge({ loan, guards, best, isOld, now, actions, children }: Props) {
  const [moves, setMoves] = useState<Readonly<Record<string, number>>>({});
  const collaterals = isOld ? [] : (collateralsOf(loan) ?? []);
  const supposed = collaterals.flatMap((each) => supposedAt(each, moves[each.market.market] ?? 0));
  const preview = usePreview(loan, guards, supposed);
  const isMoved = supposed.length > 0;
  const outcome = isMoved ? outcomeOf(loan, supposed, preview) : undefined;
  const heading = `what-if-${loan.protocol.name}`;
  const all = (by: number) => Object.fromEntries(collaterals.map(({ market }) => [market.market, by]));
  return (
    <>
      <div className="health">
        <div>{children}</div>
        <HealthBar
          healthWad={loan.healthWad}
          triggerHealthWad={best?.guard.triggerHealthWad}
          targetHealthWad={best?.guard.targetHealthWad}
          forcedMarkets={loan.forcedMarkets}
          moved={outcome}
        />
      </div>
      {actions}
      {collaterals.length > 0 && (
        <section className="stack" aria-labelledby={heading}>
          <div className="spread">
            <h3 id={heading}>{guardWords.whatIf}</h3>
            <div className="buttons">
              {FALLS.map((by) => (
                <button key={by} type="button" className="button compact" onClick={() => setMoves(all(by))}>
                  {guardWords.fall(String(-by / 10))}
                </button>
              ))}
              {isMoved && (
                <button type="button" className="button quiet compact" onClick={() => setMoves({})}>
                  {guardWords.reset}
                </button>
              )}
            </div>
          </div>
          {collaterals.map((each) => (
            <PriceSlider
              key={each.market.market}
              symbol={each.market.symbol}
              nowWad={perToken(each.part.priceWad, each.market)}
              move={moves[each.market.market] ?? 0}
              onMove={(by) => setMoves({ ...moves, [each.market.market]: by })}
            >
              <PriceLevels {...{ loan, now }} collateral={each} covered={best} />
            </PriceSlider>
          ))}
          {outcome && <Outcome {...{ loan, guards, preview, outcome }} />}
        </section>
      )}
    </>
  );
}

function supposedAt({ market, part }: Collateral<LoanMarket>, move: number): readonly Supposed[] {
  if (move === 0) return [];
  return [{ market: market.market, token: market.token, priceWad: (part.priceWad * BigInt(1_000 + move)) / 1_000n }];
}
