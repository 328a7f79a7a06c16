import { shortAddress } from '@bowline/core/domain/readable';
import { leftOfDay } from '../chain/coverage/coverage.ts';
import { fundedWords } from '../chain/coverage/funded-words.ts';
import { collateralsOf, fundedDownTo } from '../chain/coverage/what-if.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { coverWords } from '../words/en/coverage.ts';
import { guardWords } from '../words/en/guard.ts';
import { health } from '../words/health.ts';
import { duration, when } from '../words/times.ts';

interface Props {
  readonly guard: Guard;
  readonly loan: Loan | undefined;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
  readonly amount: (base: bigint) => string;
  readonly protocol: string;
  /** The prices that trigger it beside the protocol's, in words. */
  readonly source: string | undefined;
  /** Whether borrower and funder are the account that looks at it. */
  readonly isOwn: boolean;
}

/** A guard's terms, and what it has left. */
export function GuardFacts({ guard, loan, now, amount, protocol, source, isOwn }: Props) {
  const ofMeans = (base: bigint | undefined) => (base === undefined ? guardWords.notKnown : amount(base));
  const isActive = guard.status === 'active';
  const isForOther = guard.funder.toLowerCase() !== guard.borrower.toLowerCase();
  const payer = isOwn ? undefined : shortAddress(guard.funder);
  const facts: readonly (readonly [string, string] | undefined)[] = [
    isForOther ? [guardWords.borrower, shortAddress(guard.borrower)] : undefined,
    loan?.healthWad === undefined ? undefined : [guardWords.healthNow, health(loan.healthWad)],
    isActive
      ? [payer ? guardWords.approvedBy(payer) : guardWords.approvedFact, ofMeans(guard.means?.allowance)]
      : undefined,
    isActive ? [payer ? guardWords.heldBy(payer) : guardWords.held, ofMeans(guard.means?.balance)] : undefined,
    ...(isActive ? funded(guard, loan, now) : []),
    [guardWords.maxPerRescue, amount(guard.capPerRescue)],
    [guardWords.maxPerDay, amount(guard.capPerDay)],
    isActive && now !== undefined ? [guardWords.leftToday, amount(leftOfDay(guard, now))] : undefined,
    [guardWords.minPerRescue, amount(guard.minRepay)],
    [
      guardWords.cooldown,
      source
        ? guardWords.cooldownBut(duration(guard.cooldownSeconds), coverWords.cooldownException(protocol, source))
        : duration(guard.cooldownSeconds),
    ],
    [guardWords.whoCanRescue, guard.keeper === undefined ? guardWords.anyone : shortAddress(guard.keeper)],
    source ? [guardWords.alsoTriggeredBy, source] : undefined,
    [now !== undefined && now >= guard.expiresAt ? guardWords.expired : guardWords.expires, when(guard.expiresAt)],
  ];
  return (
    <dl className="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** For each collateral, down to which price one rescue still reaches the target. */
function funded(guard: Guard, loan: Loan | undefined, now: bigint | undefined): (readonly [string, string])[] {
  if (loan === undefined || now === undefined) return [];
  return (collateralsOf(loan) ?? []).map((each) => {
    return [
      guardWords.fundedDownToOf(each.market.symbol),
      fundedWords(fundedDownTo(guard, loan, each, now), each.market),
    ];
  });
}
