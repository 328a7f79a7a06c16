import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashing } from '@bowline/chain/hashing';
import type { GuardHistory, PlanHistory } from '@bowline/core/audit/history';
import { guardIrregularities, planIrregularities } from '@bowline/core/audit/irregularities';
import { executorReport, guardReport, planReport } from '@bowline/core/audit/report';
import { serviceFigures } from '@bowline/core/audit/service';
import { spans } from '@bowline/core/audit/spans';
import { evidenceOf } from '@bowline/core/domain/evidence';
import { fairProposal } from '@bowline/core/test/verdict/proposals';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import express, { type RequestHandler } from 'express';
import {
  createPublicClient,
  encodePacked,
  getAbiItem,
  http,
  keccak256,
  numberToHex,
  parseEther,
  slice,
  stringToBytes,
  toFunctionSelector,
  zeroAddress,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loanGuardAbi, planRegistryAbi, swapExecutorAbi } from '../../abis/index.ts';
import { permissionsLensCode } from '../../abis/permissions-lens.ts';
import { createEvidence } from '../../agent/src/api/http/documents.ts';
import { createEvidenceStore } from '../../agent/src/process/evidence-store.ts';
import { keepLog } from '../../agent/test/api/log.ts';
import { serve } from '../../agent/test/api/serve.ts';
import { agentAt, evidenceAt, evidenceLines, readEvidence, storeAt } from '../../cli/audit/evidence.ts';
import { pageOf } from '../../cli/audit/html.ts';
import { openChain } from '../../cli/audit/read.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { createPlan, type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { type Fate, type RpcProxy, refuse, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { readGuardHistory, readPlanHistory, readServed } from '../../web/app/chain/read-history.ts';
import { alice, approve, bob, carol, give } from './accounts.ts';
import { rescuedGuard } from './rescued-guard.ts';

// An audit of a plan with real runs, and its findings when a record violates the terms.

const ticket = {
  tokenIn: zeroAddress,
  tokenOut: zeroAddress,
  verdict: 3,
  // 0.5 % above the market: a higher floor than the plan's own, 1 % below it.
  maxPriceWad: parseEther('100500'),
  maxAmountIn: 0n,
  issuedAt: 0n,
  expiresAt: 0n,
  evidenceHash: keccak256(stringToBytes('evidence')),
} as const;

let world: DeployedChain;
let plan: PlanHistory;
beforeAll(async () => {
  world = await startDeployedChain();
  const { chain, book, url } = world;
  await give(chain, carol, 'USDT', '1000');
  await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('1000'));
  const id = await createPlan(world);
  const executor = { abi: swapExecutorAbi } as const;
  await chain.send(alice, book.own.swapExecutor, {
    ...executor,
    functionName: 'defer',
    args: [id, 1n, 16, { ...ticket, verdict: 1 }, '0x'],
  });
  const path = encodePacked(['address', 'uint24', 'address'], [tokens.USDT, 500, tokens.BTCB]);
  await chain.send(alice, book.own.swapExecutor, {
    ...executor,
    functionName: 'execute',
    args: [id, 1n, ticket, '0x', path],
  });
  plan = await (await openChain(url, book.own)).plan(id);
});
afterAll(() => world?.stop());

it('AU-1: finds nothing wrong with what the registry let through, and tells all of it', async () => {
  expect(planIrregularities(plan)).toEqual([]);
  // ⌈100 / 100,500⌉, from its ticket's price.
  expect(plan.runs[1]?.floor).toBe(995_024_875_621_891n);
  const chain = await openChain(world.url, world.book.own);
  const [tokenIn, tokenOut] = [tokens.USDT, tokens.BTCB];
  const report = planReport(plan, await chain.sided({ tokenIn, tokenOut }), 0n);
  expect(report).toContain('No irregularities');
  expect(report).toContain('NO_GO claimed, cost_high, evidence 0x');
  expect(report).toMatch(
    /1 run, 1 deferral; paid 100 USDT, received 0\.00099\d+ BTCB, on average 100,[\d.]+ USDT\/BTCB$/m,
  );
  // The same amounts, sold: the price is the asset's, whichever token is paid.
  const [run] = plan.runs.slice(1);
  const sold = { ...plan, runs: [{ ...run, amountIn: run?.amountOut, amountOut: run?.amountIn }] } as PlanHistory;
  const ofSale = planReport(sold, await chain.sided({ tokenIn: tokenOut, tokenOut: tokenIn }), 0n);
  expect(ofSale).toMatch(/paid 0\.00099\d+ BTCB, received 100 USDT, on average 100,[\d.]+ USDT\/BTCB$/m);
});

