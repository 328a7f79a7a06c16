import type { Supposed } from '@bowline/chain/lending/reader';
import { previewAt, type Rescue } from '@bowline/chain/lending/rescue-preview';
import { guardKey } from '@bowline/core/domain/guard-key';
import { type Collateral, collateralsOf, perToken, valuesAt } from '@bowline/core/domain/loan-prices';
import { sameAddress } from '@bowline/core/domain/same-address';
import { WAD } from '@bowline/core/domain/units';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { thisMoment } from '../api/age.ts';
import { useChain } from '../chain/client.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';
import { shortAmount, usd, usdUp } from '../words/amounts.ts';
import { failureOf, reasonIn } from '../words/contract-errors.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health, healthTone } from '../words/health.ts';
import { answeredBy } from './answered-by.ts';
import { PriceSlider } from './price-slider.tsx';

interface Props {
  readonly loan: Loan;
  /** The loan's active guards. */
  readonly guards: readonly Guard[];
}

/** What became of a slider's last move is asked for once it rests for this long. */
const REST_MS = 250;
/** As long as prices are moved, chain and loan go on, so the question is asked again. */
const AGAIN_MS = 60_000;

/** What the loan and its guards would do at other prices of its collateral. Sends nothing. */
export function Simulator({ loan, guards }: Props) {
  const [moves, setMoves] = useState<Readonly<Record<string, number>>>({});
  const collaterals = collateralsOf(loan);
  const supposed = (collaterals ?? []).flatMap((each) => supposedAt(each, moves[each.market.market] ?? 0));
  const preview = usePreview(loan, guards, supposed, moves);
  const heading = `what-if-${loan.protocol.name}`;
  if (collaterals === undefined || collaterals.length === 0) return null;
  const isMoved = supposed.length > 0;
  const isForced = loan.forcedMarkets !== undefined && loan.forcedMarkets.length > 0;
  const account = (isMoved && !preview.isError && preview.data?.account) || valuesAt(loan, supposed);
  return (
    <section className="card" aria-labelledby={heading}>
      <div className="card-head">
        <div>
          <h2 id={heading}>{guardWords.whatIf}</h2>
          <p className="faint">{guardWords.whatIfMore}</p>
        </div>
        {isMoved && (
          <button type="button" className="button quiet" onClick={() => setMoves({})}>
            {guardWords.reset}
          </button>
        )}
      </div>
      {collaterals.map((each) => (
        <PriceSlider
          key={each.market.market}
          symbol={each.market.symbol}
          nowWad={perToken(each.part.priceWad, each.market)}
          move={moves[each.market.market] ?? 0}
          onMove={(move) => setMoves({ ...moves, [each.market.market]: move })}
        />
      ))}
      {isMoved && (
        <div className="stack" aria-live="polite">
          <p>
            {guardWords.healthFactor}{' '}
            <strong className={`tone ${isForced ? 'bad' : toneOf(account.healthWad)}`}>
              {healthOf(account.healthWad)}
            </strong>
            {guardWords.comma}
            {guardWords.weightedFor(usd(account.weightedUsdWad), usdUp(account.debtUsdWad))}
            {liquidationWarning(loan, account.healthWad)}
          </p>
          {preview.data && !preview.isError && (
            <ul className="stack">
              {preview.data.rescues.map((rescue) => (
                <li key={String(guardKey(rescue.guard))}>{said(rescue, loan)}</li>
              ))}
            </ul>
          )}
          <p className="faint">{answeredBy(preview, loan.protocol.name, guards.length)}</p>
        </div>
      )}
    </section>
  );
}

/** Asked once the sliders rest: a newer move cancels the question before it is sent. */
function usePreview(
  loan: Loan,
  guards: readonly Guard[],
  supposed: readonly Supposed[],
  moves: Readonly<Record<string, number>>,
) {
  const client = useChain();
  const { contracts } = useSettings();
  const { protocol, borrower } = loan;
  const sawBlock = useSawBlock();
  return useQuery({
    queryKey: ['chain', 'what-if', protocol.name, borrower, guards.map((guard) => String(guardKey(guard))), moves],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      signal.throwIfAborted();
      const asked = thisMoment();
      const preview = await previewAt(client, contracts, loan, guards, supposed);
      return { ...preview, readAt: sawBlock(undefined, asked) };
    },
    enabled: supposed.length > 0,
    refetchInterval: AGAIN_MS,
    retry: false,
    gcTime: AGAIN_MS,
  });
}

function supposedAt({ market, part }: Collateral<LoanMarket>, move: number): readonly Supposed[] {
  if (move === 0) return [];
  return [{ market: market.market, token: market.token, priceWad: (part.priceWad * BigInt(1_000 + move)) / 1_000n }];
}

/** Whether the loan can be liquidated at that health, in words; undefined if not. */
export function liquidationWarning(
  { forcedMarkets, protocol }: Loan,
  healthWad: bigint | undefined,
): string | undefined {
  if (healthWad === undefined) return undefined;
  if (forcedMarkets !== undefined && forcedMarkets.length > 0) return guardWords.liquidatableAnywhere;
  if (healthWad < WAD) return guardWords.liquidatable;
  return forcedMarkets === undefined ? guardWords.forcedUnread(protocol.name) : undefined;
}

const toneOf = (healthWad: bigint | undefined) => (healthWad === undefined ? 'good' : healthTone(healthWad));
const healthOf = (healthWad: bigint | undefined) => (healthWad === undefined ? guardWords.noDebt : health(healthWad));

function said(rescue: Rescue<Guard>, { markets }: Loan): string {
  const { market } = rescue.guard;
  const id = guardKey(rescue.guard);
  const of = markets.find((each) => sameAddress(each.market, market));
  const amount = (base: bigint) => (of ? `${shortAmount(base, of.decimals)} ${of.symbol}` : partWords.units(base));
  if (!rescue.isDone) return guardWords.wouldNot(id, reasonIn(failureOf(rescue.refusal)));
  const { repaid, after, left } = rescue;
  if (rescue.guard.sale) return guardWords.wouldSell(id, amount(repaid), healthOf(after.healthWad));
  return guardWords.would(id, amount(repaid), healthOf(after.healthWad), amount(left));
}
