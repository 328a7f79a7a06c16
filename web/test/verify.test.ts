import { gzipSync } from 'node:zlib';
import { hashing } from '@bowline/chain/hashing';
import { evidenceOf } from '@bowline/core/domain/evidence';
import type { Limits } from '@bowline/core/domain/facts';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { BTCB, fairProposal, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { ticketOf } from '@bowline/core/verdict/ticket';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, it } from 'vitest';
import { createTicketSigner } from '../../agent/src/process/ticket-signer.ts';
import { judgedWords } from '../app/ask/ticket-words.ts';
import { fragmentOf, textOfFragment } from '../app/check/ticket-link.ts';
import { judgeTicket } from '../app/replay/judge-ticket.ts';
import { type TicketVerified, work } from '../app/replay/tasks.ts';
import { problemWords } from '../app/words/en/tickets.ts';

// What the page's worker says about tickets from anybody (WB-51), and links that carry tickets.

const planRegistry = '0x4444444444444444444444444444444444444444';
const key = privateKeyToAccount(generatePrivateKey());
const issuer = { chainId: 31_337, planRegistry, verdictSigners: [key.address] } as const;
let answer: Awaited<ReturnType<typeof answerBy>>;
beforeAll(async () => {
  answer = await answerBy(key);
});

async function answerBy(
  account: typeof key,
  chainId = 31_337,
  limits: Partial<Limits> = {},
  { rules = rulesVersion, retold = (evidence: string) => evidence } = {},
) {
  // The proposal's Pyth price has no signed bytes, so Pyth is off.
  const proposal = { ...fairProposal(), pyth: 'off', limits: { ...limitsOfAsset(BTCB), ...limits } } as const;
  const { verdict, findings } = judgeProposal(proposal);
  const evidence = retold(evidenceOf(rules, proposal, verdict, findings));
  const tokens = { tokenIn: USDT.address, tokenOut: BTCB.address };
  const ticket = ticketOf(proposal, tokens, verdict, hashing.hash(evidence));
  const { sign, domain } = createTicketSigner(account, chainId, planRegistry);
  return {
    verdict,
    evidence,
    ticket: {
      ...{ token_in: ticket.tokenIn, token_out: ticket.tokenOut, verdict: ticket.verdict },
      ...{ max_price_wad: `${ticket.maxPriceWad}`, max_amount_in: `${ticket.maxAmountIn}` },
      ...{ issued_at: `${ticket.issuedAt}`, expires_at: `${ticket.expiresAt}`, evidence_hash: ticket.evidenceHash },
      ...{ signer: account.address as string, signature: await sign(ticket) },
      domain: {
        ...{ name: domain.name, version: domain.version },
        ...{ chain_id: domain.chainId, verifying_contract: domain.verifyingContract },
      },
    },
  };
}

const verified = (given: unknown, at = NOW) => work({ kind: 'ticket', text: JSON.stringify(given), issuer, at });

it('WB-51: says who signed a ticket, what it allows, and that it follows from its evidence', async () => {
  const whole = await verified(answer);
  expect(whole).toMatchObject({ problems: [], signer: key.address, verdict: 'GO', isReplayed: true });
  expect('lines' in whole && whole.lines.length).toBeGreaterThan(20);
  for (const alone of [answer.ticket, { ticket: answer.ticket }])
    expect(await verified(alone)).toMatchObject({ problems: [], isReplayed: false, lines: [] });
});

it('WB-51: names what is wrong', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const cases: readonly (readonly [unknown, readonly string[], bigint?])[] = [
    [await answerBy(stranger), ['other_signer']],
    [await answerBy(key, 56), ['other_deployment', 'bad_signature', 'other_signer']],
    [{ ...answer.ticket, max_amount_in: '1' }, ['bad_signature', 'other_signer']],
    [{ ...answer, evidence: answer.evidence.replace('"1000"', '"1001"') }, ['other_evidence', 'does_not_follow']],
    [{ ...answer, evidence: '{}' }, ['other_evidence', 'does_not_follow']],
    [{ ...answer, verdict: 'NO_GO' }, ['does_not_follow']],
    // Judged by earlier rules, which a signer may prefer.
    [await answerBy(key, 31_337, {}, { rules: rulesVersion - 1 }), ['unsupported_rules']],
    [await answerBy(key, 31_337, {}, { rules: 1 }), ['unsupported_rules']],
    [answer, ['expired'], NOW + 120n],
    [answer, ['not_valid_yet'], NOW - 1n],
  ];
  for (const [given, problems, at] of cases) {
    expect(await verified(given, at)).toMatchObject({ problems });
    for (const problem of problems) expect(problemWords).toHaveProperty(problem);
  }
  for (const none of [null, {}, [], 'text', { ticket: null }, { ...answer.ticket, verdict: 9 }])
    await expect(verified(none)).rejects.toThrow();
  await expect(work({ kind: 'ticket', text: 'no JSON', issuer, at: NOW })).rejects.toThrow();
});

