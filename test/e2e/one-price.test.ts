import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm';
import { x402Client } from '@x402/fetch';
import type { Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { erc20Abi } from '../../lab/world/abis.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { serveFacilitator } from '../../lab/world/facilitator.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { type Contracts, deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// A verdict costs the same over HTTP and MCP, and A2A quotes that price. One payment buys one answer at any door, and
// what is free is free everywhere.

const folder = '.cache/deployments/one-price';
const network = `eip155:${localChainId}` as const;
/** Anvil's third account. Its key is public. */
const payer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');
/** 0.02 dollars with 18 decimals. */
const price = 20_000_000_000_000_000n;
const pageSecret = 'only-the-page-and-its-agent-know-this-secret';

let local: LocalChain;
let pyth: Pyth;
let chain: Chain;
let contracts: Contracts;
let facilitator: Awaited<ReturnType<typeof serveFacilitator>>;
let agent: Sidecar;
let payee: Address;
let settings: Record<string, string>;

beforeAll(async () => {
  rmSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, force: true });
  pyth = await servePyth();
  local = await startLocalChain({ blockSeconds: 0.45 });
  chain = connect(local.url);
  contracts = await deployContracts(local.url, folder, new AbortController().signal, { maker: keeper });
  facilitator = await serveFacilitator(local.url, 0);
  const { address } = contracts.escrow.token;
  const args = [payer.address, 10n ** 18n] as const;
  await chain.send(treasurer, address, { abi: erc20Abi, functionName: 'transfer', args });
  settings = {
    RPC_URL: local.url,
    MARKET_DATA_URL: 'off',
    PYTH_URL: pyth.url,
    DEPLOYMENTS_DIR: folder,
    DATA_DIR: folder,
    PRICE_USD: '0.02',
    PAGE_SECRET: pageSecret,
    X402_FACILITATOR_URL: facilitator.url,
  };
  agent = await startSidecar(settings);
  const terms = (await (await fetch(`${agent.url}/x402`)).json()) as { payment: { pay_to: Address } };
  payee = terms.payment.pay_to;
}, 120_000);

afterAll(async () => {
  await agent?.stop();
  await pyth?.stop();
  await facilitator?.stop();
  await local?.stop();
});

const held = (token: Address = contracts.escrow.token.address) =>
  chain.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [payee],
  });

/** The standard client's payment for what is required. */
const pay = (required: unknown, asset: Address = contracts.escrow.token.address): Promise<PaymentPayload> =>
  new x402Client()
    .register(network, new ExactEvmScheme(payer))
    .setSpendControls({ allowedAssets: [{ network, asset }] })
    .createPaymentPayload(required as PaymentRequired);

const decoded = (header: string | null) => JSON.parse(Buffer.from(header ?? '', 'base64').toString());
const encoded = (payload: PaymentPayload) => Buffer.from(JSON.stringify(payload)).toString('base64');