it('WB-51, WB-53: the page reads the same history, and reports the same', async () => {
  const { url, book } = world;
  const client = createPublicClient({ transport: http(url) });
  const { planRegistry: registry, swapExecutor: executor } = book.own;
  const { history, timestamp } = await readPlanHistory(client, registry, plan.id);
  expect(history).toEqual(plan);
  await expect(readPlanHistory(client, registry, 2n)).rejects.toThrow('Plan 2 does not exist.');
  const chain = await openChain(url, book.own);
  expect(timestamp).toBe(chain.timestamp);
  const served = await readServed(client, { registry, executor }, 1n, 1n);
  expect(served).toMatchObject({ found: (await chain.servedBy(executor)).found, unread: [], cause: undefined });
  expect(served.found).toEqual([plan]);
  const report = executorReport(executor, serviceFigures(served.found, timestamp, chain.poolFee));
  // The registry's fee of BTCB's pool, as everybody has it.
  expect(chain.poolFee(tokens.USDT, tokens.BTCB)).toBe(500);
  expect(report).toMatch(/1 run: 1 within 900 s(.|\n)*1 deferral, 0 signed\n {4}1 × cost_high/);
  // An executor's report leaves out the plans of others.
  expect((await readServed(client, { registry, executor: carol }, 1n, 1n)).found).toEqual([]);
  expect(await chain.servedBy(carol)).toEqual({ found: [], unread: [] });
});

describe('AU-1: what the node does not answer is named', () => {
  let proxy: RpcProxy;
  beforeAll(async () => {
    proxy = await startRpcProxy(world.url);
  });
  afterAll(() => proxy?.stop());
  const chainThat = async (refuses: (body: string) => boolean) => {
    proxy.fate = () => 'answered';
    const chain = await openChain(proxy.url, world.book.own);
    proxy.fate = (_method, body) => (refuses(body) ? 'batch_refused' : 'answered');
    return chain;
  };
  const asks = (name: 'runs' | 'termsOf') => {
    const selector = toFunctionSelector(getAbiItem({ abi: planRegistryAbi, name })).slice(2);
    return (body: string) => body.includes(selector);
  };

  it.each([
    ['runs', 'Plan 1: NOT READ. The node did not answer for records 0 to 1.'],
    ['termsOf', 'Plan 1: NOT READ. The node did not answer for versions 1.'],
  ] as const)('%s', async (name, sentence) => {
    const chain = await chainThat(asks(name));
    expect(await chain.plans([plan.id])).toEqual({ found: [], unread: [sentence] });
    await expect(chain.plan(plan.id)).rejects.toThrow(sentence);
  });

  it('a state of a block that the node has forgotten is read at its newest', async () => {
    const chain = await chainThat(() => false);
    await world.chain.mine({ blocks: 1 });
    const forgotten = `"${numberToHex(chain.blockNumber)}"`;
    proxy.fate = (_method, body) => (body.includes(forgotten) ? 'batch_refused' : 'answered');
    const { found, unread } = await chain.plans([plan.id]);
    expect(unread).toEqual([]);
    expect(found).toEqual([{ ...plan, blockNumber: chain.blockNumber + 1n }]);
  });

  it('the numbers that were not searched for an owner', async () => {
    const chain = await chainThat((body) => body.includes(permissionsLensCode.slice(100, 200)));
    expect(await chain.ownedBy(carol)).toEqual({
      plans: [],
      guards: [],
      unread: ['NOT SEARCHED for this owner: plans 1.'],
    });
    proxy.fate = () => 'answered';
    expect(await chain.ownedBy(carol)).toEqual({ plans: [plan.id], guards: [], unread: [] });
    expect((await chain.ownedBy(alice)).plans).toEqual([]);
    await expect(chain.plan(2n)).rejects.toThrow('Plan 2 does not exist.');
    proxy.fate = () => 'lost';
    await expect(chain.plans([plan.id])).rejects.toThrow('HTTP request failed');
  });

  it('records of a node that is behind its own state, and no other plan’s in their place', async () => {
    const { chain: node, book } = world;
    const defer = (id: bigint) => {
      const args = [id, 1n, 16, { ...ticket, verdict: 1 }, '0x'] as const;
      return node.send(alice, book.own.swapExecutor, { abi: swapExecutorAbi, functionName: 'defer', args });
    };
    const second = await createPlan(world);
    await defer(second);
    const behind = await node.snapshot();
    await node.increaseTime({ seconds: 3600 });
    await defer(plan.id);
    const chain = await chainThat(() => false);
    proxy.fate = async (_method, body): Promise<Fate> => {
      if (asks('termsOf')(body)) await node.revert({ id: behind });
      return 'answered';
    };
    const { found, unread } = await chain.plans([plan.id, second]);
    expect(unread).toEqual(['Plan 1: NOT READ. The node did not answer for records 2.']);
    expect(found).toMatchObject([{ id: second, runs: [{ outcome: 2, reason: 16 }] }]);
  });
});

