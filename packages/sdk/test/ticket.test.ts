import { canonicalJson } from '@bowline/core/domain/evidence';
import { keccak256, stringToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, it } from 'vitest';
import { createTicketSigner } from '../../../agent/src/process/ticket-signer.ts';
import { ask, world } from '../../../agent/test/tools/world.ts';
import {
  type Deployment,
  type IntendedTrade,
  replayAnswer,
  type TicketProblem,
  verifyTicket as verify,
} from '../index.ts';

// SD-5: answers as the agent gives them, and as a man in the middle would change them.

const planRegistry = '0x4444444444444444444444444444444444444444';
const key = privateKeyToAccount(generatePrivateKey());
const deployment = {
  chainId: 31_337,
  contracts: { planRegistry },
  verdictSigners: [key.address],
} as unknown as Deployment;

type Answer = Record<string, unknown> & { readonly ticket: Record<string, unknown>; readonly evidence: string };
let answer: Answer;
let trade: IntendedTrade;
let now: bigint;

const verifyTicket = (issuer: Deployment, given: object, meant: IntendedTrade, at: bigint) =>
  verify(issuer, given, meant, { at, replay: replayAnswer });

const answerBy = async (account: typeof key, chainId = 31_337, registry: `0x${string}` = planRegistry) => {
  const tickets = createTicketSigner(account, chainId, registry);
  const given = await ask('check_asset', { asset: 'BTCB' }, { ...world, tickets });
  return JSON.parse(JSON.stringify(given)) as Answer;
};

beforeAll(async () => {
  answer = await answerBy(key);
  now = BigInt(answer.ticket.issued_at as string) + 1n;
  const { token_in, token_out } = answer.ticket as { token_in: `0x${string}`; token_out: `0x${string}` };
  trade = { tokenIn: token_in, tokenOut: token_out };
});

const problemsOf = async (changed: object, at = now): Promise<readonly TicketProblem[]> =>
  (await verifyTicket(deployment, changed, trade, at)).problems;

it('SD-5: an unchanged ticket is good, with its evidence or without', async () => {
  const checked = await verifyTicket(deployment, answer, trade, now);
  expect(checked).toMatchObject({ problems: [], verdict: answer.verdict, signer: key.address, isReplayed: true });
  expect(checked.ticket.evidenceHash).toBe(keccak256(stringToBytes(answer.evidence)));
  // As GET /verdict returns it.
  expect(await problemsOf({ ...answer, evidence: JSON.parse(answer.evidence) })).toEqual([]);
  expect(await verifyTicket(deployment, { ticket: answer.ticket }, trade, now)).toMatchObject({
    problems: [],
    isReplayed: false,
  });
});

it('SD-5: says what is wrong with it', async () => {
  const { ticket, evidence } = answer;
  const stranger = privateKeyToAccount(generatePrivateKey());
  const other = JSON.parse(evidence);
  other.proposal.chain.block.number = '1';
  const cases: [string, object, readonly TicketProblem[], bigint?][] = [
    ['signed by a stranger', await answerBy(stranger), ['other_signer']],
    [
      'named as ours',
      { ...answer, ticket: { ...(await answerBy(stranger)).ticket, signer: key.address } },
      ['bad_signature', 'other_signer', 'does_not_follow'],
    ],
    [
      'another price',
      { ticket: { ...ticket, max_price_wad: `${BigInt(ticket.max_price_wad as string) + 1n}` } },
      ['bad_signature', 'other_signer'],
    ],
    ['another verdict', { ticket: { ...ticket, verdict: 0 } }, ['bad_signature', 'other_signer']],
    ['another chain', await answerBy(key, 56), ['other_deployment', 'bad_signature', 'other_signer']],
    [
      'another registry',
      await answerBy(key, 31_337, `0x${'55'.repeat(20)}`),
      ['other_deployment', 'bad_signature', 'other_signer'],
    ],
    ['other evidence', { ...answer, evidence: canonicalJson(other) }, ['other_evidence', 'does_not_follow']],
    ['evidence that is no evidence', { ...answer, evidence: '{}' }, ['other_evidence', 'does_not_follow']],
    [
      'evidence of earlier rules',
      { ...answer, evidence: answer.evidence.replace(/"rules":\d+/, '"rules":1') },
      ['other_evidence', 'unsupported_rules'],
    ],
    ['another word beside it', { ...answer, verdict: 'CAUTION' }, ['does_not_follow']],
    ['too late', answer, ['expired'], BigInt(ticket.expires_at as string)],
    ['too early', answer, ['not_valid_yet'], BigInt(ticket.issued_at as string) - 1n],
  ];
  for (const [name, changed, problems, at] of cases) expect(await problemsOf(changed, at), name).toEqual(problems);
  // Not a signature of any key.
  expect(await problemsOf({ ticket: { ...ticket, signature: '0x00' } })).toEqual(['bad_signature', 'other_signer']);
});

