import { sameAddress } from '@bowline/core/domain/same-address';
import type { Call, Sender } from '@bowline/core/domain/sending';
import type { Clock } from '@bowline/core/domain/time';
import { type Address, type Hex, largest, smallest, utcDay } from '@bowline/core/domain/units';
import { size, slice } from 'viem';

/** One function of one contract that the keeper may call. */
export interface AllowedCall {
  readonly to: Address;
  /** First four bytes of the calldata. */
  readonly selector: Hex;
  /** Maximum gas limit. */
  readonly maxGas: bigint;
  readonly maxGasPriceWei: bigint;
  /** The same for a call whose limit depends on what it saves; absent: as for any other. */
  readonly maxByValueWei?: bigint;
  /** Maximum wei paid for all gas of a UTC day, including this call at its maximum cost. */
  readonly maxDayWei: bigint;
  /** The same for only this selector's calls, which also count towards `maxDayWei`; absent: no bound of their own. */
  readonly maxOwnDayWei?: bigint;
  /** The same for calls on which nodes contradict each other. */
  readonly maxDoubtfulDayWei?: bigint;
}

/** What the keeper's key may sign. Everything not listed is forbidden. */
export interface SigningPolicy {
  readonly chainId: number;
  readonly calls: readonly AllowedCall[];
}

/** Maximum over all calls, which bounds a transaction that frees a nonce. */
export const maxOf = ({ calls }: SigningPolicy) => ({
  gasPriceWei: largest(calls.map(({ maxGasPriceWei }) => maxGasPriceWei)),
  dayWei: largest(calls.map(({ maxDayWei }) => maxDayWei)),
});

/** A transaction with all signed fields. */
export interface Transaction {
  readonly type: 'legacy';
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint;
  readonly gasPrice: bigint;
}

const isCallTo = ({ to, selector }: AllowedCall, target: Address, data: Hex): boolean =>
  sameAddress(to, target) && size(data) >= 4 && slice(data, 0, 4) === selector;

export type SigningRule =
  | 'chain_id'
  | 'target'
  | 'selector'
  | 'value'
  | 'gas'
  | 'gas_price'
  /** The call's own limit, by what it saves. */
  | 'not_worth_gas'
  | 'gas_day'
  /** `maxOwnDayWei`, which only deferrals have. */
  | 'deferral_gas_day'
  /** `maxDoubtfulDayWei`, which only rescues have. */
  | 'doubtful_gas_day';

/**
 * The rule that forbids signing this transaction; undefined if none does.
 * @param spentTodayWei what the payer paid for gas since midnight UTC, and what everything open may still cost.
 * @param spentOnKindWei the same for calls of this `kindOf` only.
 */
export function brokenRule(
  policy: SigningPolicy,
  transaction: Transaction,
  spentTodayWei: bigint,
  spentOnKindWei: bigint,
  { maxGasPriceWei: byValueWei, isDoubtful }: Pick<Call, 'maxGasPriceWei' | 'isDoubtful'> = {},
): SigningRule | undefined {
  const { chainId, to, data, value, gas, gasPrice } = transaction;
  if (chainId !== policy.chainId) return 'chain_id';
  const ofTarget = policy.calls.filter((call) => sameAddress(call.to, to));
  if (ofTarget.length === 0) return 'target';
  const allowed = ofTarget.find((call) => isCallTo(call, to, data));
  if (allowed === undefined) return 'selector';
  // None of our contracts accepts BNB.
  if (value !== 0n) return 'value';
  if (gas > allowed.maxGas) return 'gas';
  if (byValueWei !== undefined && gasPrice > byValueWei) return 'not_worth_gas';
  if (gasPrice > maxPriceOf(allowed, byValueWei)) return 'gas_price';
  if (spentTodayWei + gas * gasPrice > allowed.maxDayWei) return 'gas_day';
  const maxKindWei = isDoubtful ? allowed.maxDoubtfulDayWei : allowed.maxOwnDayWei;
  if (maxKindWei === undefined || spentOnKindWei + gas * gasPrice <= maxKindWei) return undefined;
  return isDoubtful ? 'doubtful_gas_day' : 'deferral_gas_day';
}

