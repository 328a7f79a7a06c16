import { guardKey } from '@bowline/core/domain/guard-key';
import type { Lack } from '@bowline/core/domain/guard-lacks';
import { Link } from 'wouter';
import type { Guard } from '../chain/read-guards.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import type { moneyOf } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { when } from '../words/times.ts';

interface Props {
  readonly guard: Guard;
  readonly lacks: readonly Lack[];
  readonly now: bigint | undefined;
  /** Formats base units of the repay token. */
  readonly money: ReturnType<typeof moneyOf>;
  /** Undefined where this account cannot approve. */
  readonly approve: { readonly amount: bigint; readonly run: () => void } | undefined;
  /** Undefined where this account cannot replace the guard. */
  readonly edit: ((what: 'terms' | 'end') => void) | undefined;
  /** The symbol of the repay token, if the viewing account pays and can buy some. */
  readonly buys: string | undefined;
  readonly isBusy: boolean;
}

/** What the guard lacks, each with the button that fixes it. */
export function LacksList({ guard, lacks, now, money, approve, edit, buys, isBusy }: Props) {
  if (lacks.length === 0) return null;
  return (
    <ul className="lacks stack small" aria-label={guardWords.lacks(guardKey(guard))}>
      {lacks.map((lack, at) => (
        <li key={lack.what} className="spread">
          <span>{sentence(lack, guard, now, money)}</span>
          {lack.what === 'allowance' && approve && (
            <button type="button" className={`button${loud(at)}`} disabled={isBusy} onClick={approve.run}>
              {partWords.approveStep(money.cost(approve.amount))}
            </button>
          )}
          {lack.what === 'balance' && (
            <span>
              {guardWords.payer} <code className="full">{guard.funder}</code>{' '}
              <CopyButton text={guard.funder} of={guardWords.ofPayer} />
            </span>
          )}
          {lack.what === 'balance' && buys && (
            <Link className={`button${loud(at)}`} href="/trade">
              {partWords.buyAsset(buys)}
            </Link>
          )}
          {lack.what !== 'allowance' && lack.what !== 'balance' && edit && (
            <button
              type="button"
              className={`button${loud(at)}`}
              disabled={isBusy}
              onClick={() => edit(lack.what === 'expiry' ? 'end' : 'terms')}
            >
              {lack.what === 'expiry' ? partWords.extend : partWords.raise}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What blocks a rescue comes first: only the first fix has the primary button. */
const loud = (at: number) => (at === 0 ? ' primary' : '');

/** Held amounts are rounded down and needed ones up, so that a shortfall never looks like enough. */
function sentence(lack: Lack, guard: Guard, now: bigint | undefined, { amount, cost }: Props['money']): string {
  if (lack.what === 'expiry') {
    const isOver = now !== undefined && now >= guard.expiresAt;
    return (isOver ? guardWords.lackExpired : guardWords.lackExpires)(when(guard.expiresAt));
  }
  const [has, needed] = [amount(lack.has), cost(lack.needed)];
  switch (lack.what) {
    case 'allowance':
      return guardWords.lackAllowance(has, needed);
    case 'balance':
      return guardWords.lackBalance(has, needed, cost(lack.needed - lack.has));
    case 'cap_per_rescue':
      return guardWords.lackPerRescue(has, needed);
    case 'left_today':
      return guardWords.lackToday(has, needed);
  }
}
