import { fundedIf } from '@bowline/core/domain/funded-prices';
import { leftOfDay } from '@bowline/core/domain/guarded-loan';
import { collateralsOf } from '@bowline/core/domain/loan-prices';
import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { fundedWords } from '../chain/coverage/funded-words.ts';
import type { AsOf } from '../chain/coverage/use-covered.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { Fact } from '../parts/facts.tsx';
import { coverWords } from '../words/en/coverage.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { duration, when } from '../words/times.ts';

interface Props {
  readonly guard: Guard;
  readonly loan: Loan | undefined;
  readonly coverage: Coverage;
  /** When stale data was read. */
  readonly asOf?: AsOf | undefined;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
  readonly amount: (base: bigint) => string;
  readonly protocol: string;
  /** The prices that also trigger it, in words. */
  readonly source: string | undefined;
  /** Whether the viewing account is both borrower and funder. */
  readonly isOwn: boolean;
}

/** Values longer than this are text; no figure is that long. */
const LONG = 32;

/** A guard's terms, and what it has left. */
export function GuardFacts({ guard, loan, coverage, asOf, now, amount, protocol, source, isOwn }: Props) {
  const ofMeans = (base: bigint | undefined) => (base === undefined ? partWords.notKnown : amount(base));
  const isActive = guard.status === 'active';
  const isForOther = !sameAddress(guard.funder, guard.borrower);
  const payer = isOwn ? undefined : shortAddress(guard.funder);
  const dated = (name: string) => (asOf?.guard === undefined ? name : guardWords.at(name, asOf.guard));
  const held: readonly Told[] = [
    isForOther ? [partWords.borrower, shortAddress(guard.borrower)] : undefined,
    loan?.healthWad === undefined
      ? undefined
      : [asOf?.loan ? guardWords.at(guardWords.health, asOf.loan) : guardWords.healthNow, health(loan.healthWad)],
    isActive
      ? [dated(payer ? guardWords.approvedBy(payer) : guardWords.approvedFact), ofMeans(guard.means?.allowance)]
      : undefined,
    isActive ? [dated(payer ? guardWords.heldBy(payer) : guardWords.held), ofMeans(guard.means?.balance)] : undefined,
    ...(isActive ? funded(guard, loan, coverage, now) : []),
  ];
  const terms: readonly Told[] = [
    [guardWords.maxPerRescue, amount(guard.capPerRescue)],
    [guardWords.maxPerDay, amount(guard.capPerDay)],
    isActive && now !== undefined ? [dated(guardWords.leftToday), amount(leftOfDay(guard, now))] : undefined,
    [guardWords.minPerRescue, amount(guard.minRepay)],
    [
      partWords.cooldown,
      source
        ? guardWords.cooldownBut(duration(guard.cooldownSeconds), coverWords.cooldownException(protocol, source))
        : duration(guard.cooldownSeconds),
    ],
    [partWords.whoCanRescue, guard.keeper === undefined ? partWords.anyone : shortAddress(guard.keeper)],
    source ? [partWords.alsoTriggeredBy, source] : undefined,
    [now !== undefined && now >= guard.expiresAt ? guardWords.expired : partWords.expires, when(guard.expiresAt)],
  ];
  return (
    <>
      <Shown facts={held} isKey={isActive} />
      <Shown facts={terms} />
    </>
  );
}

type Told = readonly [name: string, value: string] | undefined;

/** Facts that change from block to block are shown apart from the terms. */
function Shown({ facts, isKey = false }: { readonly facts: readonly Told[]; readonly isKey?: boolean }) {
  const told = facts.filter((fact) => fact !== undefined);
  if (told.length === 0) return null;
  return (
    <dl className={isKey ? 'facts key' : 'facts'}>
      {told.map(([name, value]) => (
        <Fact key={name} name={name} isLong={value.length > LONG}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

/** For each collateral, the lowest price at which one rescue still reaches the target. */
function funded(
  guard: Guard,
  loan: Loan | undefined,
  coverage: Coverage,
  now: bigint | undefined,
): (readonly [string, string])[] {
  if (loan === undefined) return [];
  return (collateralsOf(loan) ?? []).map((each) => {
    return [
      guardWords.fundedDownToOf(each.market.symbol),
      fundedWords(fundedIf(coverage, guard, loan, each, now), each.market),
    ];
  });
}
