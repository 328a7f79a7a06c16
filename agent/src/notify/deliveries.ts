import { createHmac } from 'node:crypto';
import type { Log } from '@bowline/core/domain/log';
import { toIsoTime } from '@bowline/core/domain/readable';
import type { Clock, Timers } from '@bowline/core/domain/time';
import type { Post, Posted } from './post.ts';
import type { Webhook } from './registrations.ts';

/** What a receiver gets, as JSON. */
export interface Notice {
  /** The same for each attempt; receivers ignore an id that they have seen. */
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Deliveries {
  /** Queues a notice, and says whether there was room for it. Never throws and never waits. */
  send(webhook: Webhook, notice: Notice): boolean;
  /** Starts no further attempt. Returns how many notices were not delivered. */
  stop(): number;
}

export interface DeliveryDeps {
  readonly post: Post;
  /** Whether the webhook is still registered. */
  readonly isCurrent: (webhook: Webhook) => boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Evenly distributed from 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** Milliseconds between attempts, each a fifth shorter or longer by chance. */
const waits = [5_000, 30_000, 120_000, 600_000, 1_800_000];
const MAX_PENDING = 5_000;
/** To the webhooks of one account, besides rescues: receivers that do not answer must not fill the queue. */
const MAX_PENDING_EACH = 30;
const AT_ONCE = 32;

interface Delivery {
  readonly webhook: Webhook;
  readonly host: string;
  readonly id: string;
  readonly type: string;
  readonly body: string;
  attempts: number;
  readonly nextAt: number;
}

/** Sent first and dropped last: the owner's money has moved. */
const isUrgent = ({ type }: Pick<Delivery, 'type'>): boolean => type === 'rescue_made';

/** Of two that are due, negative if `a` goes first: receivers that hang must not hold up what is new. */
const byUrgency = (a: Delivery, b: Delivery): number =>
  Number(isUrgent(b)) - Number(isUrgent(a)) || a.attempts - b.attempts;

/**
 * Delivers notices in the background: several at a time, one at a time to each host, six attempts within 43 minutes and a
 * fifth. A full queue drops and logs notices of the account with the most of them, rescues last.
 */
export function createDeliveries(deps: DeliveryDeps): Deliveries {
  const { post, isCurrent, clock, timers, random, log } = deps;
  /** By time of the next attempt. */
  const pending: Delivery[] = [];
  const pendingOf = new Map<string, number>();
  /** By host: what is being attempted. */
  const busy = new Map<string, Delivery>();
  let cancel = () => {};
  let isStopped = false;

  function pump(): void {
    cancel();
    // The attempts that end call again.
    if (isStopped || busy.size >= AT_ONCE) return;
    const now = timers.now();
    const later = pending.findIndex(({ nextAt }) => nextAt > now);
    for (const delivery of pending.slice(0, later < 0 ? undefined : later).sort(byUrgency)) {
      if (busy.size >= AT_ONCE) return;
      if (busy.has(delivery.host)) continue;
      busy.set(delivery.host, delivery);
      void attempt(delivery);
    }
    const next = later < 0 ? undefined : pending.slice(later).find(({ host }) => !busy.has(host));
    if (next !== undefined) cancel = timers.after(next.nextAt - now, pump);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { webhook, host, id, type, body } = delivery;
    const posted = await (isCurrent(webhook) ? post(webhook.url, headersOf(delivery), body) : undefined);
    busy.delete(host);
    delivery.attempts += 1;
    // The rest of the URL may hold a secret of its owner's.
    const known = { id, type, owner: webhook.owner, host };
    const wait = waits[delivery.attempts - 1];
    if (posted === undefined) remove(delivery);
    else if (isAccepted(posted)) {
      log.debug('notice.delivered', known);
      remove(delivery);
    } else if (wait === undefined || ('status' in posted && posted.status === 410)) {
      log.warn('notice.given_up', { ...known, attempts: delivery.attempts, ...posted });
      remove(delivery);
    } else {
      log.debug('notice.failed', { ...known, attempts: delivery.attempts, ...posted });
      remove(delivery);
      add({ ...delivery, nextAt: timers.now() + wait * (0.8 + 0.4 * random()) });
    }
    pump();
  }

  function headersOf({ webhook, id, body }: Delivery): Record<string, string> {
    const timestamp = String(clock());
    return {
      'content-type': 'application/json',
      'user-agent': 'Bowline',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(webhook.secret, id, timestamp, body),
    };
  }

  function add(delivery: Delivery): void {
    let at = pending.length;
    while (at > 0 && (pending[at - 1]?.nextAt ?? 0) > delivery.nextAt) at -= 1;
    pending.splice(at, 0, delivery);
    const { owner } = delivery.webhook;
    pendingOf.set(owner, (pendingOf.get(owner) ?? 0) + 1);
  }

  function remove(delivery: Delivery): void {
    const at = pending.indexOf(delivery);
    if (at < 0) return;
    pending.splice(at, 1);
    const { owner } = delivery.webhook;
    const left = (pendingOf.get(owner) ?? 1) - 1;
    if (left === 0) pendingOf.delete(owner);
    else pendingOf.set(owner, left);
  }

  /** Whether the notice may be queued. In a full queue another one is dropped for it. */
  function makeRoom({ owner }: Webhook, type: string): boolean {
    const own = pendingOf.get(owner) ?? 0;
    const isLimited = (each: Delivery) => each.webhook.owner === owner && !isUrgent(each);
    if (!isUrgent({ type }) && pending.filter(isLimited).length >= MAX_PENDING_EACH) return false;
    if (pending.length < MAX_PENDING) return true;
    const ofAccount = (each: Delivery) => pendingOf.get(each.webhook.owner) ?? 0;
    const isWorse = (a: Delivery, b: Delivery) =>
      (Number(isUrgent(b)) - Number(isUrgent(a)) || ofAccount(a) - ofAccount(b) || a.attempts - b.attempts) > 0;
    let worst: Delivery | undefined;
    for (const each of pending) {
      if (busy.get(each.host) !== each && (worst === undefined || isWorse(each, worst))) worst = each;
    }
    if (worst === undefined || (isUrgent(worst) && !isUrgent({ type }))) return false;
    if (isUrgent(worst) === isUrgent({ type }) && ofAccount(worst) <= own) return false;
    const { id, webhook, attempts } = worst;
    log.warn('notice.dropped', { id, type: worst.type, owner: webhook.owner, attempts });
    remove(worst);
    return true;
  }

  return {
    send(webhook, { id, type, data }) {
      if (isStopped || !makeRoom(webhook, type)) {
        log.warn('notice.dropped', { id, type, owner: webhook.owner, pending: pending.length });
        return false;
      }
      const timestamp = toIsoTime(clock());
      const body = JSON.stringify({ type, timestamp, data });
      const { host } = new URL(webhook.url);
      add({ webhook, host, id, type, body, attempts: 0, nextAt: timers.now() });
      pump();
      return true;
    },
    stop() {
      isStopped = true;
      cancel();
      return pending.length;
    },
  };
}

const isAccepted = (posted: Posted): boolean => 'status' in posted && posted.status >= 200 && posted.status < 300;

/** As Standard Webhooks (standardwebhooks.com) has it: HMAC-SHA256 of id, timestamp and body. */
export function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
