import type { Supposed } from '@bowline/chain/lending/reader';
import type { Rescue } from '@bowline/chain/lending/rescue-preview';
import { guardKey } from '@bowline/core/domain/guard-key';
import type { LoanValues } from '@bowline/core/domain/loan-health';
import { valuesAt } from '@bowline/core/domain/loan-prices';
import { sameAddress } from '@bowline/core/domain/same-address';
import { WAD } from '@bowline/core/domain/units';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { Fact } from '../parts/facts.tsx';
import { moneyOf, usd, usdUp } from '../words/amounts.ts';
import { failureOf, reasonIn } from '../words/contract-errors.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health, healthTone } from '../words/health.ts';
import { exactAsOf } from '../words/times.ts';
import type { usePreview } from './use-preview.ts';

type Preview = Pick<ReturnType<typeof usePreview>, 'data' | 'isError'>;

/** The parts of a preview that tell who answered. */
interface Answered extends Pick<Preview, 'isError'> {
  readonly data: Pick<NonNullable<Preview['data']>, 'readAt'> | undefined;
}

/** A loan at other prices. */
export interface Moved {
  readonly without: LoanValues;
  /** After the rescue that helps most. Equals `without` if none comes; undefined while not known. */
  readonly rescued: LoanValues | undefined;
}

/** The protocol's and the guards' own answer. Until it arrives, the page computes the protocol's formula itself. */
export function outcomeOf(loan: Loan, supposed: readonly Supposed[], { data, isError }: Preview): Moved {
  if (data === undefined || isError) return { without: valuesAt(loan, supposed), rescued: undefined };
  const after = data.rescues.flatMap((each) => (each.isDone ? [each.after] : []));
  const isHigher = (one: LoanValues, other: LoanValues) =>
    other.healthWad !== undefined && (one.healthWad === undefined || one.healthWad > other.healthWad);
  const rescued = after.reduce((most, each) => (isHigher(each, most) ? each : most), data.account);
  return { without: data.account, rescued };
}

interface Props {
  readonly loan: Loan;
  readonly guards: readonly Guard[];
  readonly preview: Preview;
  readonly outcome: Moved;
}

/** The loan at the moved prices, without and with its guards. */
export function Outcome({ loan, guards, preview, outcome: { without, rescued } }: Props) {
  return (
    <div className="stack" aria-live="polite">
      <dl className="facts key">
        <Fact name={guards.length > 0 ? guardWords.withoutGuard : guardWords.healthFactor}>
          <There {...loan} healthWad={without.healthWad} />
        </Fact>
        {guards.length > 0 && (
          <Fact name={guardWords.withGuard}>
            {rescued ? <There {...loan} healthWad={rescued.healthWad} /> : partWords.notKnown}
          </Fact>
        )}
      </dl>
      <p>
        {guardWords.weightedFor(usd(without.weightedUsdWad), usdUp(without.debtUsdWad))}
        {liquidationWarning(loan, without.healthWad)}
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
  );
}

function There({ healthWad, forcedMarkets }: Pick<Loan, 'healthWad' | 'forcedMarkets'>) {
  const isForced = forcedMarkets !== undefined && forcedMarkets.length > 0;
  const tone = isForced ? 'bad' : healthWad === undefined ? 'good' : healthTone(healthWad);
  return <span className={`tone ${tone}`}>{healthOf(healthWad)}</span>;
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

const healthOf = (healthWad: bigint | undefined) => (healthWad === undefined ? guardWords.noDebt : health(healthWad));

function said(rescue: Rescue<Guard>, { markets }: Loan): string {
  const { market } = rescue.guard;
  const id = guardKey(rescue.guard);
  const of = markets.find((each) => sameAddress(each.market, market));
  const { amount } = moneyOf(of);
  if (!rescue.isDone) return guardWords.wouldNot(id, reasonIn(failureOf(rescue.refusal)));
  const { repaid, after, left } = rescue;
  if (rescue.guard.sale) return guardWords.wouldSell(id, amount(repaid), healthOf(after.healthWad));
  return guardWords.would(id, amount(repaid), healthOf(after.healthWad), amount(left));
}

/** The source and time of what the simulator shows. @param guards how many were asked. */
export function answeredBy({ data, isError }: Answered, protocol: string, guards: number): string {
  if (isError) return (guards > 0 ? guardWords.computedWithout : guardWords.computedOnly)(protocol);
  if (data === undefined) return guardWords.computedAsking(protocol);
  const time = exactAsOf(data.readAt.wall);
  return guards > 0 ? guardWords.answeredWithGuards(time, protocol) : guardWords.answered(time, protocol);
}
