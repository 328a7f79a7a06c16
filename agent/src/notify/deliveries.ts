import { createHmac } from 'node:crypto';
import type { Log } from '@bowline/core/domain/log';
import { toIsoTime } from '@bowline/core/domain/readable';
import type { Clock, Timers } from '@bowline/core/domain/time';
import { type Delivery, type Event, step } from './delivery-queue.ts';
import type { Post, Posted } from './post.ts';
import type { Webhook } from './registrations.ts';
import type { Telegram } from './telegram.ts';

/** What a receiver gets, as JSON. */
export interface Notice {
  /** The same for each attempt; receivers ignore an id that they have seen. */
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Deliveries = Pick<Driver, 'send' | 'stop'>;

export interface DeliveryDeps {
  readonly post: Post;
  /** Absent: there is no bot, and a Telegram address leads nowhere. */
  readonly telegram?: Pick<Telegram, 'chatOf' | 'send'> | undefined;
  /** Whether the webhook is still registered. */
  readonly isCurrent: (webhook: Webhook) => boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Evenly distributed from 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** Delivers notices in the background: six attempts within 43 minutes, plus up to a fifth. */
export const createDeliveries = (deps: DeliveryDeps): Deliveries => new Driver(deps);

class Driver {
  readonly #deps: DeliveryDeps;
  #queue: readonly Delivery[] = [];
  #cancel = () => {};
  #isStopped = false;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Queues a notice. Returns whether there was room for it. Never throws and never waits. */
  send(webhook: Webhook, { id, type, data }: Notice): boolean {
    if (this.#isStopped) return false;
    const { clock, timers } = this.#deps;
    const body = JSON.stringify({ type, timestamp: toIsoTime(clock()), data });
    const host = new URL(webhook.url).host || 'telegram';
    const delivery = { webhook, host, id, type, body, attempts: 0, nextAt: timers.now(), isBusy: false };
    this.#post({ type: 'asked', delivery });
    return this.#queue.some((each) => each.webhook === webhook && each.id === id);
  }

  /** Starts no further attempt. Returns how many notices were not delivered. */
  stop(): number {
    this.#isStopped = true;
    this.#cancel();
    return this.#queue.length;
  }

  #post(event: Event): void {
    const { log, timers } = this.#deps;
    const [queue, effects] = step(this.#queue, event, timers.now());
    this.#queue = queue;
    if (this.#isStopped) return;
    this.#cancel();
    for (const effect of effects) {
      if (effect.do === 'attempt') void this.#attempt(effect.delivery);
      else if (effect.do === 'log') log[effect.level](effect.event, { ...effect.fields });
      else this.#cancel = timers.after(effect.inMs, () => this.#post({ type: 'woken' }));
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { isCurrent, random } = this.#deps;
    const posted = isCurrent(delivery.webhook) ? await this.#sent(delivery) : undefined;
    this.#post({ type: 'ended', delivery, posted, chance: random() });
  }

  #sent({ webhook, id, body }: Delivery): Promise<Posted> {
    const { post, telegram, clock } = this.#deps;
    const chat = telegram?.chatOf(webhook.url);
    if (telegram && chat !== undefined) return telegram.send(chat, JSON.parse(body));
    const timestamp = String(clock());
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Bowline',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(webhook.secret, id, timestamp, body),
    };
    return post(webhook.url, headers, body);
  }
}

/** As Standard Webhooks (standardwebhooks.com) specifies: HMAC-SHA256 of id, timestamp and body. */
export function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
