import { WAD } from '@bowline/core/domain/units';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPyth } from '../../src/sources/pyth.ts';
import { type Provider, startProvider } from './provider.ts';

// Hermes' wire format: whole numbers as text with one exponent for both, ids without 0x.

let provider: Provider;
let now: bigint;
const clock = () => now;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.asked = [];
  now = 1_800_000_000n;
});

const id = 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43';
const says = (price: object, of = id) => {
  const said = { price: '6140993501000', conf: '3287868567', expo: -8, publish_time: 1_714_746_101, ...price };
  provider.answer = (_, response) =>
    void response.end(
      JSON.stringify({ binary: { encoding: 'hex', data: ['504e'] }, parsed: [{ id: of, price: said }] }),
    );
};
const unavailable = { code: 'market_unavailable', retryable: true, message: 'Pyth does not answer.' };

it('is the price, how far off it may be, and when it was published', async () => {
  says({});
  expect(await createPyth(`${provider.url}/key/`, clock).price(`0x${id}`)).toEqual({
    source: 'pyth',
    usdWad: 61_409_93501000n * 10n ** 10n,
    updatedAt: 1_714_746_101n,
    confidenceWad: 32_87868567n * 10n ** 10n,
  });
  expect(provider.asked).toEqual([`/key/v2/updates/price/latest?ids[]=0x${id}&encoding=hex&parsed=true`]);
});

it('is provider.asked for by an id in whatever case', async () => {
  says({});
  expect((await createPyth(provider.url, clock).price(`0x${id.toUpperCase()}`)).source).toBe('pyth');
});

it.each([
  ['no decimals', 0, '7', '2', 7n * WAD, 2n * WAD],
  ['18 decimals', -18, '1', '1', 1n, 1n],
  ['more than there is room for: price down, confidence up', -20, '199', '101', 1n, 2n],
  ['no confidence asked', -8, '100000000', '0', WAD, 0n],
  ['the largest number', -8, '18446744073709551615', '1', 184_467_440_737_09551615n * 10n ** 10n, 10n ** 10n],
])('%s', async (_, expo, price, conf, usdWad, confidenceWad) => {
  says({ expo, price, conf });
  expect(await createPyth(provider.url, clock).price(`0x${id}`)).toMatchObject({ usdWad, confidenceWad });
});

describe('market_unavailable, after one try', () => {
  it.each([
    ['an exponent below what prices have', { expo: -31, price: '99999999999999999999' }],
    ['an exponent above zero', { expo: 1 }],
    ['an exponent with a fraction', { expo: -8.5 }],
    ['a price of which nothing is left', { expo: -20, price: '99' }],
    ['more digits than a number has', { price: '999999999999999999999' }],
    ['a price with a point', { price: '61409.93' }],
    ['a time with a fraction', { publish_time: 1.5 }],
  ])('%s', async (_, price) => {
    says(price);
    await expect(createPyth(provider.url, clock).price(`0x${id}`)).rejects.toMatchObject(unavailable);
    expect(provider.asked).toHaveLength(1);
  });

  it('another id', async () => {
    says({}, id.replace('e', 'f'));
    await expect(createPyth(provider.url, clock).price(`0x${id}`)).rejects.toMatchObject(unavailable);
  });

  it('somebody who sends it elsewhere', async () => {
    says({});
    const well = provider.answer;
    provider.answer = (request, response) =>
      request.url?.startsWith('/elsewhere')
        ? well(request, response)
        : void response.writeHead(302, { location: '/elsewhere' }).end();
    await expect(createPyth(provider.url, clock).price(`0x${id}`)).rejects.toMatchObject(unavailable);
  });

  it('nobody there', async () => {
    await expect(createPyth('http://127.0.0.1:9', clock).price(`0x${id}`)).rejects.toMatchObject(unavailable);
  });
});

