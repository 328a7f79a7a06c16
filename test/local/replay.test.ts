import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { createTicketSigner } from '../../agent/src/adapters/ticket-signer.ts';
import type { Proposal } from '../../agent/src/domain/facts.ts';
import { WAD } from '../../agent/src/domain/units.ts';
import { fairProposal, NOW } from '../../agent/test/guard/proposals.ts';
import { ask, world } from '../../agent/test/tools/world.ts';
import { replay, served } from '../../script/replay/replay.ts';

// A well-known development key.
const account = privateKeyToAccount('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba');
const tickets = createTicketSigner(account, 31_337, '0x4444444444444444444444444444444444444444');

/** What check_asset answers of these facts. */
async function answerTo(facts: Partial<Proposal['chain']> = {}): Promise<Record<string, unknown>> {
  const chain = { ...fairProposal().chain, ...facts };
  const signing = { ...world, tickets, chain: { ...world.chain, facts: async () => chain } };
  return (await ask('check_asset', { asset: 'BTCB' }, signing)) as Record<string, unknown>;
}

const differing = async (answer: unknown) => {
  const lines = await replay(served.parse(JSON.parse(JSON.stringify(answer))));
  return lines.filter(({ said, found }) => said !== found).map(({ what }) => what);
};

it('RP-1: a verdict follows from its evidence, whatever it is', async () => {
  const cases: Partial<Proposal['chain']>[] = [
    {},
    { spotWad: 105_000n * WAD },
    { twapWad: undefined as never },
    { block: { ...fairProposal().chain.block, timestamp: NOW - 1_000n } },
    { quote: undefined as never },
  ];
  const verdicts = new Set();
  for (const facts of cases) {
    const answer = await answerTo(facts);
    verdicts.add(answer.verdict);
    expect(await differing(answer)).toEqual([]);
    // As `GET /verdict` has it.
    expect(await differing({ ...answer, evidence: JSON.parse(answer.evidence as string) })).toEqual([]);
  }
  expect(verdicts).toEqual(new Set(['GO', 'NO_GO', 'NO_DATA']));
});

it('RP-2: says what does not follow', async () => {
  const answer = await answerTo();
  const ticket = answer.ticket as Record<string, unknown>;
  const evidence = JSON.parse(answer.evidence as string);
  const changed = (text: string) => ({ ...answer, evidence: text });

  expect(await differing({ ...answer, verdict: 'CAUTION' })).toEqual(['verdict of the answer']);
  const prices: Record<string, string> = { max_price_wad: 'highest price', max_amount_in: 'highest amount' };
  const times: Record<string, string> = { issued_at: 'issued at', expires_at: 'expires at' };
  for (const [field, what] of Object.entries({ ...prices, ...times })) {
    expect(await differing({ ...answer, ticket: { ...ticket, [field]: '7' } })).toEqual([what]);
  }
  expect(await differing({ ...answer, ticket: { ...ticket, verdict: 2 } })).toEqual(['verdict signed']);
  expect(await differing({ ...answer, ticket: { ...ticket, token_in: ticket.token_out } })).toEqual(['token paid']);
  expect(await differing({ ...answer, ticket: { ...ticket, signature: '0x12' } })).toEqual(['signer']);
  const elsewhere = { ...(ticket.domain as object), chain_id: 56 };
  expect(await differing({ ...answer, ticket: { ...ticket, domain: elsewhere } })).toEqual(['signer']);

  // Another spelling of the same is another hash, and so another thing that was signed.
  expect(await differing(changed(JSON.stringify(evidence, null, 1)))).toEqual([
    'spelling of the evidence',
    'evidence hash',
    'signer',
  ]);
  evidence.findings[0].detail = 'All is well.';
  expect(await differing(changed(JSON.stringify(evidence)))).toEqual([
    `finding ${evidence.findings[0].check}`,
    'evidence hash',
    'signer',
  ]);
});

it('RP-2: facts that were changed change what follows', async () => {
  const answer = await answerTo();
  const evidence = JSON.parse(answer.evidence as string);
  evidence.proposal.chain.spotWad = (105_000n * WAD).toString();
  expect(await differing({ ...answer, evidence: JSON.stringify(evidence) })).toEqual([
    'verdict of the evidence',
    'finding pool_against_reference',
    'finding spot_against_twap',
    'verdict of the answer',
    'evidence hash',
    'verdict signed',
    'signer',
  ]);
});

it('RP-3: what it cannot judge it refuses', async () => {
  const answer = await answerTo();
  const evidence = JSON.parse(answer.evidence as string);
  const refused = (document: unknown) => replay(served.parse({ ...answer, evidence: JSON.stringify(document) }));
  await expect(refused({ ...evidence, rules: 99 })).rejects.toThrow('judged by rules 99');
  await expect(refused({ ...evidence, more: 1 })).rejects.toThrow('more');
  const { readAt: _, ...late } = evidence.proposal;
  await expect(refused({ ...evidence, proposal: late })).rejects.toThrow('readAt');
  const { chain } = evidence.proposal;
  const { parentHash: __, ...anyFork } = chain.block;
  const unnamed = { ...evidence.proposal, chain: { ...chain, block: anyFork } };
  await expect(refused({ ...evidence, proposal: unnamed })).rejects.toThrow('parentHash');
});
