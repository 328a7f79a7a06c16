import { WAD } from '@bowline/core/domain/units';
import { BTCB, fairProposal, NOW, pushedPool, USDT } from '@bowline/core/test/verdict/proposals';
import { keccak256, recoverTypedDataAddress, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { createTicketSigner } from '../../src/process/ticket-signer.ts';
import { createIssued } from '../../src/tools/shared.ts';
import { ask, world } from './world.ts';

// A well-known development key.
const account = privateKeyToAccount('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba');
const registry = '0x4444444444444444444444444444444444444444';
const signing = { ...world, tickets: createTicketSigner(account, 31_337, registry) };

// The registry's types, written out again: taken from the signer, a wrong type would pass.
const types = {
  Verdict: [
    { name: 'tokenIn', type: 'address' },
    { name: 'tokenOut', type: 'address' },
    { name: 'verdict', type: 'uint8' },
    { name: 'maxPriceWad', type: 'uint256' },
    { name: 'maxAmountIn', type: 'uint256' },
    { name: 'issuedAt', type: 'uint64' },
    { name: 'expiresAt', type: 'uint64' },
    { name: 'evidenceHash', type: 'bytes32' },
  ],
} as const;

interface TicketShown {
  readonly max_price_wad: string;
  readonly max_amount_in: string;
  readonly issued_at: string;
  readonly expires_at: string;
  readonly evidence_hash: `0x${string}`;
  readonly signature: `0x${string}`;
  readonly signer: string;
}

test('AG-23: a verdict is a ticket that the registry would take: its swap, its size, its price, its time, its evidence', async () => {
  const { ticket, evidence } = (await ask('check_asset', { asset: 'BTCB' }, signing)) as unknown as {
    ticket: TicketShown;
    evidence: string;
  };
  expect(ticket).toMatchObject({
    token_in: USDT.address,
    token_out: BTCB.address,
    verdict: 3,
    max_amount_in: (1_000n * WAD).toString(),
    // 1,000 USDT for 0.009995 BTCB, and 0.2 % more for what happens on the way; rounded up.
    max_price_wad: '100250125062531265632817',
    issued_at: NOW.toString(),
    expires_at: (NOW + 120n).toString(),
    evidence_hash: keccak256(stringToBytes(evidence)),
    signer: account.address,
    domain: { name: 'Bowline PlanRegistry', version: '1', chain_id: 31_337, verifying_contract: registry },
  });
  const signer = await recoverTypedDataAddress({
    domain: { name: 'Bowline PlanRegistry', version: '1', chainId: 31_337, verifyingContract: registry },
    types,
    primaryType: 'Verdict',
    message: {
      tokenIn: USDT.address,
      tokenOut: BTCB.address,
      verdict: 3,
      maxPriceWad: BigInt(ticket.max_price_wad),
      maxAmountIn: BigInt(ticket.max_amount_in),
      issuedAt: BigInt(ticket.issued_at),
      expiresAt: BigInt(ticket.expires_at),
      evidenceHash: ticket.evidence_hash,
    },
    signature: ticket.signature,
  });
  expect(signer).toBe(account.address);
  expect(JSON.parse(evidence)).toMatchObject({ proposal: { asset: { symbol: 'BTCB' } }, findings: { length: 9 } });
});

test('a verdict against the trade is signed as what it is', async () => {
  const chain = { ...fairProposal().chain, ...pushedPool(500n) };
  const moved = { ...signing, chain: { ...signing.chain, facts: async () => chain } };
  expect(await ask('check_asset', { asset: 'BTCB' }, moved)).toMatchObject({
    verdict: 'NO_GO',
    ticket: { verdict: 1 },
  });
});

test('there is no ticket without a swap to act on, nor without a key', async () => {
  const { quote: _quote, ...chain } = fairProposal().chain;
  const blind = { ...signing, chain: { ...signing.chain, facts: async () => chain } };
  expect(await ask('check_asset', { asset: 'BTCB' }, blind)).toMatchObject({ verdict: 'NO_DATA', ticket: null });
  const unsigned = await ask('check_asset', { asset: 'BTCB' });
  expect(unsigned).toMatchObject({ verdict: 'GO', ticket: null });
  expect(unsigned.evidence).toContain('"findings"');
});

describe('AG-6: the same question', () => {
  /** A world that can be changed, which remembers what it has answered. */
  function remembering() {
    let chain = fairProposal().chain;
    const context = { ...signing, issued: createIssued(), chain: { ...signing.chain, facts: async () => chain } };
    return {
      ask: async (input: object = {}) =>
        (await ask('check_asset', { asset: 'BTCB', ...input }, context)) as unknown as {
          verdict: string;
          evidence: string;
          ticket: TicketShown;
        },
      change: (changes: Partial<typeof chain>) => {
        chain = { ...chain, ...changes };
      },
    };
  }
  const later = (seconds: bigint) => ({ block: { number: 2_000n, timestamp: NOW + seconds }, finalBlock: 1_998n });

  test('gets the same ticket and the same evidence while that is good', async () => {
    const { ask: asked, change } = remembering();
    const first = await asked();
    change(later(50n));
    expect(await asked()).toEqual(first);
    // However it is asked.
    expect(await asked({ asset: 'bitcoin', side: 'buy', amount_usd: 1000 })).toEqual(first);
    expect(await asked({ amount_usd: '1000.00' })).toEqual(first);
  });

  test('gets another before that is too old to act on', async () => {
    const { ask: asked, change } = remembering();
    const { ticket } = await asked();
    change(later(60n));
    expect((await asked()).ticket.issued_at).toBe(ticket.issued_at);
  });

  test('asked at the same moment gets the same', async () => {
    const { ask: asked } = remembering();
    const answers = await Promise.all([asked(), asked(), asked()]);
    expect(new Set(answers.map(({ ticket }) => ticket.signature)).size).toBe(1);
    expect(new Set(answers).size).toBe(3);
    expect(answers[1]).toEqual(answers[0]);
  });

  test('gets another as soon as what was said is no longer true', async () => {
    const { ask: asked, change } = remembering();
    const first = await asked();
    change(pushedPool(500n));
    const second = await asked();
    expect([first.verdict, second.verdict]).toEqual(['GO', 'NO_GO']);
    change(pushedPool(0n));
    expect((await asked()).verdict).toBe('GO');
  });

  test('gets another when the price has left what its ticket allows', async () => {
    const { ask: asked, change } = remembering();
    const { ticket } = await asked();
    const quote = fairProposal().chain.quote;
    if (quote === undefined) throw new Error('the fair proposal has a quote');
    const dearer = (bps: bigint) => {
      const amountOut = (quote.amountOut * 10_000n) / (10_000n + bps);
      return { quote: { ...quote, amountOut }, play: { received: amountOut, returned: quote.amountIn } };
    };
    change(dearer(19n));
    expect((await asked()).ticket.evidence_hash).toBe(ticket.evidence_hash);
    change(dearer(21n));
    const second = (await asked()).ticket;
    expect(second.evidence_hash).not.toBe(ticket.evidence_hash);
    // A ticket is not kept either once the price has fallen by more than it allows.
    change(dearer(2n));
    expect((await asked()).ticket.evidence_hash).toBe(second.evidence_hash);
    change(dearer(-1n));
    expect((await asked()).ticket.evidence_hash).not.toBe(second.evidence_hash);
  });

  test('is not another side, another size or another asset', async () => {
    const { ask: asked } = remembering();
    const { evidence } = await asked();
    expect((await asked({ side: 'sell' })).evidence).not.toBe(evidence);
    expect((await asked({ amount_usd: '1000.01' })).evidence).not.toBe(evidence);
    expect((await asked({ amount_asset: '0.01' })).evidence).not.toBe(evidence);
  });

  test('is forgotten after a thousand others', async () => {
    const { ask: asked, change } = remembering();
    const { ticket } = await asked();
    change(later(10n));
    for (let other = 1; other < 1_000; other += 1) await asked({ amount_usd: 2_000 + other });
    expect((await asked()).ticket.issued_at).toBe(ticket.issued_at);
    await asked({ amount_usd: 5_000 });
    expect((await asked()).ticket.issued_at).not.toBe(ticket.issued_at);
  }, 60_000);
});
