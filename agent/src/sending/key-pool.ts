import type { Call, Log, Sent, Timers } from '@bowline/core/domain/ports';
import type { Address } from '@bowline/core/domain/units';
import type { Lane } from './lane.ts';

/** Several keys of which any may send a call. */
export interface KeyPool {
  send(call: Call): Promise<Sent>;
  /** Like `send`, for a call that depends on the sending key. */
  sendBy(callOf: (key: Address) => Call): Promise<Sent>;
}

/** Rules that mean a key cannot pay: its balance and its daily gas. Both are checked before signing. */
const cannotPay: ReadonlySet<string> = new Set(['balance', 'gas_day']);
/** A key that cannot pay is asked again after this time, or when no other one can. */
const poorMs = 60_000;
/** Outcomes that do not show whether the key could have paid. */
const saysNothing: ReadonlySet<Sent['outcome']> = new Set(['not_sent', 'not_allowed']);

/**
 * Spreads calls over the keys: each goes to the key with the fewest calls under way, in order of preference. Only a key
 * that cannot pay is passed over: after any other outcome the call may be signed, and the next key could execute it twice.
 * @param spare sends only what none of the keys can pay for.
 */
export function createKeyPool(
  keys: readonly Lane[],
  spare: Lane | undefined,
  { log, timers }: { readonly log: Log; readonly timers: Timers },
): KeyPool {
  /** Rule by which each key last could not pay. */
  const rules = new Map<Lane, string>();
  /** Until then the others are asked first. */
  const poorUntil = new Map<Lane, number>();
  const isPoor = (key: Lane): number => Number(timers.now() < (poorUntil.get(key) ?? 0));

  /** Keys whose nonces are held up come last, the spare one before them. */
  const ordered = (): Lane[] =>
    [...keys, ...(spare ? [spare] : [])].toSorted(
      (a, b) =>
        Number(a.isHeld()) - Number(b.isHeld()) ||
        Number(a === spare) - Number(b === spare) ||
        isPoor(a) - isPoor(b) ||
        a.underWay() - b.underWay(),
    );

  async function attempt(callOf: (key: Address) => Call, tried: readonly Lane[] = []): Promise<Sent> {
    const left = () => ordered().filter((key) => !tried.includes(key));
    const [key] = left();
    if (key === undefined) return { outcome: 'not_sent' };
    const { address } = key;
    const call = callOf(address);
    const sent = await key.send(call);
    const rule = sent.outcome === 'not_allowed' && cannotPay.has(sent.rule) ? sent.rule : undefined;
    const next = left().find((each) => each !== key);
    if (rule === undefined || next === undefined) {
      if (!saysNothing.has(sent.outcome) && rules.delete(key)) log.info('sender.can_pay', { address });
      return sent;
    }
    // Log once per change: until the key is funded, every call gets here.
    if (rules.get(key) !== rule) log.warn('sender.cannot_pay', { address, rule, instead: next.address });
    rules.set(key, rule);
    poorUntil.set(key, timers.now() + poorMs);
    // Counted in /metrics.
    log.debug('sender.fell_back', { label: call.label, rule, instead: next.address });
    return attempt(callOf, [...tried, key]);
  }

  return { send: (call) => attempt(() => call), sendBy: (callOf) => attempt(callOf) };
}
