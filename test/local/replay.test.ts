import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashing } from '@bowline/chain/hashing';
import { canonicalJson } from '@bowline/core/domain/evidence';
import type { Proposal } from '@bowline/core/domain/facts';
import { WAD } from '@bowline/core/domain/units';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { judgeAgain, looserIn, replay, served } from '@bowline/core/replay/replay';
import { BTCB, fairProposal, NOW } from '@bowline/core/test/verdict/proposals';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTicketSigner } from '../../agent/src/process/ticket-signer.ts';
import { ask, world } from '../../agent/test/tools/world.ts';
import { run } from './commands.ts';

// A well-known development key.
const account = privateKeyToAccount('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba');
const tickets = createTicketSigner(account, 31_337, '0x4444444444444444444444444444444444444444');

/** The answer of check_asset to these facts. */
async function answerTo(facts: Partial<Proposal['chain']> = {}): Promise<Record<string, unknown>> {
  const chain = { ...fairProposal().chain, ...facts };
  const signing = { ...world, tickets, chain: { ...world.chain, facts: async () => chain } };
  return (await ask('check_asset', { asset: 'BTCB' }, signing)) as Record<string, unknown>;
}

const differing = async (answer: unknown) => {
  const lines = await replay(served.parse(JSON.parse(JSON.stringify(answer))), hashing);
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
    // In the form of `GET /verdict`.
    expect(await differing({ ...answer, evidence: JSON.parse(answer.evidence as string) })).toEqual([]);
  }
  expect(verdicts).toEqual(new Set(['GO', 'NO_GO', 'NO_DATA']));
});

it('ends without a word when its reader has seen enough', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-replay-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const answer = join(folder, 'answer.json');
  writeFileSync(answer, JSON.stringify(await answerTo()));
  const child = spawn(process.execPath, ['cli/main.ts', 'replay', answer]);
  child.stdout.destroy();
  const said = child.stderr.toArray();
  expect([await once(child, 'close'), Buffer.concat(await said).toString()]).toEqual([[141, null], '']);
});

