import { buildJobDescription } from '@bnbagent/sdk/erc8183';
import type { Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { catalogueFor } from '../../../src/selling/jobs/catalogue.ts';
import { createOffers, hashManifest } from '../../../src/selling/jobs/offers.ts';

// Well-known development keys.
const seller = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const stranger = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');
const terms = {
  account: seller,
  chainId: 97,
  commerce: '0xa206c0517B6371C6638CD9e4a42Cc9f02A33B0DE',
  currency: '0xc70B8741B8B07A6d61E54fd4B20f22Fa648E5565',
  price: 250_000_000_000_000_000n,
  clock: () => 1_790_000_000n,
} as const;
const offers = createOffers(terms);
const agreed = { deliverables: 'verdict report', quality_standards: 'one block' };
const request = {
  task_description: 'Summarise [wallet] 0xabc… é',
  terms: {
    deliverables: 'markdown report',
    quality_standards: 'cites sources',
    success_criteria: ['has a table'],
  },
};

test('SL-1: an offer is the envelope that buyers of the ecosystem verify: hash and signature of a known vector', async () => {
  const envelope = await offers.make(request, agreed);
  expect(envelope).toMatchObject({
    request_hash: '0xfb25f1201a4ed029dcd7bee9453456ac5cd015bc5a016cfb9fe8406e4f976707',
    chain_id: 97,
    verifying_contract: terms.commerce,
    response: {
      accepted: true,
      terms: { ...agreed, price: '250000000000000000', currency: terms.currency },
      quote_expires_at: 1_790_000_900,
      negotiated_at: 1_790_000_000,
    },
  });
  expect(envelope.provider_sig).toMatch(/^0x[0-9a-f]{130}$/);
});

test('an offer that comes back in a description is read as it was made, whenever that is', async () => {
  const envelope = await offers.make(request, agreed);
  const later = createOffers({ ...terms, clock: () => 1_800_000_000n });
  expect(await later.read(buildJobDescription(envelope))).toEqual({
    hash: envelope.negotiation_hash,
    task: 'Summarise (wallet) 0xabc… é',
    price: terms.price,
    currency: terms.currency,
    madeAt: 1_790_000_000n,
    expiresAt: 1_790_000_900n,
  });
  expect(offers.signedText(request.task_description)).toBe('Summarise (wallet) 0xabc… é');
});

test('SL-2: the buyer’s address is part of what is signed, and nothing else of its request but the task', async () => {
  const envelope = await offers.make(request, catalogueFor(stranger.address.toLowerCase() as Address));
  const description = buildJobDescription(envelope);
  expect(await offers.read(description)).toMatchObject({ client: stranger.address });
  expect(description).not.toContain('cites sources');
  expect(envelope).toMatchObject({ request: { terms: { quality_standards: 'cites sources' } } });
  const forged = description.replace(stranger.address, seller.address);
  expect(forged).not.toBe(description);
  expect(await offers.read(forged)).toBeUndefined();
  const free = await offers.make(request, catalogueFor(undefined));
  expect(await offers.read(buildJobDescription(free))).not.toHaveProperty('client');
});

test('SL-1: what is signed is what is read: an envelope with its answer is no description', async () => {
  const envelope = await offers.make(request, catalogueFor(stranger.address.toLowerCase() as Address));
  const { negotiated_at, quote_expires_at } = envelope.response as Record<string, unknown>;
  // The library verifies the answer inside, but reads the fields next to it.
  const beside = { task: 'Is ETH fairly priced?', price: '1', currency: terms.currency, terms: {} };
  const forged = JSON.stringify({ version: 1, negotiated_at, quote_expires_at, ...envelope, ...beside });
  expect(await offers.read(forged)).toBeUndefined();
});

test('what we did not sign, for this chain and this escrow, is no offer', async () => {
  const envelope = await offers.make(request, agreed);
  const description = buildJobDescription(envelope);
  const foreign: [string, string | Promise<string>][] = [
    ['plain text', 'please work'],
    ['nothing', ''],
    ['another version', '{"version":7}'],
    ['no signature', buildJobDescription({ ...envelope, provider_sig: '' })],
    ['another price', description.replace('250000000000000000', '1')],
    ['another task', description.replace('Summarise', 'Forget')],
    ['an expiry later on', description.replace('1790000900', '1990000900')],
    [
      'a signature of somebody else',
      createOffers({ ...terms, account: stranger })
        .make(request, agreed)
        .then(buildJobDescription),
    ],
    [
      'another chain',
      createOffers({ ...terms, chainId: 56 })
        .make(request, agreed)
        .then(buildJobDescription),
    ],
    [
      'another escrow',
      createOffers({ ...terms, commerce: stranger.address })
        .make(request, agreed)
        .then(buildJobDescription),
    ],
  ];
  for (const [name, text] of foreign) expect(await offers.read(await text), name).toBeUndefined();
  expect(await offers.read(description)).toBeDefined();
});

test('terms that the ecosystem does not know are refused in its words; a refusal is not signed', async () => {
  const otherCoin = await offers.make({ ...request, terms: { ...request.terms, currency: stranger.address } }, agreed);
  expect(otherCoin).toMatchObject({ response: { accepted: false, reason_code: '0x06' } });
  expect(otherCoin).not.toHaveProperty('provider_sig');
  const own = offers.refuse(request, 'unsupported', 'Not sold.');
  expect(own).toMatchObject({ request, response: { accepted: false, reason_code: '0x06', reason: 'Not sold.' } });
  expect(own.response_hash).toMatch(/^0x[0-9a-f]{64}$/);
  // What a buyer offers to pay is not what it costs.
  const cheap = await offers.make({ ...request, terms: { ...request.terms, price: '1' } }, agreed);
  expect(cheap).toMatchObject({ response: { terms: { price: '250000000000000000' } } });
});

test('the hash of a manifest is that of a known vector', () => {
  const manifest = {
    version: 1,
    job_id: 1,
    chain_id: 97,
    contracts: {
      commerce: '0x7a2088a1bFc9d81c55368AE168C2C02570cB814F',
      policy: '0x67d269191c92Caf3cD7723F116c85e6E9bf55933',
      router: '0xc5a5C42992dECbae36851359345FE25997F5C42d',
    },
    response: { content: '# Report\nok', content_type: 'text/plain' },
    metadata: { model: 'x' },
  };
  expect(hashManifest(manifest)).toBe('0xb9f434d184d221a26651328e66e4161ee083eeb61b5e326a902d8a383686d8ed');
});
