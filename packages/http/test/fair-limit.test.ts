import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Prefix } from '@bowline/http/caller';
import { createFairLimit } from '@bowline/http/fair-limit';
import { createSharedLimit } from '@bowline/http/rate-limit';
import { expect, it } from 'vitest';

const one = (key: string): Prefix[] => [{ key, weight: 1 }];

function open({ requests = 120, total = 2_400, seconds = 60 } = {}) {
  let now = 0;
  const limit = createFairLimit({ name: 'door', requests, total, seconds }, () => now);
  const pass = (passed: number) => {
    now += passed * 1000;
  };
  /** How many of these requests are allowed. */
  const ask = (caller: readonly Prefix[], times: number) =>
    Array.from({ length: times }, () => limit.take(caller)).filter(({ allowed }) => allowed).length;
  return { limit, ask, pass };
}

// AG-162
it('one caller has its requests at once, then as many a minute, and no more', () => {
  const { limit, ask, pass } = open();
  expect(limit.take(one('a'))).toMatchObject({ allowed: true, left: 119, waitSeconds: 0 });
  expect(ask(one('a'), 500)).toBe(119);
  const refused = limit.take(one('a'));
  expect(refused).toMatchObject({ allowed: false, left: 0, waitSeconds: 1 });
  pass(refused.waitSeconds);
  expect(ask(one('a'), 500)).toBe(2);
  let served = 0;
  for (let second = 0; second < 60; second++) {
    pass(1);
    served += ask(one('a'), 500);
  }
  expect(served).toBeGreaterThan(115);
  expect(served).toBeLessThan(125);
});

// AG-162
it.each([
  [1, 1],
  [19, 1],
  // Together they ask for more than the whole limit.
  [50, 0.9],
])('%i that flood leave the others what they ask, to %d', (flooders, share) => {
  const { ask, pass } = open();
  const honest = Array.from({ length: 20 }, (_, index) => one(`honest ${index}`));
  let [asked, served, flooded] = [0, 0, 0];
  for (let second = 0; second < 300; second++) {
    for (let flooder = 0; flooder < flooders; flooder++) flooded += ask(one(`flooder ${flooder}`), 100);
    for (const [index, caller] of honest.entries()) {
      // Each asks every six seconds.
      if ((second + index) % 6 !== 0) continue;
      asked += 1;
      served += ask(caller, 1);
    }
    pass(1);
  }
  expect(asked).toBe(1_000);
  expect(served / asked).toBeGreaterThanOrEqual(share);
  // Flooders still get all capacity that is free.
  expect(flooded).toBeGreaterThan(Math.min(flooders * 120, 1_200) * 4);
});

// AG-162
it('a caller that is alone has half of the door, and gives it back when others come', () => {
  const { ask, pass } = open({ requests: 1_200 });
  expect(ask(one('alone'), 5_000)).toBe(1_200);
  expect(ask(one('second'), 5_000)).toBe(600);
  expect(ask(one('third'), 5_000)).toBe(300);
  // Four minutes later all three get the same per minute, and as much is free.
  const served = { alone: 0, second: 0, third: 0 };
  for (let step = 0; step < 6_000; step++) {
    pass(0.05);
    for (const name of ['alone', 'second', 'third'] as const) {
      const taken = ask(one(name), 10);
      if (step >= 4_800) served[name] += taken;
    }
  }
  for (const name of ['alone', 'second', 'third'] as const) {
    expect(served[name]).toBeGreaterThan(550);
    expect(served[name]).toBeLessThan(650);
  }
});

// AG-162
it('who holds a /48 of IPv6 has as much as four callers, and leaves the rest to others', () => {
  const { ask } = open();
  const within = (index: number): Prefix[] => [
    { key: `2001:db8:1:${index.toString(16)}::/64`, weight: 1 },
    { key: '2001:db8:1::/48', weight: 4 },
  ];
  let held = 0;
  for (let index = 0; index < 65_536; index++) held += ask(within(index), 1);
  expect(held).toBe(480);
  expect(ask(one('192.0.2.1'), 120)).toBe(120);
});

// AG-162
it('a million addresses leave no more behind than the door lets in', () => {
  // What waits for collection is not held, and can be hundreds of megabytes.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const { limit, pass } = open();
  const before = held();
  let allowed = 0;
  for (let index = 0; index < 1_000_000; index++) {
    const address = [index >> 16, (index >> 8) & 255, index & 255].join('.');
    if (limit.take(one(`10.${address}`)).allowed) allowed += 1;
    if (index % 1_000 === 0) pass(0.06);
  }
  // A minute's worth of requests twice: once at once, and once over the minute that this took.
  expect(allowed).toBeLessThan(5_000);
  expect(held() - before).toBeLessThan(5_000_000);
  // A caller that comes later is served.
  pass(1);
  expect(limit.take(one('192.0.2.1')).allowed).toBe(true);
});

// AG-162
it('what is given back was never counted', () => {
  const { limit, ask } = open({ requests: 3 });
  for (let index = 0; index < 10; index++) limit.take(one('a')).giveBack();
  expect(ask(one('a'), 5)).toBe(3);
  limit.take(one('a')).giveBack();
  expect(ask(one('a'), 5)).toBe(0);
});

it('of a shared limit the page has its part, whatever others ask, and may have all of it', () => {
  let now = 0;
  const { page, others } = createSharedLimit({ name: 'x402', requests: 20, seconds: 60 }, 5, () => now);
  const taken = (limit: typeof page, times: number) =>
    Array.from({ length: times }, () => limit.take()).filter(({ allowed }) => allowed).length;
  expect(others.requests).toBe(15);
  expect(taken(others, 50)).toBe(15);
  expect(others.take()).toMatchObject({ allowed: false, left: 0, waitSeconds: 60 });
  expect(taken(page, 50)).toBe(5);
  expect(page.take()).toMatchObject({ allowed: false, waitSeconds: 60 });
  now = 60_000;
  expect(taken(page, 50)).toBe(20);
  expect(taken(others, 50)).toBe(0);
  now = 120_000;
  expect(taken(page, 3)).toBe(3);
  expect(taken(others, 50)).toBe(15);
  expect(taken(page, 50)).toBe(2);
});