it('SD-5: without a replay the hash of the evidence is compared, and nothing is said of what follows from it', async () => {
  const light = async (changed: object) => verify(deployment, changed, trade, { at: now });
  expect(await light(answer)).toMatchObject({ problems: [], isReplayed: false });
  expect((await light({ ...answer, evidence: '{}' })).problems).toEqual(['other_evidence']);
  expect((await light({ ...answer, verdict: 'CAUTION' })).problems).toEqual([]);
});

it('SD-5: of a deployment that names no signer no ticket is its own', async () => {
  const nameless = { ...deployment, verdictSigners: [] };
  expect((await verifyTicket(nameless, answer, trade, now)).problems).toEqual(['other_signer']);
});

it('SD-5: an answer without a ticket is an error, not a ticket without problems', async () => {
  await expect(verifyTicket(deployment, { ...answer, ticket: null }, trade, now)).rejects.toThrow(
    'The answer has no ticket.',
  );
  await expect(verifyTicket(deployment, {}, trade, now)).rejects.toThrow();
  await expect(verifyTicket(deployment, { ticket: { ...answer.ticket, verdict: 9 } }, trade, now)).rejects.toThrow(
    'has no name',
  );
});

it('SD-5: a replay names what does not follow', async () => {
  expect((await replayAnswer(answer)).follows).toBe(true);
  const { follows, lines } = await replayAnswer({ ...answer, reason: 'price_jumped' });
  expect(follows).toBe(false);
  expect(lines.filter(({ said, found }) => said !== found).map(({ what }) => what)).toEqual(['reason of the answer']);
  await expect(replayAnswer({})).rejects.toThrow();
});

it('SD-5: a good ticket for another trade is not for this one', async () => {
  const check = async (other: Partial<IntendedTrade>) =>
    (await verifyTicket(deployment, answer, { ...trade, ...other }, now)).problems;
  const maxAmountIn = BigInt(answer.ticket.max_amount_in as string);
  expect(await check({ amountIn: maxAmountIn })).toEqual([]);
  expect(await check({ amountIn: maxAmountIn + 1n })).toEqual(['too_small']);
  expect(await check({ tokenIn: trade.tokenOut, tokenOut: trade.tokenIn })).toEqual(['other_trade']);
  expect(await check({ tokenOut: planRegistry })).toEqual(['other_trade']);
});

it('what is no answer is an error of one line, and what differs is named', async () => {
  const { ticket: _, ...withoutTicket } = answer;
  for (const [wrong, words] of [
    [withoutTicket, /^This is not an answer of check_asset or GET \/verdict: ticket: .+\.$/],
    [{ ...answer, ticket: { ...answer.ticket, issued_at: 'soon' } }, /: ticket\.issued_at: .+\.$/],
    [{ ...answer, ticket: { ...answer.ticket, more: 1 } }, /: ticket\.more: .+\.$/],
    [{ ...answer, ticket: { ...answer.ticket, domain: null } }, /: ticket\.domain: .+\.$/],
    [{ ...answer, ticket: null }, /^The answer has no ticket\.$/],
  ] as const) {
    await expect(verifyTicket(deployment, wrong, trade, now)).rejects.toThrow(words);
  }
  const alien = { ...answer, evidence: { ...JSON.parse(answer.evidence), more: 1 } };
  await expect(replayAnswer(alien)).rejects.toThrow(
    /^This is not an answer of check_asset or GET \/verdict: .*more.*\.$/,
  );
  const { follows, differing } = await replayAnswer({ ...answer, reason: 'price_jumped' });
  expect([follows, differing.map(({ what }) => what)]).toEqual([false, ['reason of the answer']]);
  expect((await replayAnswer(answer)).differing).toEqual([]);
});
