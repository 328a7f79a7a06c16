import { createHmac } from 'node:crypto';
import type { Timers } from '@bowline/core/domain/ports';
import { expect, test } from 'vitest';
import { createDeliveries } from '../../src/notify/deliveries.ts';
import type { Posted } from '../../src/notify/post.ts';
import type { Webhook } from '../../src/notify/registrations.ts';
import { keepLog } from '../api/log.ts';

// AG-79, in virtual time.

const key = Buffer.alloc(32, 7);
const hook = (owner: string, url = 'https://hook.example/in?token=secret'): Webhook => ({
  owner: `0x${owner.repeat(40)}`,
  url,
  secret: `whsec_${key.toString('base64')}`,
  expiresAt: 2_000_000_000n,
});

function virtualTime() {
  let now = 0;
  let queue: { readonly at: number; readonly call: () => void }[] = [];
  const timers: Timers = {
    now: () => now,
    after: (milliseconds, call) => {
      const entry = { at: now + milliseconds, call };
      queue.push(entry);
      return () => {
        queue = queue.filter((other) => other !== entry);
      };
    },
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    timers,
    clock: () => 1_800_000_000n + BigInt(Math.floor(now / 1000)),
    async pass(milliseconds: number) {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const next = queue.toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined || next.at > end) break;
        queue = queue.filter((other) => other !== next);
        now = next.at;
        next.call();
        await settle();
      }
      now = end;
    },
  };
}

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: number;
}

function start(answer: (sent: Sent, count: number) => Posted | Promise<Posted>, isCurrent = (_: Webhook) => true) {
  const time = virtualTime();
  const sent: Sent[] = [];
  const log = keepLog();
  const deliveries = createDeliveries({
    post: async (url, headers, body) => {
      const each = { url, headers, body, at: time.timers.now() };
      sent.push(each);
      return answer(each, sent.length);
    },
    isCurrent,
    clock: time.clock,
    timers: time.timers,
    random: () => 0.5,
    log,
  });
  const events = () => log.lines.map((line) => JSON.parse(line).event);
  return { ...time, sent, log, events, deliveries };
}

const notice = (id: string) => ({ id, type: 'rescue_made', data: { guard: '7' } });

test('a delivery is signed as Standard Webhooks has it, over exactly the bytes that arrive', async () => {
  const { sent, deliveries, pass } = start(() => ({ status: 200 }));
  deliveries.send(hook('a'), notice('one'));
  await pass(0);
  const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = sent;
  expect(headers).toMatchObject({ 'webhook-id': 'one', 'webhook-timestamp': '1800000000' });
  const expected = createHmac('sha256', key).update(`one.1800000000.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  expect(JSON.parse(body)).toEqual({
    type: 'rescue_made',
    timestamp: '2027-01-15T08:00:00.000Z',
    data: { guard: '7' },
  });
  expect(deliveries.stop()).toBe(0);
});

test('a failed delivery is repeated with the same id and body, later and later, and given up in the end', async () => {
  const { sent, deliveries, pass, events, log } = start((_, count) =>
    count % 2 === 0 ? { status: 500 } : { failed: 'unreachable' },
  );
  deliveries.send(hook('a'), notice('one'));
  await pass(3 * 3_600_000);
  expect(sent.map(({ at }) => at)).toEqual([0, 5_000, 35_000, 155_000, 755_000, 2_555_000]);
  expect(new Set(sent.map(({ body, headers }) => `${headers['webhook-id']}${body}`)).size).toBe(1);
  // Each attempt has a time of its own, so that receivers may refuse old ones.
  expect(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(6);
  expect(events().at(-1)).toBe('notice.given_up');
  expect(log.lines.join()).not.toContain('token=secret');
});

test('what arrives in the end is not sent again; what a receiver calls gone is not repeated', async () => {
  const { sent, deliveries, pass, events } = start((_, count) => ({ status: count < 3 ? 302 : 201 }));
  deliveries.send(hook('a'), notice('one'));
  await pass(3 * 3_600_000);
  expect(sent).toHaveLength(3);
  expect(events()).toEqual(['notice.failed', 'notice.failed', 'notice.delivered']);
  const gone = start(() => ({ status: 410 }));
  gone.deliveries.send(hook('a'), notice('one'));
  await gone.pass(3 * 3_600_000);
  expect(gone.sent).toHaveLength(1);
});

test('a webhook that was removed meanwhile gets nothing more', async () => {
  let isCurrent = true;
  const { sent, deliveries, pass } = start(
    () => ({ status: 500 }),
    () => isCurrent,
  );
  deliveries.send(hook('a'), notice('one'));
  await pass(1_000);
  isCurrent = false;
  await pass(3 * 3_600_000);
  expect(sent).toHaveLength(1);
  expect(deliveries.stop()).toBe(0);
});

test('one receiver that hangs holds up nobody else, and has one request at a time', async () => {
  const { sent, deliveries, pass } = start(({ url }) =>
    url.includes('hangs') ? new Promise<Posted>(() => {}) : { status: 200 },
  );
  for (let at = 0; at < 5; at++) deliveries.send(hook('a', 'https://hangs.example/'), notice(`a${at}`));
  deliveries.send(hook('b'), notice('b'));
  await pass(60_000);
  expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual(['a0', 'b']);
});

test('the queue of one account is bounded', async () => {
  const { sent, deliveries, pass, events } = start(({ url }) => ({ status: url.includes('fails') ? 500 : 200 }));
  const send = deliveries.send;
  for (let at = 0; at < 40; at++) send(hook('a', 'https://fails.example/'), notice(`a${at}`));
  expect(events().filter((event) => event === 'notice.dropped')).toHaveLength(10);
  await pass(1);
  expect(sent).toHaveLength(30);
  expect(deliveries.stop()).toBe(30);
});

test('the queue of all is bounded: what has failed gives way to what is new', async () => {
  const { sent, deliveries, pass, events } = start(({ url }) => ({ status: url.includes('fails') ? 500 : 200 }));
  for (let owner = 0; owner < 167; owner++) {
    const of = {
      ...hook('b', `https://fails${owner}.example/`),
      owner: `0x${String(owner).padStart(40, '0')}` as const,
    };
    for (let at = 0; at < 30; at++) deliveries.send(of, notice(`${owner}-${at}`));
  }
  await pass(1_000);
  expect(events().filter((event) => event === 'notice.dropped')).toHaveLength(10);
  deliveries.send(hook('a', 'https://works.example/'), notice('urgent'));
  await pass(1);
  expect(sent.at(-1)?.headers['webhook-id']).toBe('urgent');
  expect(deliveries.stop()).toBe(4_999);
});
