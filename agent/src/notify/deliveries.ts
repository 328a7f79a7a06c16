import { createHmac } from 'node:crypto';
import type { Clock, Log, Timers } from '@bowline/core/domain/ports';
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
  /** Queues a notice. Never throws and never waits. */
  send(webhook: Webhook, notice: Notice): void;
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
/** Of one account: receivers that do not answer must not fill the queue. */
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

/**
 * Delivers notices in the background: several at a time, one at a time to each host, six attempts within 43 minutes and a
 * fifth. If the queue is full, the notice with the most failed attempts gives way; one beyond the bounds is dropped and
 * logged.
 */
export function createDeliveries(deps: DeliveryDeps): Deliveries {
  const { post, isCurrent, clock, timers, random, log } = deps;
  /** By time of the next attempt. */
  const pending: Delivery[] = [];
  const pendingOf = new Map<string, number>();
  const busy = new Set<string>();
  let cancel = () => {};
  let isStopped = false;

  function pump(): void {
    cancel();
    if (isStopped) return;
    const now = timers.now();
    const due: Delivery[] = [];
    let next: Delivery | undefined;
    for (const delivery of pending) {
      if (busy.size >= AT_ONCE) break;
      if (busy.has(delivery.host)) continue;
      if (delivery.nextAt > now) {
        next = delivery;
        break;
      }
      busy.add(delivery.host);
      due.push(delivery);
    }
    for (const delivery of due) void attempt(delivery);
    // Without one, the attempts that end call again.
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

  function giveWay(): void {
    let worst: Delivery | undefined;
    for (const each of pending) {
      if (!busy.has(each.host) && each.attempts > (worst?.attempts ?? 0)) worst = each;
    }
    if (worst === undefined) return;
    const { id, type, webhook, attempts } = worst;
    log.warn('notice.dropped', { id, type, owner: webhook.owner, attempts });
    remove(worst);
  }

  return {
    send(webhook, { id, type, data }) {
      const own = pendingOf.get(webhook.owner) ?? 0;
      if (pending.length >= MAX_PENDING) giveWay();
      if (isStopped || pending.length >= MAX_PENDING || own >= MAX_PENDING_EACH) {
        log.warn('notice.dropped', { id, type, owner: webhook.owner, pending: pending.length });
        return;
      }
      const timestamp = new Date(Number(clock()) * 1000).toISOString();
      const body = JSON.stringify({ type, timestamp, data });
      const { host } = new URL(webhook.url);
      add({ webhook, host, id, type, body, attempts: 0, nextAt: timers.now() });
      pump();
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
