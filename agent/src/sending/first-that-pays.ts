import type { Call, Log, Sender, Sent } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';
import type { Way } from './routed-sender.ts';

/** Sends with the first of several keys that can pay for the gas. */
export interface FirstThatPays extends Way {
  /** Like `send`, for a call that depends on the sending key. Its outcome is not remembered. */
  sendBy(callOf: (key: Address) => Call): Promise<Sent>;
}

/** In order of preference, each with its own queue. */
type Keys = readonly [Sender, ...Sender[]];

/** Rules that mean a key cannot pay: its balance and its daily gas. Both are checked before signing. */
const cannotPay: ReadonlySet<string> = new Set(['balance', 'gas_day']);
/** Outcomes that do not show whether the key could have paid. */
const saysNothing: ReadonlySet<Sent['outcome']> = new Set(['not_sent', 'not_allowed']);

/**
 * Sends each call with the first key that can pay for it. Only a key that cannot pay is passed over: after any other
 * outcome the call may be signed, and the next key could execute it twice.
 */
export function createFirstThatPays(keys: Keys, log: Log): FirstThatPays {
  /** Rule by which each key last could not pay. */
  const rules = new Map<Sender, string>();
  /** Keys of calls whose outcome was unknown. */
  const unknown = new Map<Hex, Sender>();

  async function attempt(
    callOf: (key: Address) => Call,
    [key, next, ...others]: Keys = keys,
  ): Promise<{ readonly sent: Sent; readonly key: Sender }> {
    const { address } = key;
    const call = callOf(address);
    const sent = await key.send(call);
    const rule = sent.outcome === 'not_allowed' && cannotPay.has(sent.rule) ? sent.rule : undefined;
    if (rule === undefined || next === undefined) {
      if (!saysNothing.has(sent.outcome) && rules.delete(key)) log.info('sender.can_pay', { address });
      return { sent, key };
    }
    // Log once per change: until the key is funded, every call gets here.
    if (rules.get(key) !== rule) log.warn('sender.cannot_pay', { address, rule, instead: next.address });
    rules.set(key, rule);
    // Counted in /metrics.
    log.debug('sender.fell_back', { label: call.label, rule, instead: next.address });
    return attempt(callOf, [next, ...others]);
  }

  return {
    sendBy: async (callOf) => (await attempt(callOf)).sent,
    async send(call) {
      const { sent, key } = await attempt(() => call);
      if (sent.outcome === 'unknown') unknown.set(sent.hash, key);
      return sent;
    },
    async outcome(hash) {
      const sent = await unknown.get(hash)?.outcome(hash);
      if (sent !== undefined && sent.outcome !== 'unknown') unknown.delete(hash);
      return sent;
    },
  };
}
