import { guardKey } from '@bowline/core/domain/guard-key';
import { lacksOf } from '@bowline/core/domain/guard-lacks';
import { mayTake } from '@bowline/core/domain/guarded-loan';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Settings } from '../api/settings.ts';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { coverageWords, unwatchedBadge, unwatchedMore } from '../chain/coverage/coverage-words.ts';
import { isEditable } from '../chain/coverage/editable.ts';
import { watchesChainlink } from '../chain/coverage/price-source.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { amountOf, costOf } from '../words/amount-of.ts';
import { actionWords } from '../words/en/action-items.ts';
import { coverWords } from '../words/en/coverage.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';
import type { ActionItem, Known } from './known.ts';
import { contended, planActionItems } from './plan-action-items.ts';

/** Everything that needs the owner, the most costly first. */
export const actionItemsOf = (known: Known, settings: Settings): readonly ActionItem[] => [
  ...known.covered.flatMap((each) => (isSucceeded(each, known) ? [] : guardActionItems(each, known, settings))),
  // An unknown guard may cover the loan.
  ...(known.hasUnknownGuards ? [] : known.loans.flatMap((loan) => unguarded(loan, known.covered))),
  ...planActionItems(known, settings),
  ...contended(known, settings),
];

function guardActionItems(each: Covered, { covered, now }: Known, settings: Settings): readonly ActionItem[] {
  const { guard, loan, coverage } = each;
  const { status, expiresAt } = guard;
  const id = guardKey(guard);
  if (status !== 'active' || (loan !== undefined && !owesIn(guard, loan))) return [];
  const item = (what: string, text: string, action: string, isFunds = false): ActionItem => {
    return { key: `guard-${id}-${what}`, text, href: `/loans/${id}`, action, isFunds };
  };
  const amount = (base: bigint) => amountOf(settings, guard.repayToken, base);
  // The account is the guard's borrower, its payer or both; each can fix different things.
  const isPayer = !each.isPaidByOther;
  const isBorrower = !isPayer || sameAddress(guard.funder, guard.borrower);
  const canEdit = isPayer && isBorrower && isEditable(guard, settings);
  const held = isPayer ? actionWords.balance : actionWords.payerBalance;
  const cost = (base: bigint) => costOf(settings, guard.repayToken, base);
  const lacks = lacksOf(guard, loan, now, watchesChainlink(guard, settings)).map((lack) => {
    switch (lack.what) {
      case 'allowance':
        return item(
          lack.what,
          actionWords.allowance(id, amount(lack.has), cost(lack.needed)),
          isPayer ? actionWords.approve : actionWords.look,
          true,
        );
      case 'balance':
        return item(lack.what, held(id, amount(lack.has), cost(lack.needed)), actionWords.look, true);
      case 'expiry':
        return item(
          lack.what,
          (now < expiresAt ? actionWords.expires : actionWords.expired)(id, when(expiresAt)),
          canEdit ? partWords.extend : actionWords.look,
        );
      default:
        return item(
          lack.what,
          actionWords.cap(id, amount(lack.has), cost(lack.needed)),
          canEdit ? partWords.raise : actionWords.look,
        );
    }
  });
  const { badge, more = '' } = coverageWords(coverage, loan?.protocol.name ?? '', { amount, cost }, when);
  if (coverage.state !== 'unable') {
    const { nextFrom, unwatched, onlyBy, due } = coverage;
    const isShort = isDebtTooSmall(each) && !isHelped(each, covered);
    const others = item(
      'part',
      actionWords.part(id, amount(coverage.amount), cost(coverage.needed)),
      isBorrower ? actionWords.guardIt : actionWords.look,
    );
    const lacking = isShort ? [...lacks, isBorrower ? { ...others, href: '/loans' } : others] : lacks;
    const what = boundBy(coverage);
    if (what) {
      const doing =
        nextFrom !== undefined ? [due ? actionWords.yourself : actionWords.meanwhile] : due ? [actionWords.ifNone] : [];
      const all = [more, ...doing].join(coverWords.space);
      // The loan is liquidated, not its guard.
      const isOfLoan = what === 'liquidatable' && loan !== undefined;
      const text = isOfLoan ? actionWords.liquidatable(loan.protocol.name, all) : actionWords.unable(id, badge, all);
      const said = item(what, text, actionWords.look, what === 'shared');
      return [...lacking, isWaitedFor(coverage) ? { ...said, isWait: true } : said];
    }
    if (unwatched === undefined || onlyBy !== undefined) return lacking;
    const text =
      unwatched === 'unseen'
        ? actionWords.keeperUnseen(id)
        : actionWords.unable(id, unwatchedBadge(unwatched), unwatchedMore(unwatched));
    return [...lacking, item('keeper', text, actionWords.look)];
  }
  // An unknown state is reported once, above. A coming expiry does not explain why a guard cannot act until then.
  const { why } = coverage;
  const isSaid = why === 'unknown' || lacks.some(({ key }) => why === 'expired' || key !== `guard-${id}-expiry`);
  return isSaid ? lacks : [...lacks, item(why, actionWords.unable(id, badge, more), actionWords.look)];
}

