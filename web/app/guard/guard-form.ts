import { MAX_TARGET_WAD, MAX_TRIGGER_WAD, MIN_RESCUE_USD_WAD, minTargetWadUp } from '@bowline/core/domain/bounds';
import { GUARD_COOLDOWN_SECONDS, GUARD_DAYS, GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import { formatUnits, mulDivUp, smallest, WAD } from '@bowline/core/domain/units';
import type { Guard } from '../chain/read-guards.ts';
import type { LoanMarket } from '../chain/read-loan.ts';
import { type Parsed, parseAmount } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { duration, when } from '../words/times.ts';

export const blankGuard = {
  trigger: '1.1',
  target: GUARD_TARGET_HEALTH,
  capPerRescue: '',
  capPerDay: '',
  total: '',
  cooldown: String(GUARD_COOLDOWN_SECONDS),
  days: String(GUARD_DAYS),
  watch: 'protocol',
};

export const watches = (protocol: string) => [
  { value: 'protocol', name: guardWords.onlyProtocol(protocol) },
  { value: 'chainlink', name: guardWords.orChainlink(protocol) },
];

/** The cooldowns to choose from, including the edited guard's. @param isLocal also offers a short one. */
export const cooldownsWith = (chosen: string, isLocal: boolean) =>
  [...new Set([...(isLocal ? ['60'] : []), '3600', '21600', chosen])]
    .toSorted((a, b) => Number(a) - Number(b))
    .map((value) => ({ value, name: duration(BigInt(value)) }));

const KEPT = 'kept';

/** Whether an end can be kept. Without the chain's time it counts as ahead. @param now unix seconds. */
const isAhead = (end: bigint, now: bigint | undefined): boolean => now === undefined || end > now;

/** The durations to choose from, including the edited guard's end unless it is past. */
export const termsWith = (kept: bigint | undefined, now: bigint | undefined) => [
  ...(kept === undefined || !isAhead(kept, now) ? [] : [{ value: KEPT, name: guardWords.keptEnd(when(kept)) }]),
  { value: '30', name: guardWords.days30 },
  { value: '90', name: guardWords.days90 },
  { value: '365', name: guardWords.year },
];

/** Initial end in an edited guard's form. @param isExtending whether the form is opened to get a later one. */
export const keptDays = ({ expiresAt }: Pick<Guard, 'expiresAt'>, isExtending: boolean, now: bigint | undefined) =>
  isExtending || !isAhead(expiresAt, now) ? blankGuard.days : KEPT;

/** A form's expiry. The replaced guard's expiry may pass while the form is open. */
export const readEnd = (days: string, edited: Pick<Guard, 'expiresAt'> | undefined, now: bigint | undefined) => ({
  error: days === KEPT && edited && !isAhead(edited.expiresAt, now) ? guardWords.endPassed : undefined,
  ...(days === KEPT && edited
    ? { days: 0n, expiresAt: edited.expiresAt }
    : { days: BigInt(days), expiresAt: undefined }),
});

/**
 * Default limits, which the user can change: two rescues of half the debt each. Rounded up to whole tokens or to three
 * digits, whichever is finer, because one token may be worth more than the debt.
 */
export function suggested({ debt, decimals }: LoanMarket): typeof blankGuard {
  const unit = 10n ** BigInt(decimals);
  const fine = 10n ** BigInt(Math.max(0, String(debt / 2n).length - 3));
  const step = smallest([fine, unit]);
  const half = (debt / 2n / step + 1n) * step;
  const text = (amount: bigint) => formatUnits(amount, decimals);
  return { ...blankGuard, capPerRescue: text(half), capPerDay: text(half), total: text(half * 2n) };
}

/** The form with both rescue limits lowered to the typed total if that is smaller. */
export function withinTotal(
  form: typeof blankGuard,
  total: string | undefined,
  { decimals }: LoanMarket,
): typeof blankGuard {
  const [most, cap] = [parseAmount(total ?? '', decimals), parseAmount(form.capPerRescue, decimals)];
  if (total === undefined || !most.ok || !cap.ok || most.value >= cap.value) return form;
  return { ...form, capPerRescue: total, capPerDay: total };
}

/**
 * The form with an existing guard's terms, for editing. An existing approval stays.
 * @param isExtending whether the form is opened to get a later end.
 * @param now unix seconds; undefined if the chain's time is not known.
 */
export function formOf(
  guard: Guard,
  { decimals, allowance }: LoanMarket,
  isExtending: boolean,
  now: bigint | undefined,
): typeof blankGuard {
  const text = (amount: bigint) => formatUnits(amount, decimals);
  return {
    ...blankGuard,
    trigger: formatUnits(guard.triggerHealthWad, 18),
    target: formatUnits(guard.targetHealthWad, 18),
    capPerRescue: text(guard.capPerRescue),
    capPerDay: text(guard.capPerDay),
    total: text(allowance > 0n ? allowance : guard.capPerDay),
    cooldown: String(guard.cooldownSeconds),
    days: keptDays(guard, isExtending, now),
    watch: guard.priceSource === undefined ? 'protocol' : 'chainlink',
  };
}

/** A guard as the user entered it; amounts in base units of the repay token. */
export interface GuardDraft {
  readonly market: LoanMarket;
  readonly triggerHealthWad: bigint;
  readonly targetHealthWad: bigint;
  readonly capPerRescue: bigint;
  readonly capPerDay: bigint;
  readonly total: bigint;
  readonly minRepay: bigint;
  readonly cooldownSeconds: bigint;
  readonly days: bigint;
  /** The replaced guard's end in unix seconds, if it is kept. Undefined: the guard ends after `days`. */
  readonly expiresAt: bigint | undefined;
  /** Whether Chainlink's prices trigger a rescue too. */
  readonly watchesChainlink: boolean;
}

/** When it ends, unix seconds. */
export const endOf = ({ days, expiresAt }: Pick<GuardDraft, 'days' | 'expiresAt'>, now: bigint): bigint =>
  expiresAt ?? now + days * 86_400n;

/**
 * Parses the form; `errors` names the invalid fields and why.
 * @param priceWad USD price of 1e18 base units of the repay token, 18 decimals.
 * @param edited the replaced guard: terms that the form does not show stay.
 * @param now unix seconds: the replaced guard's end may pass while the form is open. Undefined if not known.
 */
export function readGuardForm(
  form: typeof blankGuard,
  market: LoanMarket,
  priceWad: bigint,
  edited?: Pick<Guard, 'minRepay' | 'expiresAt'>,
  now?: bigint,
) {
  const trigger = healthBetween(form.trigger, WAD, MAX_TRIGGER_WAD, guardWords.triggerBounds);
  const target = targetAbove(trigger, form.target, guardWords.targetBounds);
  const capPerRescue = parseAmount(form.capPerRescue, market.decimals);
  const capPerDay = parseAmount(form.capPerDay, market.decimals);
  const total = parseAmount(form.total, market.decimals);
  const isDayShort = capPerRescue.ok && capPerDay.ok && capPerDay.value < capPerRescue.value;
  const { error: days, ...end } = readEnd(form.days, edited, now);
  const errors = {
    trigger: why(trigger),
    target: why(target),
    capPerRescue: why(capPerRescue),
    capPerDay: isDayShort ? guardWords.dayTooSmall : why(capPerDay),
    total: why(total),
    days,
  };
  if (days !== undefined || !trigger.ok || !target.ok || !capPerRescue.ok || !capPerDay.ok || !total.ok || isDayShort) {
    return { draft: undefined, errors };
  }
  const draft: GuardDraft = {
    market,
    triggerHealthWad: trigger.value,
    targetHealthWad: target.value,
    capPerRescue: capPerRescue.value,
    capPerDay: capPerDay.value,
    total: total.value,
    minRepay: minRepayOf(priceWad, capPerRescue.value, edited),
    cooldownSeconds: BigInt(form.cooldown),
    ...end,
    watchesChainlink: form.watch === 'chainlink',
  };
  return { draft, errors };
}

/**
 * The minimum of a rescue: twice the agent's own minimum, because the token's price may halve before it is needed. A
 * rescue smaller than the agent makes would only start the cooldown.
 */
export const minRepayOf = (
  priceWad: bigint,
  capPerRescue: bigint,
  edited: Pick<Guard, 'minRepay'> | undefined,
): bigint =>
  smallest([
    edited?.minRepay ?? (priceWad === 0n ? 1n : mulDivUp(2n * MIN_RESCUE_USD_WAD, WAD, priceWad)),
    capPerRescue,
  ]);

export function healthBetween(text: string, least: bigint, most: bigint, otherwise: string): Parsed {
  const parsed = parseAmount(text, 18);
  if (!parsed.ok) return parsed;
  return parsed.value < least || parsed.value > most ? { ok: false, why: otherwise } : parsed;
}

export const targetAbove = (trigger: Parsed, text: string, otherwise: string): Parsed =>
  healthBetween(text, trigger.ok ? minTargetWadUp(trigger.value) : WAD, MAX_TARGET_WAD, otherwise);

export const why = (parsed: Parsed): string | undefined => (parsed.ok ? undefined : parsed.why);
