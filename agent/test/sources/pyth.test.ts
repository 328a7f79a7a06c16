import { hashing } from '@bowline/chain/hashing';
import { WAD } from '@bowline/core/domain/units';
import { pythSignersOf } from '@bowline/core/registry/pyth';
import { realPrice, realUpdate } from '@bowline/core/test/pyth/real-update';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PriceToSign, type Signing, signUpdate } from '../../../lab/world/market/guardians.ts';
import { createPyth, type PythOptions } from '../../src/sources/pyth.ts';
import { FLOOD_BYTES, flood, type Provider, startProvider } from './provider.ts';

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
const signers = pythSignersOf(31_337);
const openPyth = (url: string, options: Partial<PythOptions> = {}) => createPyth(url, clock, { signers, ...options });
const btc: PriceToSign = { id, price: 6_140_993_501_000n, conf: 3_287_868_567n, expo: -8, publishTime: 1_714_746_101 };

/** Answers with this price, signed. */
const says = (changes: Partial<PriceToSign>, signing: Signing = {}): void =>
  answers(signUpdate([{ ...btc, ...changes }], signing));

function answers(update: string | Promise<string>): void {
  provider.answer = async (_, response) => {
    const binary = { encoding: 'hex', data: [await update] };
    response.end(JSON.stringify({ binary }));
  };
}
const unavailable = { code: 'market_unavailable', retryable: true, message: 'Pyth does not answer.' };

it('is the price, how far off it may be, and when it was published', async () => {
  says({});
  expect(await openPyth(`${provider.url}/key/`).price(`0x${id}`)).toEqual({
    source: 'pyth',
    usdWad: 61_409_93501000n * 10n ** 10n,
    updatedAt: 1_714_746_101n,
    confidenceWad: 32_87868567n * 10n ** 10n,
    signed: `0x${await signUpdate([btc])}`,
  });
  expect(provider.asked).toEqual([`/key/v2/updates/price/latest?ids[]=0x${id}&encoding=hex&parsed=false`]);
});

// GD-30
it('is the signed one, whatever is stated beside it', async () => {
  provider.answer = async (_, response) => {
    const binary = { data: [await signUpdate([btc])] };
    response.end(
      JSON.stringify({ binary, parsed: [{ id, price: { price: '1', conf: '0', expo: -8, publish_time: 1 } }] }),
    );
  };
  const { usdWad, updatedAt } = await openPyth(provider.url).price(`0x${id}`);
  expect({ usdWad, updatedAt }).toEqual({ usdWad: 61_409_93501000n * 10n ** 10n, updatedAt: 1_714_746_101n });
});

it('is provider.asked for by an id in whatever case', async () => {
  says({});
  expect((await openPyth(provider.url).price(`0x${id.toUpperCase()}`)).source).toBe('pyth');
});

it.each([
  ['no decimals', 0, 7n, 2n, 7n * WAD, 2n * WAD],
  ['18 decimals', -18, 1n, 1n, 1n, 1n],
  ['more than there is room for: price down, confidence up', -20, 199n, 101n, 1n, 2n],
  ['no confidence asked', -8, 100_000_000n, 0n, WAD, 0n],
  ['the largest number', -8, 2n ** 63n - 1n, 1n, (2n ** 63n - 1n) * 10n ** 10n, 10n ** 10n],
])('%s', async (_, expo, price, conf, usdWad, confidenceWad) => {
  says({ expo, price, conf });
  expect(await openPyth(provider.url).price(`0x${id}`)).toMatchObject({ usdWad, confidenceWad });
});

