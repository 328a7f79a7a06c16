import { wantedBy } from '@bowline/core/domain/guard-shares';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import type { Settings } from '../api/settings.ts';
import { amountOf } from '../words/amount-of.ts';
import { needWords } from '../words/en/needs.ts';
import type { Known, Need } from './known.ts';
import { nextBuys } from './plan-needs.ts';

/** Tokens that cover the account's next buys or its guards' rescues, but not both. */
export function contended({ plans, covered, now }: Known, settings: Settings): readonly Need[] {
  if (plans === undefined) return [];
  return [...nextBuys(plans.plans, now)].flatMap(([token, buys]) => {
    const guards = covered.filter((each) => !each.isPaidByOther && sameAddress(each.guard.repayToken, token));
    const rescues = guards.reduce((sum, each) => sum + wantedBy(each, now), 0n);
    const held = guards.find(({ guard }) => guard.means)?.guard.means?.balance;
    // Too little for the buys alone is said with the plans.
    const isSaid = (plans.balances[token] ?? 0n) < buys;
    if (isSaid || held === undefined || rescues === 0n || held < rescues || held >= buys + rescues) return [];
    const amount = (base: bigint) => amountOf(settings, token as Address, base);
    const text = needWords.contended(amount(held), amount(buys), amount(rescues));
    return [{ key: `contended-${token}`, text, href: '/loans', action: needWords.look, isFunds: true }];
  });
}
