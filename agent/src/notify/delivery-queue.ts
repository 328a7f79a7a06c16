// Which notice is delivered next, which is retried, and which a full queue drops. Pure; deliveries.ts drives it.

import type { Log } from '@bowline/core/domain/log';
import type { Posted } from './post.ts';
import type { Webhook } from './registrations.ts';

export interface Delivery {
  readonly webhook: Webhook;
  readonly host: string;
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly attempts: number;
  /** Milliseconds; not attempted before this time. */
  readonly nextAt: number;
  readonly isBusy: boolean;
}

export type Event =
  | { readonly type: 'asked'; readonly delivery: Delivery }
  | { readonly type: 'woken' }
  /** `posted`: absent if its webhook is gone. `chance`: evenly distributed from 0 to 1. */
  | {
      readonly type: 'ended';
      readonly delivery: Delivery;
      readonly posted: Posted | undefined;
      readonly chance: number;
    };

type Effect =
  | { readonly do: 'attempt'; readonly delivery: Delivery }
  | { readonly do: 'wake'; readonly inMs: number }
  | { readonly do: 'log'; readonly level: keyof Log; readonly event: string; readonly fields: object };

type Queue = readonly Delivery[];
type Step = readonly [Queue, readonly Effect[]];

/** Milliseconds between attempts, each randomly up to a fifth shorter or longer. */
const waits = [5_000, 30_000, 120_000, 600_000, 1_800_000];
const MAX_PENDING = 5_000;
/** Maximum per account, rescues not counted: receivers that do not answer must not fill the queue. */
const MAX_PENDING_EACH = 30;
const AT_ONCE = 32;

/** What happens next. Never throws. @param now milliseconds */
export function step(queue: Queue, event: Event, now: number): Step {
  if (event.type === 'woken') return begin(queue, now);
  const [rest, said] = event.type === 'asked' ? onAsked(queue, event.delivery) : onEnded(queue, event, now);
  const [begun, effects] = begin(rest, now);
  return [begun, [...said, ...effects]];
}

/** Sent first and dropped last: the owner's money has moved. */
const isUrgent = ({ type }: Delivery): boolean => type === 'rescue_made' || type === 'rescue_irregular';

/** Negative if `a` goes before `b`: receivers that hang must not hold up new notices. */
const byUrgency = (a: Delivery, b: Delivery): number =>
  Number(isUrgent(b)) - Number(isUrgent(a)) || a.attempts - b.attempts || a.nextAt - b.nextAt;

/** Starts several attempts at a time, but only one per host. */
function begin(queue: Queue, now: number): Step {
  const hosts = new Set(queue.filter(({ isBusy }) => isBusy).map(({ host }) => host));
  const begun = new Map<Delivery, Delivery>();
  // Attempts that end begin others.
  if (hosts.size >= AT_ONCE) return [queue, []];
  const due = queue.filter(({ nextAt, host }) => nextAt <= now && !hosts.has(host)).toSorted(byUrgency);
  for (const delivery of due) {
    if (hosts.size >= AT_ONCE) break;
    if (!hosts.has(delivery.host)) begun.set(delivery, { ...delivery, isBusy: true });
    hosts.add(delivery.host);
  }
  const attempts = [...begun.values()].map((delivery): Effect => ({ do: 'attempt', delivery }));
  const later = queue.filter(({ nextAt, host }) => nextAt > now && !hosts.has(host));
  const next = later.reduce((least, { nextAt }) => Math.min(least, nextAt), Number.POSITIVE_INFINITY);
  const wakes: readonly Effect[] = later.length > 0 ? [{ do: 'wake', inMs: next - now }] : [];
  return [queue.map((each) => begun.get(each) ?? each), [...attempts, ...wakes]];
}

function onEnded(queue: Queue, { delivery, posted, chance }: Event & { type: 'ended' }, now: number): Step {
  const { id, type, webhook, host } = delivery;
  const rest = queue.filter((each) => each !== delivery);
  if (posted === undefined || rest.length === queue.length) return [rest, []];
  const attempts = delivery.attempts + 1;
  // The rest of the URL may contain a secret of its owner.
  const known = { id, type, owner: webhook.owner, host };
  const status = 'status' in posted ? posted.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return [rest, [log('debug', 'notice.delivered', known)]];
  const wait = waits[attempts - 1];
  const fields = { ...known, attempts, ...posted };
  if (wait === undefined || status === 410) return [rest, [log('warn', 'notice.given_up', fields)]];
  const nextAt = now + wait * (0.8 + 0.4 * chance);
  return [[...rest, { ...delivery, attempts, nextAt, isBusy: false }], [log('debug', 'notice.failed', fields)]];
}

/** A full queue drops another delivery for a new one: from the account with the most deliveries, rescues last. */
function onAsked(queue: Queue, delivery: Delivery): Step {
  const { owner } = delivery.webhook;
  const limited = queue.filter((each) => each.webhook.owner === owner && !isUrgent(each));
  const isFull = queue.length >= MAX_PENDING;
  const worst = isFull ? worstFor(queue, delivery) : undefined;
  const isRefused = (!isUrgent(delivery) && limited.length >= MAX_PENDING_EACH) || (isFull && worst === undefined);
  const loser = isRefused ? delivery : worst;
  if (loser === undefined) return [[...queue, delivery], []];
  const { id, type, attempts, webhook } = loser;
  const fields = { id, type, owner: webhook.owner, attempts, pending: queue.length };
  const kept = isRefused ? queue : [...queue.filter((each) => each !== loser), delivery];
  return [kept, [log('warn', 'notice.dropped', fields)]];
}

/** The delivery to drop for a new one: never a more urgent one, or one of an account with fewer in the queue. */
function worstFor(queue: Queue, delivery: Delivery): Delivery | undefined {
  const counts = new Map<string, number>();
  const ofAccount = ({ webhook: { owner } }: Delivery): number => counts.get(owner) ?? 0;
  for (const each of queue) counts.set(each.webhook.owner, ofAccount(each) + 1);
  const isWorse = (a: Delivery, b: Delivery) =>
    (Number(isUrgent(b)) - Number(isUrgent(a)) || ofAccount(a) - ofAccount(b) || a.attempts - b.attempts) > 0;
  const waiting = queue.filter(({ isBusy }) => !isBusy);
  const worst = waiting.reduce<Delivery | undefined>(
    (one, each) => (!one || isWorse(each, one) ? each : one),
    undefined,
  );
  if (worst === undefined || (isUrgent(worst) && !isUrgent(delivery))) return undefined;
  const isAlike = isUrgent(worst) === isUrgent(delivery);
  return isAlike && ofAccount(worst) <= ofAccount(delivery) ? undefined : worst;
}

const log = (level: keyof Log, event: string, fields: object): Effect => ({ do: 'log', level, event, fields });