/** A no-op that uses up a nonce is allowed up to the highest gas price and day limit of any call in the policy. */
export function brokenCancellationRule(
  policy: SigningPolicy,
  { chainId, gasPrice, maxWei }: { readonly chainId: number; readonly gasPrice: bigint; readonly maxWei: bigint },
  spentTodayWei: bigint,
): SigningRule | undefined {
  const max = maxOf(policy);
  if (chainId !== policy.chainId) return 'chain_id';
  if (gasPrice > max.gasPriceWei) return 'gas_price';
  return spentTodayWei + maxWei > max.dayWei ? 'gas_day' : undefined;
}

/** The kind of call that `GasDay` counts separately; undefined for calls without their own bound. */
export const kindOf = (
  { calls }: SigningPolicy,
  { to, data, isDoubtful }: Pick<Call, 'to' | 'data' | 'isDoubtful'>,
): string | undefined =>
  isDoubtful ? 'doubtful' : calls.find((call) => call.maxOwnDayWei !== undefined && isCallTo(call, to, data))?.selector;

/** Maximum gas price of this call; 0 if the policy does not name it. */
export const maxGasPriceOf = (
  { calls }: SigningPolicy,
  { to, data, maxGasPriceWei }: Pick<Call, 'to' | 'data' | 'maxGasPriceWei'>,
): bigint =>
  largest(calls.filter((call) => isCallTo(call, to, data)).map((allowed) => maxPriceOf(allowed, maxGasPriceWei)));

const maxPriceOf = ({ maxGasPriceWei, maxByValueWei = maxGasPriceWei }: AllowedCall, byValueWei?: bigint): bigint =>
  byValueWei === undefined ? maxGasPriceWei : smallest([byValueWei, maxByValueWei]);

export type GasDay = ReturnType<typeof createGasDay>;

/** What one payer paid for gas since midnight UTC, counted only by this process: a restart counts from 0. */
export function createGasDay(clock: Clock) {
  let day = 0n;
  let paid = 0n;
  const paidOnKind = new Map<string, bigint>();
  const held = new Map<object, { readonly wei: bigint; readonly kind: string | undefined }>();
  const ofToday = (): bigint => {
    const today = utcDay(clock());
    // A clock that is set back starts no new day.
    if (today > day) {
      [day, paid] = [today, 0n];
      paidOnKind.clear();
    }
    return paid;
  };
  const sumHeld = (but: object | undefined, isCounted: (kind: string | undefined) => boolean): bigint =>
    [...held].reduce((sum, [open, { wei, kind }]) => (open === but || !isCounted(kind) ? sum : sum + wei), 0n);
  return {
    paidWei: ofToday,
    /** Maximum that everything open may still cost, except `but`. */
    heldWei: (but?: object) => sumHeld(but, () => true),
    /** Paid plus held for one kind of call only; 0 without a kind. */
    spentOnKindWei(kind: string | undefined, but?: object) {
      if (kind === undefined) return 0n;
      ofToday();
      return (paidOnKind.get(kind) ?? 0n) + sumHeld(but, (of) => of === kind);
    },
    /** `open` may cost this much. Replaces what it held before, and keeps its kind if none is given. */
    hold: (open: object, maxWei: bigint, kind = held.get(open)?.kind) => void held.set(open, { wei: maxWei, kind }),
    /** `open` is over and cost this much. */
    settle: (open: object, paidWei: bigint) => {
      const kind = held.get(open)?.kind;
      held.delete(open);
      paid = ofToday() + paidWei;
      if (kind !== undefined) paidOnKind.set(kind, (paidOnKind.get(kind) ?? 0n) + paidWei);
    },
  };
}

/** The same sender, but it refuses each new call while the agent is stopped. */
export const heldBy = (sender: Sender, isStopped: () => boolean): Sender => ({
  ...sender,
  send: async (call) => (isStopped() ? { outcome: 'not_allowed', rule: 'stop_file' } : sender.send(call)),
});