it('a link carries a ticket in its fragment, plain or compressed', async () => {
  const text = JSON.stringify(answer);
  const fragment = await fragmentOf(text);
  expect(fragment).toMatch(/^[\w-]+$/);
  expect(fragment.length).toBeLessThan(text.length / 2);
  expect(await textOfFragment(`#${fragment}`)).toBe(text);
  expect(await textOfFragment(`#${Buffer.from(text).toString('base64url')}`)).toBe(text);
  expect(await textOfFragment(`#${gzipSync('–').toString('base64url')}`)).toBe('–');
  expect(await textOfFragment('')).toBeUndefined();
  expect(await textOfFragment('#')).toBeUndefined();
});

it('a hostile link is refused and does not fill the memory', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000)).toString('base64url');
  expect(bomb.length).toBeLessThan(500_000);
  for (const hostile of [
    bomb,
    `${await fragmentOf('{}')}AAAA`,
    'H4sI',
    '<script>',
    'A'.repeat(1_000_001),
    Buffer.from([0xff]).toString('base64url'),
  ])
    await expect(textOfFragment(`#${hostile}`)).rejects.toThrow();
});

it('a ticket in an answer is judged with its evidence, and has no word without a good signature', async () => {
  const judge = (task: Parameters<typeof work>[0]) => work(task) as Promise<TicketVerified>;
  const judged = (ticket: object, evidence: string | undefined, at = NOW) =>
    judgeTicket(ticket, {
      ...{ issuer, at, judge },
      evidenceOf: async (hash) => (hash === answer.ticket.evidence_hash && evidence ? JSON.parse(evidence) : undefined),
    });
  expect(await judged(answer.ticket, answer.evidence)).toEqual({
    state: 'good',
    verdict: 'GO',
    isReplayed: true,
    isLooser: false,
  });
  expect(await judged(answer.ticket, undefined)).toEqual({
    state: 'good',
    verdict: 'GO',
    isReplayed: false,
    isLooser: false,
  });
  // The clock decides on its expiry, not this judgement.
  expect(await judged(answer.ticket, undefined, NOW + 10_000n)).toMatchObject({ state: 'good' });
  const changed = answer.evidence.replace('"1000"', '"1001"');
  expect(await judged(answer.ticket, changed)).toEqual({ state: 'wrong', problem: 'other_evidence' });
  const { ticket: foreign } = await answerBy(privateKeyToAccount(generatePrivateKey()));
  expect(await judged(foreign, undefined)).toEqual({ state: 'wrong', problem: 'other_signer' });
  // Signed by the right key, but the evidence does not lead to the verdict.
  const retold = (evidence: string) => evidence.replaceAll('"outcome":"pass"', '"outcome":"caution"');
  const lie = await answerBy(key, 31_337, {}, { retold });
  const ofLie = { issuer, at: NOW, judge, evidenceOf: async () => JSON.parse(lie.evidence) };
  expect(await judgeTicket(lie.ticket, ofLie)).toEqual({ state: 'wrong', problem: 'does_not_follow' });
  for (const word of [0, 1, 2])
    expect(await judged({ ...answer.ticket, verdict: word }, undefined)).toMatchObject({ state: 'wrong' });
  const { signature: _, ...unsigned } = answer.ticket;
  expect(await judged(unsigned, answer.evidence)).toEqual({ state: 'unchecked' });
  expect(judgedWords({ state: 'wrong', problem: 'other_signer' })).toContain('not signed by this deployment');
  expect(judgedWords(undefined)).toContain('Checking');
});

it('RP-3: a ticket that was judged by looser limits than the project’s says so, with each of them', async () => {
  expect(await verified(answer)).toMatchObject({ looser: [] });
  const pegBps = { caution: 9_000n, noGo: 9_999n };
  const loose = await answerBy(key, 31_337, { pegBps });
  const found = await verified(loose);
  expect(found).toMatchObject({ problems: [], verdict: 'GO', isReplayed: true });
  expect('looser' in found && found.looser.map(({ limit, own }) => [limit, own])).toEqual(
    expect.arrayContaining([
      ['pegBps.caution', 9_000n],
      ['pegBps.noGo', 9_999n],
    ]),
  );
  const judge = (task: Parameters<typeof work>[0]) => work(task) as Promise<TicketVerified>;
  const evidenceOf = async () => JSON.parse(loose.evidence);
  const judged = await judgeTicket(loose.ticket, { issuer, at: NOW, judge, evidenceOf });
  expect(judged).toMatchObject({ state: 'good', isLooser: true });
  expect(judgedWords(judged)).toContain('looser limits');
  // Evidence that cannot be judged has no limits to compare.
  expect(await verified({ ...answer, evidence: '{}' })).toMatchObject({ looser: [] });
});