/** The history with one record changed. */
const changed = (at: number, changes: object): PlanHistory => ({
  ...plan,
  runs: plan.runs.map((run, index) => (index === at ? { ...run, ...changes } : run)),
});

describe('AU-2: says which record breaks which term', () => {
  const [deferral, run] = [0, 1];
  it.each<[string, number, (history: PlanHistory) => object]>([
    ['took', run, () => ({ amountIn: 1n })],
    ['below its floor', run, ({ runs }) => ({ amountOut: (runs[1]?.floor ?? 0n) - 1n })],
    ['without a GO verdict', run, () => ({ verdict: 2 })],
    ['it had no floor', run, () => ({ floor: 0n })],
    ['outside its slot', run, ({ runs }) => ({ time: (runs[1]?.slotStart ?? 0) + 1800 })],
    ["not on the terms' time grid", run, ({ runs }) => ({ slotStart: (runs[1]?.slotStart ?? 0) + 1 })],
    ['which does not exist', run, () => ({ version: 2 })],
    ['the deferral moved funds', deferral, () => ({ amountIn: 1n })],
    ['the plan counts', run, () => ({ outcome: 2, amountIn: 0n, amountOut: 0n })],
  ])('%s', (sentence, at, changes) => {
    expect(planIrregularities(changed(at, changes(plan))).join('\n')).toContain(sentence);
  });

  it('a slot that ran twice, and a run too many', () => {
    const [, done] = plan.runs;
    if (done === undefined) throw new Error('no run');
    const twice = {
      ...plan,
      runs: [...plan.runs, done],
      versions: plan.versions.map((terms) => ({ ...terms, maxRuns: 1 })),
    };
    expect(planIrregularities(twice).join('\n')).toMatch(
      /its slot had already run(.|\n)*it is run 2, above the maximum of 1/,
    );
  });

  it('a floor below the limit price’s', () => {
    const versions = plan.versions.map((terms) => ({ ...terms, limitPriceWad: parseEther('1') }));
    expect(planIrregularities({ ...plan, versions }).join('\n')).toContain("below the limit price's");
  });
});