type Able = Exclude<Coverage, { readonly state: 'unable' }>;

/** What holds back a guard's next rescue, or takes the loan first. The badge names the worst, the text names all. */
function boundBy({ isForced, isLiquidatable, nextFrom, due, shares }: Able): string | undefined {
  if (isForced) return 'forced';
  if (isLiquidatable) return 'liquidatable';
  if (nextFrom !== undefined) return 'rests';
  if (due) return 'due';
  return shares ? 'shared' : undefined;
}

/** Whether the owner can only wait: for a due rescue, or for the end of a cooldown while none is due. */
const isWaitedFor = ({ isForced, isLiquidatable, nextFrom, due, unwatched, shares }: Able): boolean =>
  !(isForced || isLiquidatable || unwatched || shares) && (nextFrom === undefined) === (due !== undefined);

/** Whether all the debt in the guard's market is too little to reach the target. */
const isDebtTooSmall = ({ guard, loan, coverage }: Covered): boolean => {
  const market = loan?.markets.find((each) => sameAddress(each.market, guard.market));
  return coverage.state === 'part' && market !== undefined && market.debt <= coverage.amount;
};

/** Whether another guard of the same loan reaches its target. */
const isHelped = ({ guard, loan }: Covered, covered: readonly Covered[]): boolean =>
  covered.some(
    (other) => guardKey(other.guard) !== guardKey(guard) && other.loan === loan && other.coverage.state === 'full',
  );

/** Whether the loan has debt in the guard's market. If not, a rescue has nothing to repay and its end is irrelevant. */
const owesIn = (guard: Guard, { healthWad, markets }: Loan): boolean =>
  healthWad !== undefined && markets.some(({ market, debt }) => debt > 0n && sameAddress(market, guard.market));

/** Whether it is an active guard of that loan, in a market where the loan has debt. */
export const isGuardOf = ({ guard, loan }: Covered, of: Loan): boolean =>
  guard.status === 'active' && loan === of && owesIn(guard, of);

/** Whether a guard has expired and another one has taken over its loan: then its expiry needs no action. */
const isSucceeded = ({ guard, loan }: Covered, { covered, now }: Known): boolean =>
  loan !== undefined &&
  !mayTake(guard, now) &&
  covered.some((each) => mayTake(each.guard, now) && isGuardOf(each, loan));

/** The action item of a loan without an active guard. */
function unguarded(loan: Loan, covered: readonly Covered[]): readonly ActionItem[] {
  const { protocol, healthWad } = loan;
  if (healthWad === undefined || covered.some((each) => isGuardOf(each, loan))) return [];
  const text = actionWords.unguarded(protocol.name, health(healthWad));
  return [{ key: `loan-${protocol.name}`, text, href: '/loans', action: actionWords.guardIt, isFunds: false }];
}
