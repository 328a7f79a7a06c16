import type { GuardKey } from '../domain/guard-key.ts';
import { inUtc, shortAddress, toIsoTime } from '../domain/readable.ts';
import type { Address } from '../domain/units.ts';
import { healthOf } from './amounts.ts';
import { counted } from './counts.ts';
import { inWords } from './words.ts';

// What owners are told, in sentences: by the page and its notifications, and by a bot.

export const noDebtLeft: string = 'no debt left';

export const rescuedText = (repaid: string, before: string, after: string): string =>
  `Repaid ${repaid}: health ${before} → ${after}.`;

export const fewRunsText = (plan: bigint | string, runs: number): string =>
  `Plan ${plan} is funded for only ${counted(runs, 'more trade')}.`;

export const lowAllowanceText = (guard: GuardKey | string, has: string, needed: string): string =>
  `Guard ${guard}: approved ${has} of the ${needed} the next rescue needs.`;

export const lowBalanceText = (guard: GuardKey | string, has: string, needed: string): string =>
  `Guard ${guard}: its paying account holds ${has} of the ${needed} the next rescue needs.`;

/** A notice; docs/owners.md describes its fields. */
interface Noticed {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A notice in one sentence, and which account it is about. @param amountOf an amount of a token in words. */
export function noticeText({ type, data }: Noticed, amountOf: (token: Address, base: bigint) => string): string {
  const text = (name: string) => String(data[name]);
  const amount = (token: string, name: string) => amountOf(text(token) as Address, BigInt(text(name)));
  const sentences: Readonly<Record<string, () => string>> = {
    rescue_made() {
      if (data.repaid === undefined) return `Guard ${text('guard')} made a rescue.`;
      const after = data.health_after === null ? noDebtLeft : healthOf(text('health_after'));
      return rescuedText(amount('repay_token', 'repaid'), healthOf(text('health_before')), after);
    },
    rescue_irregular: () =>
      `A rescue broke the terms of guard ${text('guard')}: ${[data.irregularities].flat().join('; ')}.`,
    deferral_streak() {
      const [reason] = [data.reasons].flat().slice(-1);
      return `Plan ${text('plan')} is waiting: ${counted(Number(data.deferrals), 'deferral')} in a row, the last because ${inWords(String(reason))}.`;
    },
    funds_ending() {
      if (data.plan !== undefined) return fewRunsText(text('plan'), Number(data.runs_left));
      const low = data.limited_by === 'allowance' ? lowAllowanceText : lowBalanceText;
      const needed = data.needed === undefined ? 'min_repay' : 'needed';
      return low(text('guard'), amount('token', text('limited_by')), amount('token', needed));
    },
    guard_cannot_pay: () => `Guard ${text('guard')} cannot pay: ${inWords(text('reason'))}.`,
    webhook_registered: () => `Notices arrive here until ${inUtc(toIsoTime(BigInt(text('expires_at'))))}.`,
  };
  return `${sentences[type]?.() ?? inWords(type)} (${shortAddress(text('account'))})`;
}