describe('AU-2: the same of a guard', () => {
  const terms = {
    borrower: carol,
    funder: carol,
    adapter: zeroAddress,
    market: zeroAddress,
    keeper: zeroAddress,
    priceSource: zeroAddress,
    triggerHealthWad: parseEther('1.1'),
    targetHealthWad: parseEther('1.25'),
    capPerRescue: 100n,
    capPerDay: 150n,
    minRepay: 10n,
    cooldownSeconds: 60,
    expiresAt: 2_000_000_000,
  };
  const rescue = (changes: object = {}) => ({
    repaid: 80n,
    time: 1_800_000_000,
    outcome: 1,
    healthBeforeWad: parseEther('1.05'),
    healthAfterWad: parseEther('1.25'),
    ...changes,
  });
  const guard = (...rescues: ReturnType<typeof rescue>[]): GuardHistory => ({
    id: 1n,
    blockNumber: 1n,
    terms,
    repayToken: zeroAddress,
    state: { status: 1, lastRescueAt: 0, day: 0, takenInDay: 0n, rescues: rescues.length, isBySource: false },
    isRevoked: false,
    rescues,
    forcedMarkets: [],
  });

  it('LG-25: a loan that can be liquidated at any health is named, and so is one of which that is not known', () => {
    const token = { symbol: 'USDT', decimals: 18 };
    expect(guardReport(guard(), token, 0n)).not.toContain('health could not be read');
    expect(guardReport(guard(), token, 0n)).not.toContain('FORCED');
    expect(guardReport({ ...guard(), forcedMarkets: ['0xab'] }, token, 0n)).toMatch(
      /FORCED LIQUIDATION: .*at any health.*0xab/,
    );
    expect(guardReport({ ...guard(), forcedMarkets: undefined }, token, 0n)).toContain(
      'at any health could not be read',
    );
  });

  it.each<[string, object]>([
    ['not below the trigger', { healthBeforeWad: parseEther('1.1') }],
    ['missed the target', { healthAfterWad: parseEther('1.24') }],
    ['above the cap', { repaid: 101n }],
    ['below the minimum', { repaid: 9n }],
    ['after the guard expired', { time: 2_000_000_000 }],
    ['health fell', { outcome: 2, healthAfterWad: parseEther('1.04') }],
  ])('%s', (sentence, changes) => {
    expect(guardIrregularities(guard(rescue()))).toEqual([]);
    expect(guardIrregularities(guard(rescue(changes))).join('\n')).toContain(sentence);
  });

  it('LG-26: a rescue that the price source triggered is in order below the target', () => {
    const token = { symbol: 'USDT', decimals: 18 };
    const watching = (healthBefore: string): GuardHistory => {
      const history = guard(rescue({ healthBeforeWad: parseEther(healthBefore) }));
      return { ...history, terms: { ...terms, priceSource: alice } };
    };
    expect(guardIrregularities(watching('1.2'))).toEqual([]);
    expect(guardIrregularities(watching('1.25'))).toEqual(['rescue 0: health was not below the target']);
    expect(guardReport(watching('1.2'), token, 0n)).toMatch(
      new RegExp(`also watches ${alice}(.|\n)*triggered by its price source`),
    );
    expect(guardReport(watching('1.05'), token, 0n)).not.toContain('triggered by');
    expect(guardReport(guard(), token, 0n)).not.toContain('also watches');
    const exception = "60 s apart; a rescue by the protocol's prices may follow one by its price source at once";
    expect(guardReport(watching('1.2'), token, 0n)).toContain(exception);
    expect(guardReport(guard(), token, 0n)).toMatch(/60 s apart$/m);
    // Without a price source the rescue is an irregularity, and the report names no cause.
    const unexplained = guardReport(guard(rescue({ healthBeforeWad: parseEther('1.2') })), token, 0n);
    expect(unexplained).toContain('IRREGULARITIES: 1');
    expect(unexplained).not.toContain('triggered by');
  });

  it('LG-3: only the first rescue below the trigger after one by the price source may come within the cooldown', () => {
    const at = (seconds: number, healthBefore: string) =>
      rescue({ repaid: 10n, time: 1_800_000_000 + seconds, healthBeforeWad: parseEther(healthBefore) });
    const found = (...rescues: ReturnType<typeof rescue>[]) => {
      const history = guard(...rescues);
      return guardIrregularities({ ...history, terms: { ...terms, priceSource: alice } });
    };
    expect(found(at(0, '1.2'), at(1, '1.05'), at(61, '1.2'), at(62, '1.05'))).toEqual([]);
    // A health at the trigger is not below it.
    expect(found(at(0, '1.1'), at(59, '1.05'))).toEqual([]);
    expect(found(at(0, '1.2'), at(59, '1.2'))).toEqual(['rescue 1: it was made during the cooldown']);
    expect(found(at(0, '1.05'), at(59, '1.2'))).toEqual(['rescue 1: it was made during the cooldown']);
    expect(found(at(0, '1.2'), at(1, '1.05'), at(60, '1.05'))).toEqual(['rescue 2: it was made during the cooldown']);
  });

  it('a sale that fell short starts no cooldown, as a pool may have cut it; a payment does', () => {
    const sale = {
      funding: 'collateral',
      collateralMarket: '0x',
      collateralToken: zeroAddress,
      maxCostBps: 200,
    } as const;
    const soon = (outcome: number) => [rescue({ repaid: 20n, outcome }), rescue({ repaid: 20n, time: 1_800_000_001 })];
    const found = (outcome: number, of: object) => guardIrregularities({ ...guard(...soon(outcome)), ...of });
    expect(found(2, { sale })).toEqual([]);
    expect(found(1, { sale })).toEqual(['rescue 1: it was made during the cooldown']);
    expect(found(2, {})).toEqual(['rescue 1: it was made during the cooldown']);
  });

  it('cooldown and day', () => {
    const found = guardIrregularities(guard(rescue(), rescue({ time: 1_800_000_059 }))).join('\n');
    expect(found).toMatch(/during the cooldown(.|\n)*160 taken in one day/);
  });
});

