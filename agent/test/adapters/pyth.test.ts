import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPyth } from '../../src/adapters/pyth.ts';
import { WAD } from '../../src/domain/units.ts';
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