describe('market_unavailable, after one try', () => {
  it.each<[string, Partial<PriceToSign>]>([
    ['an exponent below what prices have', { expo: -31, price: 2n ** 62n }],
    ['an exponent above zero', { expo: 1 }],
    ['a price of which nothing is left', { expo: -20, price: 99n }],
    ['a price of zero', { price: 0n }],
    ['a negative price', { price: -1n }],
  ])('%s', async (_, price) => {
    says(price);
    const told = {
      ...unavailable,
      message: expect.stringMatching(/^Pyth's answer is not a signed price: the signed price is zero/),
    };
    await expect(openPyth(provider.url).price(`0x${id}`)).rejects.toMatchObject(told);
    expect(provider.asked).toHaveLength(1);
  });

  it('another id', async () => {
    says({ id: id.replace('e', 'f') });
    await expect(openPyth(provider.url).price(`0x${id}`)).rejects.toMatchObject({
      code: 'market_unavailable',
      retryable: true,
    });
  });

  it('somebody who sends it elsewhere', async () => {
    says({});
    const well = provider.answer;
    provider.answer = (request, response) =>
      request.url?.startsWith('/elsewhere')
        ? well(request, response)
        : void response.writeHead(302, { location: '/elsewhere' }).end();
    await expect(openPyth(provider.url).price(`0x${id}`)).rejects.toMatchObject(unavailable);
  });

  it('an answer longer than any that is expected, which is not read to its end', async () => {
    const written = flood(provider);
    await expect(openPyth(provider.url).price(`0x${id}`)).rejects.toMatchObject(unavailable);
    expect(await written()).toBeLessThan(FLOOD_BYTES / 2);
  });

  it('nobody there', async () => {
    await expect(openPyth('http://127.0.0.1:9').price(`0x${id}`)).rejects.toMatchObject(unavailable);
  });
});

describe('the key', () => {
  const key = 'key-of-ours-12345678';
  const priced = (url = provider.url, options = {}) => openPyth(url, options).price(`0x${id}`);
  const logged = () => {
    const lines: object[] = [];
    const tell = (event: string, fields = {}) => void lines.push({ event, ...fields });
    return { lines, log: { error: tell, warn: tell } };
  };
  /** Answers callers that carry the key, as Pyth's own address does. */
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
    // A single 403 may be a firewall's mistake.
    [403, 'another', 2, 'Pyth rejected the API key.'],
  ])(
    'refused by %i with the key %s: told once, at question %i, and asked again after a minute',
    async (status, apiKey, times, cause) => {
      wanting(status);
      const { lines, log } = logged();
      const pyth = openPyth(provider.url, { log, ...(apiKey && { apiKey }) });
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
    const pyth = openPyth(provider.url, { log });
    await Promise.allSettled([1, 2, 3].map(() => pyth.price(`0x${id}`)));
    expect(provider.asked).toHaveLength(3);
    expect(lines).toHaveLength(1);
  });
});

describe('GD-30: the signatures', () => {
  const logged = () => {
    const lines: Record<string, unknown>[] = [];
    const tell = (event: string, fields = {}) => void lines.push({ event, ...fields });
    return { lines, log: { error: tell, warn: tell } };
  };

  it.each<[string, () => void, string]>([
    ['of others', () => says({}, { keys: Array(3).fill(`0x${'12'.repeat(32)}`) }), 'not_a_guardian'],
    ['too few', () => says({}, { by: [1, 2] }), 'too_few_signatures'],
    ['of another feed', () => answers(signUpdate([{ ...btc, id: 'ff'.repeat(32) }])), 'other_feed'],
    ['no bytes', () => answers(''), 'malformed'],
  ])('%s: no price, and the log says why, once while it lasts', async (_, answer, reason) => {
    answer();
    const { lines, log } = logged();
    const pyth = openPyth(provider.url, { log });
    const forged = { event: 'pyth.forged', feed: `0x${id}`, reason, cause: expect.any(String) };
    for (const _time of [1, 2]) {
      await expect(pyth.price(`0x${id}`)).rejects.toMatchObject({ code: 'market_unavailable', retryable: true });
      expect(lines).toEqual([forged]);
    }
    says({});
    expect((await pyth.price(`0x${id}`)).source).toBe('pyth');
    answer();
    await expect(pyth.price(`0x${id}`)).rejects.toMatchObject({ code: 'market_unavailable' });
    expect(lines).toEqual([forged, forged]);
  });

  it('are checked once per update', async () => {
    let recovered = 0;
    const counting = {
      ...hashing,
      recover(...args: Parameters<typeof hashing.recover>) {
        recovered += 1;
        return hashing.recover(...args);
      },
    };
    const pyth = openPyth(provider.url, { hashing: counting });
    says({});
    for (const _time of [1, 2, 3]) await pyth.price(`0x${id}`);
    expect(recovered).toBe(3);
    says({ publishTime: 1_714_746_102 });
    await pyth.price(`0x${id}`);
    expect(recovered).toBe(6);
  });

  it('of guardians whom nobody names are not checked, which the log says once; the bytes are kept', async () => {
    const { lines, log } = logged();
    const [pyth] = signers;
    const signing = { guardianSet: 8, emitterAddress: pyth?.emitterAddress ?? '' };
    says({}, signing);
    const asked = openPyth(provider.url, { log });
    for (const _time of [1, 2])
      expect((await asked.price(`0x${id}`)).signed).toBe(`0x${await signUpdate([btc], signing)}`);
    const cause = "The registry does not name the guardians of set 8: signatures of Pyth's prices are not checked.";
    expect(lines).toEqual([
      { event: 'pyth.unchecked', guardianSet: 8, cause, remedy: expect.stringContaining('pyth.json') },
    ]);
  });

  it('that BNB Chain has: the real bytes of a price', async () => {
    const { feed } = realPrice;
    answers(realUpdate);
    expect(await openPyth(provider.url, { signers: pythSignersOf(56) }).price(feed)).toMatchObject({
      usdWad: 63_502_305n * 10n ** 15n,
      updatedAt: 1_786_591_762n,
      signed: `0x${realUpdate}`,
    });
  });
});