describe('AU-4: an evidence document', () => {
  const proposal = { ...fairProposal(), pyth: 'off' } as const;
  const { verdict, findings } = judgeProposal(proposal);
  const text = evidenceOf(rulesVersion, proposal, verdict, findings);
  const evidenceHash = keccak256(stringToBytes(text));
  const evidencePrefix = slice(evidenceHash, 0, 19);

  it('is found at the record that has its hash, and judged again', async () => {
    expect((await evidenceLines(changed(1, { evidencePrefix }), text)).slice(0, 1)).toEqual([
      '  evidence of 1 of 2 records replayed, no difference',
    ]);
  });

  it('says what of it nobody could check', async () => {
    const bare = fairProposal();
    const judged = judgeProposal(bare);
    const other = evidenceOf(rulesVersion, bare, judged.verdict, judged.findings);
    const history = changed(1, { evidencePrefix: slice(hashing.hash(other), 0, 19) });
    expect((await evidenceLines(history, other)).slice(0, 2)).toEqual([
      '  evidence of 1 of 2 records replayed, no difference, not all checked',
      '    not checked of record 1: The evidence has no signed bytes of it.',
    ]);
    expect(await evidenceLines(history, other, { chainId: 31_337 })).toContain(
      "    THE EVIDENCE OF RECORD 1 DIFFERS: Pyth's signed price",
    );
  });

  it('is of no record if no record has its hash', async () => {
    expect(await evidenceLines(plan, text)).toContain('    MATCHES NO RECORD of this plan');
  });

  it('does not bear out a record that says otherwise', async () => {
    expect(await evidenceLines(changed(0, { evidencePrefix }), text)).toEqual([
      '  evidence of 1 of 2 records replayed',
      '    THE VERDICT OF RECORD 0 DIFFERS: GO',
    ]);
  });

  it('AU-4: of another trade, or of a signed record of another time, is told of', async () => {
    const eth = { ...plan, versions: plan.versions.map((terms) => ({ ...terms, tokenOut: tokens.ETH })) };
    const of = (history: PlanHistory) => ({ ...history, runs: changed(1, { evidencePrefix }).runs });
    expect(await evidenceLines(of(eth), text)).toContain('    THE EVIDENCE OF RECORD 1 DIFFERS: tokens of the plan');
    expect(await evidenceLines(changed(1, { evidencePrefix, isAttested: true, time: 1 }), text)).toContain(
      '    THE EVIDENCE OF RECORD 1 IS OF ANOTHER TIME',
    );
  });

  it('RP-3: that names other rules is refused by name', async () => {
    const other = evidenceOf(1, proposal, verdict, findings);
    const history = changed(1, { evidencePrefix: slice(hashing.hash(other), 0, 19) });
    const lines = await evidenceLines({ ...history, runs: history.runs.slice(1) }, other);
    expect(lines).toContain('    THE DOCUMENT OF RECORD 0 CANNOT BE JUDGED: unsupported_rules');
  });

  it('RP-3: that was judged by rules in force then names the release that replays it', async () => {
    const other = evidenceOf(1, proposal, verdict, findings);
    const history = changed(1, { evidencePrefix: slice(hashing.hash(other), 0, 19), time: 150 });
    const recorded = { ...history, runs: history.runs.slice(1) };
    const linesAt = (until: number) =>
      evidenceLines(recorded, async () => other, {
        rules: [{ version: 1, from: 100, until, release: '1.0.0' }],
      });
    expect((await linesAt(151)).slice(0, 2)).toEqual([
      `  evidence of 0 of ${recorded.runs.length} records replayed, no difference`,
      '    record 0: judged_by_rules_1, replay it with release 1.0.0',
    ]);
    expect(await linesAt(150)).toContain('    THE DOCUMENT OF RECORD 0 CANNOT BE JUDGED: unsupported_rules');
  });

  it('whose findings do not follow from its facts is told of', async () => {
    const forged = text.replace('"verdict":"GO"', '"verdict":"CAUTION"');
    const history = changed(1, { evidencePrefix: slice(hashing.hash(forged), 0, 19) });
    expect(await evidenceLines(history, forged)).toContain(
      '    THE EVIDENCE OF RECORD 1 DIFFERS: verdict of the evidence',
    );
  });

  it('a page of reports has each line, marks what is out of order, and runs and fetches nothing', () => {
    const page = pageOf('plan <1>', ['Block 7', 'Plan 1: active\n  IRREGULARITIES: 1\n    run 0 & more\n  1 run']);
    expect(page).toContain('<title>Bowline: plan &#60;1&#62;</title>');
    expect(page).toContain('<tr><th>Plan 1: active</th></tr>');
    expect(page).toContain(
      '<tr class="wrong"><td>  IRREGULARITIES: 1</td></tr>\n<tr><td>    run 0 &#38; more</td></tr>',
    );
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|src=|href=/);
  });

  it('is found for every record in the folder where the agent keeps it, or at its address', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
    const history = changed(1, { evidencePrefix });
    const store = createEvidenceStore({ folder: pathToFileURL(`${folder}/`), hash: hashing.hash, log: keepLog() });
    await store.keep(evidenceHash, text);
    const found = [
      '  evidence of 1 of 2 records replayed, no difference',
      '    NO DOCUMENT of records 0',
      expect.stringMatching(/^ {2}surplus of 1 run: -\$0\.\d+ compared with the reference$/),
    ];
    expect(await evidenceLines(history, storeAt(folder))).toEqual(found);
    let requests = 0;
    const limit: RequestHandler = (_request, response, next) => {
      requests += 1;
      if (requests === 1) response.set('Retry-After', '1').status(429).end();
      else next();
    };
    const url = await serve(express().use(createEvidence(store.read, limit)));
    expect(await evidenceLines(history, agentAt(url))).toEqual(found);
    expect(await evidenceLines(changed(0, { evidencePrefix }), storeAt(folder))).toEqual([
      '  evidence of 1 of 2 records replayed',
      '    THE VERDICT OF RECORD 0 DIFFERS: GO',
      '    NO DOCUMENT of records 1',
    ]);
    // AU-18
    const run = { outcome: 1, verdict: 3, amountIn: parseEther('1000'), amountOut: parseEther('0.00999') };
    expect((await evidenceLines(changed(0, { ...run, evidencePrefix }), storeAt(folder))).at(-1)).toBe(
      '  surplus of 1 run: -$1.00 compared with the reference',
    );
    expect(await evidenceAt(evidenceHash, folder)).toBe(text);
    expect(await evidenceAt(folder, '')).toBeTypeOf('function');
    await expect(evidenceAt(keccak256('0x'), folder)).rejects.toThrow(/^No document in .* has the hash/);
    // A source that serves another document is found out.
    expect((await evidenceLines(history, async () => text)).join()).toContain('RECORD 0 HAS ANOTHER HASH');
    const bad = 'no JSON';
    const itsHash = changed(0, { evidencePrefix: hashing.hash(bad).slice(0, 40) as `0x${string}` });
    const readBad = async (prefix: string) => (hashing.hash(bad).startsWith(prefix) ? bad : undefined);
    expect(await evidenceLines(itsHash, readBad)).toEqual([
      '  evidence of 1 of 2 records replayed',
      '    THE DOCUMENT OF RECORD 0 CANNOT BE JUDGED: unreadable',
      '    NO DOCUMENT of records 1',
    ]);
    expect((await evidenceLines(history, async () => bad)).join()).toContain('RECORD 0 HAS ANOTHER HASH');
    expect(spans('records', [0, 1, 2, 5, 7, 8])).toBe('records 0 to 2, 5, 7 to 8');
  });

  it('is read alone, or out of the answer or the log line that carries it', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'evidence-')), 'evidence.json');
    for (const written of [text, JSON.stringify({ evidence: text }), `{"evidence":${text}}`]) {
      writeFileSync(path, `${written}\n`);
      expect(keccak256(stringToBytes(readEvidence(path)))).toBe(evidenceHash);
    }
  });
});

