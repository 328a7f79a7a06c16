import type { Call, Log, Sender, Sent } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';
import type { Way } from './routed-sender.ts';

/** A way onto the chain by the first of several keys that can pay for the gas. */
export interface FirstThatPays extends Way {
  /** As `send`, for a call that depends on the key that sends it. Its outcome is not remembered. */
  sendBy(callOf: (key: Address) => Call): Promise<Sent>;
}

/** In order of preference, each with a queue of its own. */
type Keys = readonly [Sender, ...Sender[]];

/** Rules by which a key cannot pay: its balance, and its gas of a day. Both are checked before it signs. */
const cannotPay: ReadonlySet<string> = new Set(['balance', 'gas_day']);
/** These do not say whether the key could have paid. */
const saysNothing: ReadonlySet<Sent['outcome']> = new Set(['not_sent', 'not_allowed']);

/**
 * Sends each call by the first key that can pay for it. Only a key that cannot pay is passed over: after any other outcome the
 * call may have been signed, and the next key would do it twice.
 */
export function createFirstThatPays(keys: Keys, log: Log): FirstThatPays {
  /** By which rule each key could not pay when it was last asked. */
  const rules = new Map<Sender, string>();
  /** Where calls went whose outcome was not known. */
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
    // Once for each change: until somebody fills the key, every call comes here.
    if (rules.get(key) !== rule) log.warn('sender.cannot_pay', { address, rule, instead: next.address });
    rules.set(key, rule);
    // For the counters of /metrics.
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
