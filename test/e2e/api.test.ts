import { hashing } from '@bowline/chain/hashing';
import { evidenceDocument } from '@bowline/core/replay/evidence';
import { replay, served } from '@bowline/core/replay/replay';
import { checkCount } from '@bowline/core/texts/checks';
import { type Address, type Hex, keccak256, parseEther, stringToBytes } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainFactLines } from '../../cli/replay/chain-facts.ts';
import { signerLines } from '../../cli/replay/signer.ts';
import { erc20Abi, wbnbAbi } from '../../lab/world/abis.ts';
import { type TokenSymbol, tokens } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { deployContracts } from '../../lab/world/start/contracts.ts';
import { alice } from '../local/accounts.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// What programs request from the agent by plain HTTP, on a fork. The tests carry out its drafts and signed quotes for
// real.

const folder = '.cache/deployments/api';
let local: LocalChain;
let chain: Chain;
let pyth: Pyth;
let agent: Sidecar;

beforeAll(async () => {
  local = await startLocalChain({ blockSeconds: 0.45 });
  chain = connect(local.url);
  await deployContracts(local.url, folder, new AbortController().signal);
  await give(alice, 'USDT', '5000');
  pyth = await servePyth();
  agent = await startSidecar({
    RPC_URL: local.url,
    MARKET_DATA_URL: 'off',
    PYTH_URL: pyth.url,
    DEPLOYMENTS_DIR: folder,
  });
}, 120_000);

afterAll(async () => {
  await agent?.stop();
  await pyth?.stop();
  await local?.stop();
});

async function give(to: Address, symbol: TokenSymbol, amount: string): Promise<void> {
  const args = [to, parseEther(amount)] as const;
  await chain.send(treasurer, tokens[symbol], { abi: erc20Abi, functionName: 'transfer', args });
}

const held = (owner: Address, symbol: TokenSymbol) =>
  chain.readContract({ address: tokens[symbol], abi: erc20Abi, functionName: 'balanceOf', args: [owner] });

