import { createHmac } from 'node:crypto';
import type { Timers } from '@bowline/core/domain/time';
import { expect, test } from 'vitest';
import { createDeliveries, type DeliveryDeps } from '../../src/notify/deliveries.ts';
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

function start(
  answer: (sent: Sent, count: number) => Posted | Promise<Posted>,
  isCurrent = (_: Webhook) => true,
  telegram?: DeliveryDeps['telegram'],
) {
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
    telegram,
    clock: time.clock,
    timers: time.timers,
    random: () => 0.5,
    log,
  });
  const events = () => log.lines.map((line) => JSON.parse(line).event);
  return { ...time, sent, log, events, deliveries };
}

const notice = (id: string, type = 'funds_ending') => ({ id, type, data: { guard: '7' } });

test('a delivery is signed as Standard Webhooks has it, over exactly the bytes that arrive', async () => {
  const { sent, deliveries, pass } = start(() => ({ status: 200 }));
  deliveries.send(hook('a'), notice('one'));
  await pass(0);
  const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = sent;
  expect(headers).toMatchObject({ 'webhook-id': 'one', 'webhook-timestamp': '1800000000' });
  const expected = createHmac('sha256', key).update(`one.1800000000.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  expect(JSON.parse(body)).toEqual({
    type: 'funds_ending',
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
  for (let at = 0; at < 40; at++) deliveries.send(hook('a', 'https://fails.example/'), notice(`a${at}`));
  expect(events().filter((event) => event === 'notice.dropped')).toHaveLength(10);
  await pass(1);
  expect(sent).toHaveLength(30);
  expect(deliveries.stop()).toBe(30);
});

test('rescues that wait leave an account its room for other notices', () => {
  const { deliveries } = start(() => new Promise<Posted>(() => {}));
  for (let at = 0; at < 40; at++) deliveries.send(hook('a'), notice(`rescue-${at}`, 'rescue_made'));
  const queued = Array.from({ length: 31 }, (_, at) => deliveries.send(hook('a'), notice(`a${at}`)));
  expect(queued).toEqual([...Array(30).fill(true), false]);
});

const account = (at: number) => ({
  ...hook('b', `https://fails${at}.example/`),
  owner: `0x${String(at).padStart(40, '0')}` as const,
});

test('the queue of all is bounded: who has the most in it gives way, whether it has been tried or not', async () => {
  // Names of subdomains that never answer, so that no attempt ends.
  const { deliveries, log } = start(() => new Promise<Posted>(() => {}));
  const dropped = () => log.lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'notice.dropped');
  for (let owner = 0; owner < 167; owner++) {
    for (let at = 0; at < 30; at++) deliveries.send(account(owner), notice(`${owner}-${at}`));
  }
  // Others gave way for the last account.
  expect(dropped()).toHaveLength(10);
  expect(dropped().every(({ owner }) => owner !== account(166).owner)).toBe(true);
  for (let at = 0; at < 25; at++) deliveries.send(hook('a', 'https://works.example/'), notice(`own-${at}`));
  expect(dropped()).toHaveLength(35);
  expect(dropped().every(({ id }) => !id.startsWith('own'))).toBe(true);
  expect(deliveries.stop()).toBe(5_000);
});

test('a full queue takes a rescue in place of anything else, and drops none for it', async () => {
  const { deliveries, log } = start(() => new Promise<Posted>(() => {}));
  const dropped = () => log.lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'notice.dropped');
  // More than an account may have of other notices.
  const funder = hook('a', 'https://works.example/');
  for (let at = 0; at < 100; at++) deliveries.send(funder, notice(`rescue-${at}`, 'rescue_made'));
  for (let owner = 0; owner < 167; owner++) {
    for (let at = 0; at < 30; at++) deliveries.send(account(owner), notice(`${owner}-${at}`));
  }
  for (let at = 100; at < 200; at++) deliveries.send(funder, notice(`rescue-${at}`, 'rescue_made'));
  expect(dropped()).toHaveLength(210);
  expect(dropped().every(({ type }) => type === 'funds_ending')).toBe(true);
  // Another notice of its own account is dropped, too.
  deliveries.send(funder, notice('own'));
  expect(dropped().at(-1)).toMatchObject({ id: 'own' });
  expect(deliveries.stop()).toBe(5_000);
});

test('a rescue is sent before what waits longer, and what is new before what has failed', async () => {
  const hung: ((posted: Posted) => void)[] = [];
  const { sent, deliveries, pass } = start(({ url }) =>
    url.includes('fails.') ? { status: 500 } : new Promise<Posted>((answer) => hung.push(answer)),
  );
  deliveries.send(hook('c', 'https://fails.example/'), notice('failed'));
  await pass(1_000);
  // As many as can be attempted at once.
  for (let at = 0; at < 32; at++) deliveries.send(account(at), notice(`${at}`));
  await pass(10_000);
  deliveries.send(hook('e', 'https://new.example/'), notice('new'));
  deliveries.send(hook('f', 'https://rescued.example/'), notice('rescue', 'rescue_made'));
  await pass(0);
  expect(sent).toHaveLength(33);
  for (let at = 0; at < 3; at++) {
    hung[at]?.({ status: 200 });
    await pass(0);
  }
  expect(sent.slice(33).map(({ headers }) => headers['webhook-id'])).toEqual(['rescue', 'new', 'failed']);
});

test('what goes to a chat goes through the bot, is repeated like any other, and needs no host', async () => {
  const said: object[] = [];
  const telegram = {
    chatOf: (url: string) => (url === 'telegram:11:code' ? '11' : undefined),
    async send(chat: string, { type, data }: object & { type: string; data: object }) {
      said.push({ chat, type, data });
      return { status: said.length === 1 ? 502 : 200 };
    },
  };
  const { sent, deliveries, pass, events } = start(() => ({ failed: 'host_unknown' }), undefined, telegram);
  deliveries.send(hook('a', 'telegram:11:code'), notice('one'));
  await pass(3 * 3_600_000);
  const one = { chat: '11', type: 'funds_ending', data: { guard: '7' } };
  expect(said).toEqual([one, one]);
  expect(sent).toEqual([]);
  expect(events()).toEqual(['notice.failed', 'notice.delivered']);
  // The webhook of a bot that is gone.
  deliveries.send(hook('a', 'telegram:12:code'), notice('two'));
  await pass(3 * 3_600_000);
  expect(events().at(-1)).toBe('notice.given_up');
});