it('a rescue is as late as the loan had been low, in blocks, and a node without the states says nothing', async () => {
  const { chain: node, url, book } = world;
  const id = await rescuedGuard(node, book.own, carol);
  // The loan was low as soon as it was borrowed, before its guard: funds, approval and registration took seven blocks.
  const chain = await openChain(url, book.own);
  const first = await chain.guard(id);
  const [late = 0n] = await chain.lateness(first);
  const token = { symbol: 'USDT', decimals: 18 };
  expect(guardReport(first, token, 0n, undefined, [late])).toContain(
    `, ${late} blocks after its loan fell below the trigger`,
  );
  expect(late).toBeGreaterThan(2n);

  await node.increaseTime({ seconds: 700 });
  const before = await node.getBlockNumber();
  await setPrice(node, alice, 'ETH', 3_700n * 10n ** 8n);
  const fell = await node.getBlockNumber();
  await node.mine({ blocks: 37 });
  const rescue = { abi: loanGuardAbi, functionName: 'rescue', args: [id] } as const;
  await node.send(carol, book.own.loanGuard, rescue);
  const made = await node.getBlockNumber();
  const again = await openChain(url, book.own);
  const both = await again.lateness(await again.guard(id));
  expect(both).toEqual([late, expect.any(BigInt)]);
  // It fell in one of the blocks that changed the price.
  expect(both[1]).toBeGreaterThanOrEqual(made - fell);
  expect(both[1]).toBeLessThan(made - before);

  const proxy = await startRpcProxy(url);
  try {
    proxy.tell = (call, answer) => {
      const asked = JSON.stringify(call.params);
      if (call.method === 'eth_call' && !asked.includes('latest')) refuse(answer, -32_000, 'missing trie node');
    };
    const forgetful = await openChain(proxy.url, book.own);
    expect(await forgetful.lateness(await again.guard(id))).toEqual([undefined, undefined]);
  } finally {
    await proxy.stop();
  }
});

it('WB-51: the same of a guard', async () => {
  const { chain: node, url, book } = world;
  const id = await rescuedGuard(node, book.own, bob);
  const audited = await (await openChain(url, book.own)).guard(id);
  expect(audited.rescues).toHaveLength(1);
  expect(guardIrregularities(audited)).toEqual([]);
  const client = createPublicClient({ transport: http(url) });
  const { history } = await readGuardHistory(client, book.own, id);
  expect(history).toEqual(audited);
  await expect(readGuardHistory(client, book.own, id + 1n)).rejects.toThrow('does not exist');
});