async function mcp(): Promise<McpClient> {
  const client = new McpClient({ name: 'buyer', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${agent.url}/mcp`)));
  onTestFinished(() => client.close());
  return client;
}

async function legacyMcp(): Promise<LegacyClient> {
  const client = new LegacyClient({ name: 'buyer', version: '1' });
  await client.connect(new LegacyTransport(new URL(`${agent.url}/mcp`)) as Transport);
  onTestFinished(() => client.close());
  return client;
}

type Data = Record<string, unknown>;

/** JSON-RPC of A2A 0.3, which most buyers speak. */
async function a2a(parts: readonly Data[], metadata: Data = {}): Promise<Data> {
  const message = { kind: 'message', role: 'user', messageId: crypto.randomUUID(), parts, metadata };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
  const response = await fetch(`${agent.url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { result, error } = (await response.json()) as { result?: Data; error?: unknown };
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}

const data = (value: Data) => ({ kind: 'data', data: value });

test('AG-145: unpaid, no door gives a verdict or a ticket; each says what to pay, and it is the same', async () => {
  const asked: [string, unknown][] = [];
  const order = { asset: 'BTCB', amount_usd: 5, owner: payer.address };
  const calls: [string, RequestInit?][] = [
    ['/verdict?asset=BTCB'],
    ['/verdict'],
    ['/x402', { method: 'POST', body: JSON.stringify({ prompt: 'Is BTCB fairly priced?' }) }],
    ['/x402', { method: 'POST', body: JSON.stringify({ prompt: 'What is the price of ETH? Is BTCB fairly priced?' }) }],
    ['/swap-draft', { method: 'POST', body: JSON.stringify({ ...order, side: 'buy' }) }],
    ['/desk-quote', { method: 'POST', body: JSON.stringify(order) }],
  ];
  for (const [path, init] of calls) {
    const response = await fetch(agent.url + path, { ...init, headers: { 'content-type': 'application/json' } });
    const text = await response.text();
    expect(response.status, path).toBe(402);
    expect(text).not.toMatch(/GO|NO_DATA|CAUTION|signature/);
    asked.push([path, decoded(response.headers.get('payment-required'))]);
  }
  for (const client of [await mcp(), await legacyMcp()]) {
    for (const [name, given] of [
      ['check_asset', { asset: 'BTCB' }],
      ['draft_swap', { ...order, side: 'buy' }],
    ] as const) {
      const result = await client.callTool({ name, arguments: given });
      expect(result.isError).toBe(true);
      const [content] = result.content as { text: string }[];
      expect(JSON.parse(content?.text ?? '')).toEqual(result.structuredContent);
      expect(result.structuredContent).toMatchObject({ x402Version: 2, resource: { url: `mcp://tool/${name}` } });
      asked.push([name, result.structuredContent]);
    }
  }
  const questions = [
    [data({ skill: 'check_asset', asset: 'BTCB' })],
    [data({ skill: 'ask', prompt: 'Is BTCB fairly priced?' })],
    [{ kind: 'text', text: 'Is BTCB fairly priced?' }],
  ];
  for (const parts of questions) {
    const said = await a2a(parts);
    expect(said).toMatchObject({ kind: 'message', parts: [{ data: { code: 'payment_required', retryable: false } }] });
    asked.push(['a2a', (said as { parts: [{ data: Data }] }).parts[0].data.required]);
  }
  for (const [door, required] of asked) {
    const each = { scheme: 'exact', network, amount: price.toString(), payTo: payee };
    expect(required, door).toMatchObject({
      x402Version: 2,
      accepts: [{ ...each, asset: contracts.escrow.token.address, extra: { assetTransferMethod: 'eip3009' } }],
    });
  }
});

test('AG-145: each door takes the price and gives the verdict with its receipt; the payment is good for that answer alone', async () => {
  const before = await held();
  const url = `${agent.url}/verdict?asset=BTCB&side=buy&amount_usd=700`;
  const unpaid = await fetch(url);
  const payment = await pay(decoded(unpaid.headers.get('payment-required')));
  const header = { 'payment-signature': encoded(payment) };
  const paid = await fetch(url, { headers: header });
  expect(paid.status).toBe(200);
  expect(decoded(paid.headers.get('payment-response'))).toMatchObject({ success: true, network });
  const verdict = (await paid.json()) as Data;
  expect(verdict).toMatchObject({ verdict: expect.any(String), ticket: { signature: expect.any(String) } });
  expect((await held()) - before).toBe(price);

  // The same payment and question over MCP: the same answer, once paid. Another question: nothing.
  const client = await mcp();
  const _meta = { 'x402/payment': payment };
  const same = { name: 'check_asset', arguments: { asset: 'bitcoin', amount_usd: '700' }, _meta };
  const again = await client.callTool(same);
  expect(again.isError ?? false).toBe(false);
  expect(again.structuredContent).toMatchObject({ verdict: verdict.verdict, ticket: verdict.ticket });
  const other = await client.callTool({ ...same, arguments: { asset: 'ETH' } });
  expect(other).toMatchObject({ isError: true });
  expect(JSON.stringify(other.content)).toContain('payment_used_for_another_prompt');
  expect((await held()) - before).toBe(price);

  for (const buyer of [client, await legacyMcp()]) {
    const call = { name: 'check_asset', arguments: { asset: 'ETH', amount_usd: 300 } };
    const { structuredContent } = await buyer.callTool(call);
    const told: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void told.push(message);
    const paying = { ...call, _meta: { 'x402/payment': await pay(structuredContent) } };
    const answered = await (buyer instanceof LegacyClient
      ? buyer.callTool(paying, undefined, { onprogress })
      : buyer.callTool(paying, { onprogress }));
    expect(told).toEqual(['Reading prices and pools', 'Judged']);
    expect(answered.isError ?? false).toBe(false);
    expect(answered.structuredContent).toMatchObject({ asset: 'ETH', ticket: { signature: expect.any(String) } });
    expect(answered._meta?.['x402/payment-response']).toMatchObject({ success: true, network });
  }
  expect((await held()) - before).toBe(3n * price);

  // A2A names the terms and the endpoint that accepts the payment, and takes no payment itself.
  const question = [data({ skill: 'check_asset', asset: 'BNB', amount_usd: 50 })];
  const [{ data: told }] = (await a2a(question)).parts as [{ data: { endpoint: { url: string }; required: unknown } }];
  expect(told.endpoint).toEqual({ method: 'GET', url: `${agent.url}/verdict` });
  const payload = await pay(told.required);
  expect(await a2a(question, { 'x402.payment.payload': payload })).toMatchObject({ parts: [{ data: told }] });
  expect((await held()) - before).toBe(3n * price);
  const sold = await fetch(`${told.endpoint.url}?asset=BNB&amount_usd=50`, {
    headers: { 'payment-signature': encoded(payload) },
  });
  expect(sold.status).toBe(200);
  expect((await held()) - before).toBe(4n * price);
});

test('AG-145: a call that is wrong is not charged, at any door', async () => {
  const before = await held();
  const required = decoded((await fetch(`${agent.url}/verdict`)).headers.get('payment-required'));
  const payment = await pay(required);
  const header = { 'payment-signature': encoded(payment) };
  for (const query of ['', '?asset=NOPE', '?asset=BTCB&side=hold', '?asset=BTCB&amount_usd=1&amount_asset=1']) {
    const response = await fetch(`${agent.url}/verdict${query}`, { headers: header });
    expect([400, 404], query).toContain(response.status);
  }
  const client = await mcp();
  const _meta = { 'x402/payment': payment };
  const wrong = await client.callTool({ name: 'check_asset', arguments: { asset: 'NOPE' }, _meta });
  expect(JSON.stringify(wrong.content)).toContain('unknown_asset');
  expect(await a2a([data({ skill: 'check_asset', asset: 'NOPE' })])).toMatchObject({
    kind: 'message',
    parts: [{ data: { code: 'unknown_asset' } }],
  });
  expect(await held()).toBe(before);
  expect((await fetch(`${agent.url}/verdict?asset=BNB`, { headers: header })).status).toBe(200);
  expect((await held()) - before).toBe(price);
});

test('PY-1: a question that is wrong is told so before a payment is asked for, at any door', async () => {
  const [modern, legacy] = [await mcp(), await legacyMcp()];
  for (const client of [modern, legacy]) {
    for (const [wrong, code] of [
      [{ asset: 'NOPE' }, 'unknown_asset'],
      [{ asset: 'BTCB', amountUsd: '1000' }, 'invalid_input'],
    ] as const) {
      const unpaid = await client.callTool({ name: 'check_asset', arguments: wrong });
      expect(JSON.stringify(unpaid.content), code).toContain(code);
      expect(unpaid.structuredContent, code).toBeUndefined();
    }
  }
  for (const [path, status] of [
    ['verdict?asset=NOPE', 404],
    ['verdict?asset=BTCB&side=hold', 400],
    // A request without a question gets the terms, as indexes of x402 do.
    ['verdict', 402],
    ['verdict?asset=BTCB', 402],
  ] as const) {
    const response = await fetch(`${agent.url}/${path}`);
    expect([response.status, response.headers.has('payment-required')], path).toEqual([status, status === 402]);
  }
  for (const [body, status] of [
    ['{}', 402],
    ['{"asset":"NOPE"}', 400],
  ] as const) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${agent.url}/swap-draft`, { method: 'POST', headers, body });
    expect([response.status, response.headers.has('payment-required')], body).toEqual([status, status === 402]);
  }
});

test('over MCP the terms reach whoever has listed the tools first', async () => {
  for (const client of [await mcp(), await legacyMcp()]) {
    const { tools } = await client.listTools();
    for (const [name, given] of [
      ['check_asset', { asset: 'BTCB' }],
      ['draft_swap', { asset: 'BTCB', amount_usd: 5, owner: payer.address, side: 'buy' }],
    ] as const) {
      const { isError, structuredContent } = await client.callTool({ name, arguments: given });
      expect([isError, structuredContent]).toEqual([true, expect.objectContaining({ x402Version: 2 })]);
      // The output schema still tells a model the fields of an answer.
      const { outputSchema } = tools.find((each) => each.name === name) ?? {};
      expect(Object.keys(outputSchema?.properties ?? {})).toEqual(expect.arrayContaining(['asset', 'verdict']));
    }
  }
});

test('over MCP a refused payment says why, in words and as a receipt', async () => {
  const client = await mcp();
  const call = { name: 'check_asset', arguments: { asset: 'BNB', amount_usd: 77 } };
  const payment = await pay((await client.callTool(call)).structuredContent);
  const { authorization, signature } = payment.payload as { authorization: Data; signature: string };
  const payload = { authorization: { ...authorization, nonce: `0x${'7'.repeat(64)}` }, signature };
  const refused = await client.callTool({ ...call, _meta: { 'x402/payment': { ...payment, payload } } });
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { x402Version: 2, error: expect.stringMatching(/^payment_refused: .+ signature .+/) },
    _meta: { 'x402/payment-response': { success: false, errorReason: 'bad_signature', transaction: '', network } },
  });
  const [first] = refused.content as { text: string }[];
  expect(JSON.parse(first?.text ?? '')).toEqual(refused.structuredContent);
});

test('AG-145: free questions are free at every door, and take no payment that comes with them', async () => {
  const before = await held();
  const client = await mcp();
  const ask = async (prompt: string, headers: Record<string, string> = {}) => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    return await fetch(`${agent.url}/x402`, { ...sent, body: JSON.stringify({ prompt }) });
  };
  for (const prompt of ['What is the price of BTCB?', 'Which assets do you know?', 'hello']) {
    expect((await ask(prompt)).status, prompt).toBe(200);
    expect(await a2a([{ kind: 'text', text: prompt }])).toMatchObject({
      kind: 'message',
      parts: [{ data: { result: expect.any(String) } }],
    });
  }
  const unpaid = await fetch(`${agent.url}/verdict`);
  const payment = await pay(decoded(unpaid.headers.get('payment-required')));
  expect((await ask('What is the price of ETH?', { 'payment-signature': encoded(payment) })).status).toBe(200);
  for (const name of ['list_assets', 'list_plans']) {
    expect((await client.callTool({ name, arguments: {} })).isError ?? false, name).toBe(false);
  }
  expect((await client.callTool({ name: 'get_price', arguments: { asset: 'BTCB' } })).isError ?? false).toBe(false);
  expect(await held()).toBe(before);
});

test('AG-145: the page is known by its secret, and by nothing else, and does not pay', async () => {
  const before = await held();
  const post = { method: 'POST', body: JSON.stringify({ prompt: 'Is BTCB fairly priced?' }) };
  for (const [secret, status] of [
    [pageSecret, 200],
    ['another', 402],
    ['', 402],
  ] as const) {
    const headers = { 'content-type': 'application/json', 'x-bowline-page': secret };
    expect((await fetch(`${agent.url}/verdict?asset=BTCB`, { headers })).status).toBe(status);
    expect((await fetch(`${agent.url}/x402`, { ...post, headers })).status).toBe(status);
  }
  expect(await held()).toBe(before);
});

test('AG-146: an Idempotency-Key means the same at every door: one payment, one answer', async () => {
  const before = await held();
  const url = `${agent.url}/verdict?asset=BTCB&amount_usd=910`;
  const required = decoded((await fetch(url)).headers.get('payment-required'));
  const key = { 'idempotency-key': 'order 7' };
  const answers: unknown[] = [];
  for (const payload of [await pay(required), await pay(required)]) {
    const response = await fetch(url, { headers: { ...key, 'payment-signature': encoded(payload) } });
    expect(response.status).toBe(200);
    answers.push(((await response.json()) as Data).ticket);
  }
  const client = await mcp();
  const _meta = { 'x402/payment': await pay(required), 'idempotency-key': 'order 7' };
  const call = { name: 'check_asset', arguments: { asset: 'BTCB', amount_usd: 910 }, _meta };
  answers.push(((await client.callTool(call)).structuredContent as Data).ticket);
  expect(answers[0]).toMatchObject({ signature: expect.any(String) });
  for (const each of answers) expect(each).toEqual(answers[0]);
  expect((await held()) - before).toBe(price);
  const other = await fetch(`${agent.url}/verdict?asset=ETH`, {
    headers: { ...key, 'payment-signature': encoded(await pay(required)) },
  });
  expect([other.status, await other.json()]).toEqual([
    422,
    expect.objectContaining({ code: 'idempotency_key_reused' }),
  ]);
  expect((await held()) - before).toBe(price);
});

test('AG-146: an empty Idempotency-Key is none, at every door', async () => {
  const before = await held();
  const url = (asset: string) => `${agent.url}/verdict?asset=${asset}&amount_usd=920`;
  const required = decoded((await fetch(url('BTCB'))).headers.get('payment-required'));
  for (const [asset, blank] of [
    ['BTCB', ''],
    ['ETH', ' '],
  ] as const) {
    const headers = { 'idempotency-key': blank, 'payment-signature': encoded(await pay(required)) };
    expect((await fetch(url(asset), { headers })).status).toBe(200);
  }
  const client = await mcp();
  const _meta = { 'x402/payment': await pay(required), 'idempotency-key': '' };
  const call = { name: 'check_asset', arguments: { asset: 'BNB', amount_usd: 920 }, _meta };
  expect((await client.callTool(call)).isError ?? false).toBe(false);
  expect((await held()) - before).toBe(3n * price);
});

test('AG-150: the ledger that the chain alone shows equals what was answered, and says where it does not', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const ledger = async () => {
    const given = ['--rpc', local.url, '--deployments', folder, '--data', folder];
    const args = ['cli/main.ts', 'show', 'payments', ...given];
    const ran = promisify(execFile)(process.execPath, args, { cwd: root });
    return await ran.catch((error: { code: number; stdout: string }) => error as { code: number; stdout: string });
  };
  const equal = await ledger();
  const answered = readdirSync(new URL(`../../${folder}/payments/answered/`, import.meta.url));
  expect(equal.stdout).toContain(`${answered.length} payments to ${payee}`);
  expect(equal.stdout).toContain('The chain and the answers agree.');
  expect(equal, equal.stdout).not.toHaveProperty('code');

  // An answer that was never given, and money that nobody asked anything for.
  const answers = new URL(`../../${folder}/payments/answered/`, import.meta.url);
  const [one = ''] = answered;
  renameSync(new URL(one, answers), new URL(`../../${folder}/taken.json`, import.meta.url));
  expect(await ledger()).toMatchObject({ code: 1, stdout: expect.stringContaining('no question known:') });
  renameSync(new URL(`../../${folder}/taken.json`, import.meta.url), new URL(one, answers));
  expect(await ledger()).not.toHaveProperty('code');
});

test('rescues and runs begin while the files of open payments cannot be read yet', async () => {
  const payments = new URL(`../../${folder}/held/payments/`, import.meta.url);
  mkdirSync(new URL('open/', payments), { recursive: true });
  // A pipe: its reader waits for a writer.
  const pipe = fileURLToPath(new URL('open/held.json', payments));
  await promisify(execFile)('mkfifo', [pipe]);
  const main = fileURLToPath(new URL('../../agent/src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...settings, CHAIN: 'local', PORT: '0', LOG_LEVEL: 'debug', DATA_DIR: `${folder}/held` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const events: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { event, loop } = JSON.parse(line);
    events.push(loop === undefined ? event : `${event} ${loop}`);
  });
  const patience = { timeout: 20_000 };
  await expect
    .poll(() => events, patience)
    .toEqual(expect.arrayContaining(['tick.end executor', 'tick.end loan-guard']));
  expect(events).not.toContain('agent.ready');
  await writeFile(pipe, '{}');
  await expect.poll(() => events, patience).toContain('agent.ready');
  expect(events).toContain('payment.unreadable');
});