it('RP-1: says what does not follow', async () => {
  const answer = await answerTo();
  const ticket = answer.ticket as Record<string, unknown>;
  const evidence = JSON.parse(answer.evidence as string);
  const changed = (text: string) => ({ ...answer, evidence: text });

  const stated: Record<string, [unknown, string]> = {
    verdict: ['CAUTION', 'verdict of the answer'],
    reason: ['price_jumped', 'reason of the answer'],
    asset: ['ETH', 'asset of the answer'],
    side: ['sell', 'side of the answer'],
    amount_usd: ['1', 'amount usd of the answer'],
    pay: [{ symbol: 'USDT', amount: '1' }, 'pay of the answer'],
    receive: [{ symbol: 'BTCB', amount: '1000' }, 'receive of the answer'],
    cost: [null, 'cost of the answer'],
    reference_usd: ['1', 'reference usd of the answer'],
    pool_usd: ['1', 'pool usd of the answer'],
    deviation_bps: ['7', 'deviation bps of the answer'],
    references: [[], 'references of the answer'],
    block: ['1', 'block of the answer'],
    time: ['2027-01-01T00:00:00.000Z', 'time of the answer'],
  };
  for (const [field, [value, what]] of Object.entries(stated)) {
    expect(await differing({ ...answer, [field]: value }), field).toEqual([what]);
  }
  const findings = answer.findings as { check: string; detail: string }[];
  const [first] = findings;
  const reworded = findings.map((each) => (each === first ? { ...each, detail: 'All is well.' } : each));
  expect(await differing({ ...answer, findings: reworded })).toEqual([`finding ${first?.check} of the answer`]);
  expect(await differing({ ...answer, findings: findings.slice(1) })).toEqual([
    'number of findings of the answer',
    `finding ${first?.check} of the answer`,
  ]);
  expect(await differing({ ...answer, findings: [{ ...first, more: 'trust me' }, ...findings.slice(1)] })).toEqual([
    `finding ${first?.check} of the answer`,
  ]);
  // The answer may state less.
  expect(await differing({ verdict: answer.verdict, evidence: answer.evidence, ticket })).toEqual([]);
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

  // Another spelling of the same document has another hash, so it is not what was signed.
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

it('RP-1: facts that were changed change what follows', async () => {
  const answer = await answerTo();
  const evidence = JSON.parse(answer.evidence as string);
  evidence.proposal.chain.play = 'refused';
  expect(await differing({ ...answer, evidence: JSON.stringify(evidence) })).toEqual([
    'verdict of the evidence',
    'finding executability',
    'finding way_back',
    'verdict of the answer',
    'reason of the answer',
    'finding executability of the answer',
    'finding way_back of the answer',
    'evidence hash',
    'verdict signed',
    'signer',
  ]);
});

it('RP-3: what it cannot judge it refuses', async () => {
  const answer = await answerTo();
  const evidence = JSON.parse(answer.evidence as string);
  const refused = (document: unknown) =>
    replay(served.parse({ ...answer, evidence: JSON.stringify(document) }), hashing);
  await expect(refused({ ...evidence, rules: 99 })).rejects.toThrow('unsupported_rules');
  await expect(refused({ ...evidence, more: 1 })).rejects.toThrow('more');
  const { readAt: _, ...late } = evidence.proposal;
  await expect(refused({ ...evidence, proposal: late })).rejects.toThrow('readAt');
  const { chain } = evidence.proposal;
  const { parentHash: __, ...anyFork } = chain.block;
  const unnamed = { ...evidence.proposal, chain: { ...chain, block: anyFork } };
  await expect(refused({ ...evidence, proposal: unnamed })).rejects.toThrow('parentHash');
});

describe('RP-3: evidence that names other rules than the newest', () => {
  // The pool is 2.8 % above every source, in price and mean: the trade is refused for its cost.
  const dearer = {
    ...{ spotWad: 102_800n * WAD, twapWad: 102_800n * WAD },
    quote: { ...fairProposal().chain.quote, amountOut: 9_722_762_645_914_396n } as never,
    play: { received: 9_722_762_645_914_396n, returned: 999_000_250_000_000_000_000n },
  };

  it('is refused by name, though earlier rules would have let the trade pass', async () => {
    const answer = await answerTo(dearer);
    expect(answer.verdict).toBe('NO_GO');
    for (const rules of [1, 2, 3, rulesVersion - 1, rulesVersion + 1, 99]) {
      const text = relabelled(answer.evidence as string, rules);
      expect(() => judgeAgain(text, hashing.hash).again.verdict, `rules ${rules}`).toThrow(
        expect.objectContaining({ code: 'unsupported_rules' }),
      );
      await expect(replay(served.parse({ ...answer, evidence: text }), hashing)).rejects.toMatchObject({
        code: 'unsupported_rules',
      });
      expect(() => looserIn({ evidence: text })).toThrow(expect.objectContaining({ code: 'unsupported_rules' }));
    }
  });
});

/** A document as the rules of this version wrote it. Earlier versions had fewer facts and limits. */
function relabelled(text: string, rules: number): string {
  const { proposal, ...concluded } = JSON.parse(text);
  if (rules >= 3) return canonicalJson({ ...concluded, proposal, rules });
  const { route: _r, smallerQuotes: _s, ...chain } = proposal.chain;
  const { costBps: _c, moveBps: _m, ...limits } = proposal.limits;
  const older = { ...proposal, chain, limits, depth: 'off', history: 'off', pyth: 'off' };
  if (rules === 2) return canonicalJson({ ...concluded, proposal: older, rules });
  const { depth: _d, history: _h, pyth: _p, ...first } = older;
  const { parentHash: _b, ...block } = chain.block;
  const named = ['referenceAgeSeconds', 'quoteAgeSeconds', 'blockAgeSeconds', 'exchangeAgeSeconds'];
  const known = [...named, 'costBps', 'jumpBps', 'moveBps', 'pegBps'];
  const few = Object.fromEntries(Object.entries(limits).filter(([name]) => known.includes(name)));
  return canonicalJson({ ...concluded, proposal: { ...first, chain: { ...chain, block }, limits: few }, rules });
}

it('RP-1: a document alone is judged again, out of a file or out of the folder where the agent keeps it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  try {
    const text = (await answerTo()).evidence as string;
    const hash = hashing.hash(text);
    mkdirSync(join(folder, hash.slice(2, 4)));
    writeFileSync(join(folder, hash.slice(2, 4), `${hash}.json`), text);
    const found = run('../../cli/main.ts', ['replay', hash, '--store', folder]);
    expect([await found.exit, found.printed.err]).toEqual([0, '']);
    expect(found.printed.out).toContain('same     verdict of the evidence');
    expect(found.printed.out).toContain('The verdict follows from its evidence.');
    writeFileSync(join(folder, 'forged.json'), text.replace('"verdict":"GO"', '"verdict":"CAUTION"'));
    const forged = run('../../cli/main.ts', ['replay', join(folder, 'forged.json')]);
    expect(await forged.exit).toBe(1);
    expect(forged.printed.out).toContain('DIFFERS  verdict of the evidence');
    const missing = run('../../cli/main.ts', ['replay', hashing.hash('another'), '--store', folder]);
    expect(await missing.exit).toBe(2);
    expect(missing.printed.err).toMatch(/^No document in .* has the hash 0x/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('RP-3: looser limits', () => {
  const held = async (limits: Partial<Proposal['limits']>) => {
    const asked = { ...world, tickets, limitsOf: (): Proposal['limits'] => ({ ...limitsOfAsset(BTCB), ...limits }) };
    return served.parse(JSON.parse(JSON.stringify(await ask('check_asset', { asset: 'BTCB' }, asked))));
  };
  const loose = { costBps: { caution: 40n, noGo: 300n }, blockAgeSeconds: 61n, pegBps: { caution: 1n, noGo: 2n } };

  it('are named, as the evidence has them', async () => {
    expect(looserIn(await held(loose))).toEqual([
      { limit: 'blockAgeSeconds', own: 61n, usual: 60n },
      { limit: 'costBps.noGo', own: 300n, usual: 90n },
    ]);
    expect(looserIn(await held({}))).toEqual([]);
  });

  it('are a note, and no difference', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'replay-'));
    try {
      writeFileSync(
        join(folder, 'ticket.json'),
        JSON.stringify(await held(loose), (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
      );
      const record = {
        ...{ chainId: 31_337, planRegistry: tickets.domain.verifyingContract },
        verdictSigners: [tickets.address],
      };
      writeFileSync(join(folder, 'deployment.json'), JSON.stringify(record));
      const named = ['--deployment', join(folder, 'deployment.json')];
      const { exit, printed } = run('../../cli/main.ts', ['replay', join(folder, 'ticket.json'), ...named]);
      expect([await exit, printed.err]).toEqual([0, '']);
      expect(printed.out.split('\n').filter((line) => line.startsWith('note'))).toEqual([
        "note     limit blockAgeSeconds is 61, looser than the project's 60",
        "note     limit costBps.noGo is 300, looser than the project's 90",
      ]);
      expect(printed.out).toContain('\nThe verdict follows from its evidence.\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