describe('the key', () => {
  const key = 'key-of-ours-12345678';
  const priced = (url = provider.url, options = {}) => createPyth(url, clock, options).price(`0x${id}`);
  const logged = () => {
    const lines: object[] = [];
    return { lines, log: { error: (event: string, fields = {}) => void lines.push({ event, ...fields }) } };
  };
  /** Answers who carries the key, as Pyth's own address does. */
  const wanting = (status = 401) => {
    says({});
    const well = provider.answer;
    provider.answer = (request, response) =>
      request.headers.authorization === `Bearer ${key}`
        ? well(request, response)
        : void response.writeHead(status).end('Unauthorized');
  };

  it('goes into the header of each question and into no address', async () => {
    wanting();
    expect((await priced(provider.url, { apiKey: key })).source).toBe('pyth');
    expect(provider.asked.join()).not.toContain(key);
  });

  it('is sent by nobody who has none', async () => {
    says({});
    const well = provider.answer;
    let sent: string | undefined = 'not asked';
    provider.answer = (request, response) => {
      sent = request.headers.authorization;
      well(request, response);
    };
    await priced();
    expect(sent).toBeUndefined();
  });

  it('follows no redirect, to the same host neither', async () => {
    const other = await startProvider();
    try {
      const seen: unknown[] = [];
      for (const place of [other.url, provider.url]) {
        provider.answer = (request, response) => {
          if (request.url?.startsWith('/elsewhere')) seen.push(request.headers.authorization);
          response.writeHead(307, { location: `${place}/elsewhere` }).end();
        };
        await expect(priced(provider.url, { apiKey: key })).rejects.toMatchObject(unavailable);
      }
      expect([seen, other.asked]).toEqual([[], []]);
    } finally {
      other.stop();
    }
  });

  it.each([
    [401, undefined, 1, 'Pyth requires an API key, and none is set.'],
    [401, 'another', 1, 'Pyth rejected the API key.'],
    // Said once, it may be a firewall's mistake.
    [403, 'another', 2, 'Pyth rejected the API key.'],
  ])(
    'refused by %i with the key %s: told once, at question %i, and asked again after a minute',
    async (status, apiKey, times, cause) => {
      wanting(status);
      const { lines, log } = logged();
      const pyth = createPyth(provider.url, clock, { log, ...(apiKey && { apiKey }) });
      const refused = {
        ...unavailable,
        message: `Pyth rejected the request (status ${status}): PYTH_API_KEY is missing or wrong.`,
      };
      for (const at of [0n, 0n, 1n, 59n]) {
        now = 1_800_000_000n + at;
        await expect(pyth.price(`0x${id}`)).rejects.toMatchObject(refused);
        expect(lines).toHaveLength(provider.asked.length < times ? 0 : 1);
      }
      expect(provider.asked).toHaveLength(times);
      now = 1_800_000_060n;
      await expect(pyth.price(`0x${id}`)).rejects.toMatchObject(refused);
      expect(provider.asked).toHaveLength(times + 1);
      const remedy = 'Set PYTH_API_KEY to a valid key, or PYTH_URL to off.';
      expect(lines).toEqual([{ event: 'pyth.refused', status, cause, remedy }]);

      // Let in again, and refused again: that is news.
      now += 60n;
      says({});
      expect((await pyth.price(`0x${id}`)).source).toBe('pyth');
      wanting(status);
      for (let time = 1; time <= times; time += 1) {
        await expect(pyth.price(`0x${id}`)).rejects.toMatchObject(refused);
        expect(lines).toHaveLength(time < times ? 1 : 2);
      }
    },
  );

  it('of several questions under way together: told once', async () => {
    wanting();
    const { lines, log } = logged();
    const pyth = createPyth(provider.url, clock, { log });
    await Promise.allSettled([1, 2, 3].map(() => pyth.price(`0x${id}`)));
    expect(provider.asked).toHaveLength(3);
    expect(lines).toHaveLength(1);
  });
});