async function get(path: string) {
  const response = await fetch(agent.url + path);
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

async function post(path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(agent.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

const order = (changes: object = {}) => ({ asset: 'BTCB', side: 'buy', amount_usd: '1000', owner: alice, ...changes });

test('a verdict with its ticket and its evidence, whose hash is in the ticket', async () => {
  const { status, body } = await get('/verdict?asset=BTCB&side=buy&amount_usd=1000');
  expect(status).toBe(200);
  const { verdict, findings, ticket, evidence } = body as unknown as Record<string, unknown> & {
    ticket: Record<string, string>;
  };
  expect(verdict).toMatch(/^(GO|CAUTION)$/);
  expect(findings).toHaveLength(checkCount);
  expect(ticket).toMatchObject({ token_in: tokens.USDT, token_out: tokens.BTCB, domain: { chain_id: 31_337 } });
  // Canonical JSON: keys are sorted, and parsing keeps their order.
  expect(keccak256(stringToBytes(JSON.stringify(evidence)))).toBe(ticket.evidence_hash);
  expect(await get('/verdict?asset=DOGE')).toMatchObject({ status: 404, body: { code: 'unknown_asset' } });
  expect(await get('/verdict?asset=BTCB&side=hold')).toMatchObject({ status: 400, body: { code: 'invalid_side' } });
  expect(await get('/verdict?asset=BTCB&amount_usd=-1')).toMatchObject({
    status: 400,
    body: { code: 'invalid_amount' },
  });
});

test('RP-13, RP-15: what it serves is vouched for: by Pyth, by the chain, by the deployment', async () => {
  const { body } = await get('/verdict?asset=BTCB&side=sell&amount_usd=1000');
  const answer = served.parse(body);
  if (answer.ticket === null) throw new Error('no ticket');
  const lines = [
    ...(await replay(answer, hashing)),
    ...signerLines(answer.ticket, `${folder}/31337.json`),
    ...(await chainFactLines(local.url, evidenceDocument.parse(answer.evidence).proposal)),
  ];
  expect(lines.filter(({ said, found }) => said !== found)).toEqual([]);
  expect(lines.flatMap(({ what, unchecked }) => (unchecked === undefined ? [] : [what]))).toEqual([
    'finalBlock on chain',
  ]);
  expect(lines.map(({ what }) => what).join()).toContain("Pyth's signed price, of guardian set 31337");
});

test('a crowd with one question is one question to those who say the prices', async () => {
  const before = pyth.asked();
  const sizes = Array.from({ length: 25 }, (_, more) => 2_000 + more);
  const answers = await Promise.all(sizes.map((size) => get(`/verdict?asset=BTCB&amount_usd=${size}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // A second request, if a new five-second period started meanwhile.
  expect(pyth.asked() - before).toBeLessThanOrEqual(2);
});

test('AP-2: a draft does what it says when its owner sends it: to the unit, approval and all', async () => {
  const { status, body } = await post('/swap-draft', order({ acknowledge_caution: true }));
  expect(status).toBe(200);
  const { calls, simulated, amount_in, min_amount_out, withheld } = body as unknown as {
    calls: { kind: string; to: Address; data: Hex }[];
    simulated: { token_in_delta: string; token_out_delta: string };
    amount_in: string;
    min_amount_out: string;
    withheld: null;
  };
  expect(withheld).toBeNull();
  expect(calls.map(({ kind }) => kind)).toEqual(['approve', 'swap']);
  const before = { usdt: await held(alice, 'USDT'), btcb: await held(alice, 'BTCB') };
  for (const { to, data } of calls) await chain.sendRaw(alice, to, data);
  expect((await held(alice, 'USDT')) - before.usdt).toBe(BigInt(simulated.token_in_delta));
  expect((await held(alice, 'BTCB')) - before.btcb).toBe(BigInt(simulated.token_out_delta));
  expect(BigInt(simulated.token_in_delta)).toBe(-BigInt(amount_in));
  expect(BigInt(simulated.token_out_delta)).toBeGreaterThanOrEqual(BigInt(min_amount_out));
  // No approval is left, so the next draft needs its own.
  expect((await post('/swap-draft', order({ acknowledge_caution: true }))).body).toMatchObject({
    calls: [{ kind: 'approve' }, { kind: 'swap' }],
  });
});

test('AP-2: a draft that is paid in BNB assumes that its amount is wrapped first, and names no BNB itself', async () => {
  const sale = { asset: 'WBNB', side: 'sell', amount_usd: undefined, amount_asset: '0.5', acknowledge_caution: true };
  expect((await post('/swap-draft', order(sale))).body).toMatchObject({ calls: null, withheld: 'balance_too_low' });
  const { body } = await post('/swap-draft', order({ ...sale, in_bnb: true }));
  const { calls, simulated } = body as unknown as {
    calls: { kind: string; to: Address; data: Hex; value: string }[];
    simulated: { token_in_delta: string; token_out_delta: string };
  };
  expect(calls.map(({ kind, value }) => [kind, value])).toEqual([
    ['approve', '0'],
    ['swap', '0'],
  ]);
  await chain.send(alice, tokens.WBNB, { abi: wbnbAbi, functionName: 'deposit' }, parseEther('0.5'));
  const before = { wbnb: await held(alice, 'WBNB'), usdt: await held(alice, 'USDT') };
  for (const { to, data } of calls) await chain.sendRaw(alice, to, data);
  expect((await held(alice, 'WBNB')) - before.wbnb).toBe(-parseEther('0.5'));
  expect((await held(alice, 'WBNB')) - before.wbnb).toBe(BigInt(simulated.token_in_delta));
  expect((await held(alice, 'USDT')) - before.usdt).toBe(BigInt(simulated.token_out_delta));
  const dear = order({ ...sale, amount_asset: '50000', in_bnb: true });
  expect((await post('/swap-draft', dear)).body).toMatchObject({ calls: null });
  expect(await post('/swap-draft', order({ in_bnb: true }))).toMatchObject({
    ...{ status: 400, body: { code: 'invalid_input' } },
  });
});

test('AP-2: nothing is drafted that would not go through, or cannot be paid', async () => {
  expect((await post('/swap-draft', order({ amount_usd: '5000', acknowledge_caution: true }))).body).toMatchObject({
    calls: null,
    simulated: null,
    withheld: 'balance_too_low',
  });
  expect(await post('/swap-draft', order({ owner: 'me' }))).toMatchObject({
    status: 400,
    body: { code: 'invalid_address' },
  });
  expect(await post('/swap-draft', order({ max_slippage_bps: 501 }))).toMatchObject({ status: 400 });
  expect(await post('/swap-draft', [])).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
});

test('without a plan there is no outlook; what operators ask is answered', async () => {
  expect(await get('/plans/99/outlook')).toMatchObject({ status: 404, body: { code: 'unknown_plan' } });
  expect(await get('/plans/x/outlook')).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  expect(await get('/ready')).toMatchObject({
    status: 200,
    body: {
      status: 'READY',
      dependencies: {
        chain: { ok: true, needed: true },
        rescues: { ok: true, needed: true, detail: 'No rescue is waiting.' },
        keeper: { ok: true },
      },
    },
  });
  const metrics = await (await fetch(`${agent.url}/metrics`)).text();
  expect(metrics).toMatch(/^bowline_events_total\{event="agent\.ready",level="info"\} 1$/m);
  const { body } = await get('/openapi.json');
  expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: agent.url }] });
  expect(Object.keys((body as unknown as { paths: object }).paths)).toContain('/swap-draft');
});

test('AP-6: on NO_GO nothing is drafted, whatever is acknowledged', async () => {
  // The pool does not move. It is now five per cent above the feeds, and only Pyth still gives the pool's price.
  await setPrice(chain, alice, 'BTCB', 95_000_00000000n);
  const acknowledged = order({ acknowledge_caution: true });
  const withheld = { verdict: 'NO_GO', reason: 'cost_high', withheld: 'verdict_no_go' };
  expect((await post('/swap-draft', acknowledged)).body).toMatchObject({ ...withheld, calls: null, simulated: null });
  const { body } = await get('/verdict?asset=BTCB');
  expect(body).toMatchObject({ verdict: 'NO_GO', ticket: { verdict: 1 } });
});
