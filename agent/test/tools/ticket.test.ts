import { keccak256, recoverTypedDataAddress, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { createTicketSigner } from '../../src/adapters/ticket-signer.ts';
import { WAD } from '../../src/domain/units.ts';
import { BTCB, fairProposal, NOW, USDT } from '../guard/proposals.ts';
import { ask, world } from './world.ts';

// A well-known development key.
const account = privateKeyToAccount('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba');
const registry = '0x4444444444444444444444444444444444444444';
const signing = { ...world, tickets: createTicketSigner(account, 31_337, registry) };

// As in the registry's semantics, written out again: were it taken from the signer, a wrong type would be right.
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
  expect(JSON.parse(evidence)).toMatchObject({ proposal: { asset: { symbol: 'BTCB' } }, findings: { length: 7 } });
});

test('a verdict against the trade is signed as what it is', async () => {
  const chain = { ...fairProposal().chain, spotWad: 105_000n * WAD };
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
