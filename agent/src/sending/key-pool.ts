import type { Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import type { Call, Sent } from '@bowline/core/domain/sending';
import type { Timers } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import type { NonceQueue } from './nonce-queue.ts';

/** Several keys, any of which may send a call. */
export type KeyPool = ReturnType<typeof createKeyPool>;

/**
 * Why a key is passed over: its balance or its day's gas does not cover the call, both checked before signing; every
 * node refused what it signed; or what it sent was not mined within three blocks.
 */
type Rule = 'balance' | 'gas_day' | 'refused' | 'not_mined';
const cannotPay: ReadonlySet<string> = new Set<Rule>(['balance', 'gas_day']);
/** A key that was skipped is tried again after this time, or when no other key can send. */
const passedOverMs = 60_000;
/** Blocks that may omit a rescue before a second key also sends it. */
const lateBlocks = 3n;

/** Outcomes of a call that two keys have sent, from the most to the least informative. */
const tellingOrder: readonly Sent['outcome'][] = [
  'confirmed',
  'unknown',
  'consumed',
  'reverted',
  'cancelled',
  'would_revert',
  'not_allowed',
  'not_sent',
];

/** Why the next key may send the call immediately: no node has it. */
function ruleOf(sent: Sent): Rule | undefined {
  if (sent.outcome === 'not_sent') return sent.isRefused && 'refused';
  return sent.outcome === 'not_allowed' && cannotPay.has(sent.rule) ? (sent.rule as Rule) : undefined;
}

/** Whether the outcome shows that the key can send again. */
function isOver(rule: Rule, { outcome }: Sent): boolean {
  if (outcome === 'not_sent' || outcome === 'not_allowed') return false;
  return cannotPay.has(rule) || (outcome !== 'would_revert' && outcome !== 'unknown');
}

/**
 * Spreads calls over the keys: each goes to the key with the fewest calls under way, in order of preference. The next key
 * sends a call immediately if no node has it. After any other outcome, the next key could execute it twice, so it waits.
 * Only a rescue that three blocks have omitted is also sent by a second key, because the contract refuses duplicates.
 * @param spare sends only what none of the keys can.
 */
export function createKeyPool(
  keys: readonly NonceQueue[],
  spare: NonceQueue | undefined,
  { heads, log, timers }: { readonly heads: Heads; readonly log: Log; readonly timers: Timers },
) {
  /** Why each key was last passed over, and until when the others are asked first. */
  const passed = new Map<NonceQueue, { readonly rule: Rule; readonly untilMs: number }>();
  /** Until when none of the keys can send, as far as the last call showed. */
  let unableUntilMs = 0;
  const passedOverFor = (key: NonceQueue): Rule | undefined => {
    const { rule, untilMs = 0 } = passed.get(key) ?? {};
    return timers.now() < untilMs ? rule : undefined;
  };
  const without = (tried: readonly NonceQueue[]): NonceQueue[] =>
    inOrder(
      [...keys, ...(spare ? [spare] : [])].filter((key) => !tried.includes(key)),
      spare,
      passedOverFor,
    );

  /** Logs once per change: while it lasts, every call gets here. */
  function passOver(key: NonceQueue, rule: Rule, instead: Address, { label }: Call): void {
    const { address } = key;
    const event = cannotPay.has(rule) ? 'sender.cannot_pay' : 'sender.cannot_send';
    if (passed.get(key)?.rule !== rule) log.warn(event, { address, rule, instead });
    passed.set(key, { rule, untilMs: timers.now() + passedOverMs });
    // Counted in /metrics.
    log.debug('sender.fell_back', { label, rule, instead });
  }

  async function sendBy(key: NonceQueue, call: Call): Promise<Sent> {
    const sent = await key.send(call);
    if (sent.outcome === 'confirmed') unableUntilMs = 0;
    const rule = passed.get(key)?.rule;
    if (rule !== undefined && isOver(rule, sent)) {
      passed.delete(key);
      log.info(cannotPay.has(rule) ? 'sender.can_pay' : 'sender.can_send', { address: key.address });
    }
    return sent;
  }

  async function attempt(
    callOf: (key: Address) => Call,
    tried: readonly NonceQueue[] = [],
    isSecond = false,
  ): Promise<Sent> {
    const [key] = without(tried);
    if (key === undefined) return { outcome: 'not_sent' };
    const call = callOf(key.address);
    const sending = sendBy(key, call);
    const then = [...tried, key];
    // A call on which nodes contradict each other would revert twice.
    const mayTwice = call.byAnybody && !call.isDoubtful && !isSecond;
    if (mayTwice && (await isPassedOver(heads, key, call, sending))) {
      const [second] = without(then);
      if (second === undefined) return sending;
      passOver(key, 'not_mined', second.address, call);
      return eitherOf(
        heads,
        sending,
        attempt((by) => anew(callOf(by)), then, true),
      );
    }
    const sent = await sending;
    const rule = ruleOf(sent);
    const [next] = without(then);
    if (rule !== undefined && next === undefined) unableUntilMs = timers.now() + passedOverMs;
    if (rule === undefined || next === undefined) return sent;
    passOver(key, rule, next.address, call);
    return attempt(callOf, then, isSecond);
  }

  return {
    send: (call: Call) => attempt(() => call),
    /** Like `send`, for a call that depends on the sending key. */
    sendBy: (callOf: (key: Address) => Call) => attempt(callOf),
    /** False for a minute after every key either could not pay or was refused by all nodes. */
    canSend: () => timers.now() >= unableUntilMs,
  };
}

/** Last come keys with a held-up nonce or transaction, after the spare. @param passedOverFor why one is passed over. */
function inOrder(
  keys: NonceQueue[],
  spare: NonceQueue | undefined,
  passedOverFor: (key: NonceQueue) => Rule | undefined,
): NonceQueue[] {
  const isPoor = (key: NonceQueue): boolean => cannotPay.has(passedOverFor(key) ?? '');
  const isStuck = (key: NonceQueue): boolean => key.isHeld() || (passedOverFor(key) !== undefined && !isPoor(key));
  return keys.toSorted(
    (a, b) =>
      Number(isStuck(a)) - Number(isStuck(b)) ||
      Number(a === spare) - Number(b === spare) ||
      Number(isPoor(a)) - Number(isPoor(b)) ||
      a.underWay() - b.underWay(),
  );
}

/** Whether a call is still open when three blocks have passed. */
function isPassedOver(heads: Heads, key: NonceQueue, call: Call, sending: Promise<Sent>): Promise<boolean> {
  return new Promise((resolve) => {
    // The newest known head may be old: at rest, blocks are polled rarely.
    let first: bigint | undefined;
    const stop = heads.onHead(({ number }) => {
      first ??= number;
      if (number < first + lateBlocks - 1n) return;
      stop();
      void key.isOpen(call).then(resolve);
    });
    const end = () => {
      stop();
      resolve(false);
    };
    sending.then(end, end);
  });
}

const nextBlock = (heads: Heads) =>
  new Promise<undefined>((resolve) => {
    const stop = heads.onHead(() => {
      stop();
      resolve(undefined);
    });
  });

/** Outcome of a call that two keys have sent. Only one of the two acts, and the other may stay open for long. */
async function eitherOf(heads: Heads, first: Promise<Sent>, second: Promise<Sent>): Promise<Sent> {
  const { sent, other } = await Promise.race([
    first.then((sent) => ({ sent, other: second })),
    second.then((sent) => ({ sent, other: first })),
  ]);
  // A transaction mined in the same block has its outcome by the next block.
  const late = await (sent.outcome === 'confirmed' ? Promise.race([other, nextBlock(heads)]) : other);
  return late === undefined ? sent : together(sent, late);
}

/** The same call, which must be simulated again: it may have been executed meanwhile. */
const anew = ({ isSimulated, ...call }: Call): Call => call;

/** If both transactions are mined, one or the other made each rescue. */
function together(a: Sent, b: Sent): Sent {
  if (a.outcome === 'confirmed' && b.outcome === 'confirmed') {
    const earlier = a.block <= b.block ? a : b;
    return { ...earlier, events: [...a.events, ...b.events] };
  }
  return tellingOrder.indexOf(a.outcome) <= tellingOrder.indexOf(b.outcome) ? a : b;
}
