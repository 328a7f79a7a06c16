import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { B402_PERMIT2_ADDRESS, type Permit2PaymentPayload } from '@bnb-chain/b402';
import { B402ExactClientScheme } from '@bnb-chain/b402/client';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme, x402ExactPermit2ProxyABI } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { type Address, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { erc20Abi } from '../../lab/world/abis.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { serveFacilitator } from '../../lab/world/facilitator.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { type Contracts, deployContracts } from '../../lab/world/start/contracts.ts';
import { serveB402 } from './b402-server.ts';
import { b402Spender, placePermit2 } from './permit2.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// Priced answers: the agent as a process, a facilitator that settles on a fork, and the standard x402 client.

const folder = '.cache/deployments/pay';
const network = `eip155:${localChainId}` as const;
/** Anvil's third account. Its key is public. */
const payer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');
/** 0.02 dollars with 18 decimals. */
const price = 20_000_000_000_000_000n;
const headers = { 'content-type': 'application/json' };
const allowanceAbi = parseAbi(['function allowance(address owner, address spender) view returns (uint256)']);
const body = (prompt: unknown) => JSON.stringify({ prompt });

let local: LocalChain;
let pyth: Pyth;
let chain: Chain;
let contracts: Contracts;
let facilitator: Awaited<ReturnType<typeof serveFacilitator>>;
let agent: Sidecar;
let payee: Address;

beforeAll(async () => {
  pyth = await servePyth();
  local = await startLocalChain({ blockSeconds: 0.45 });
  chain = connect(local.url);
  // Payments of an earlier chain.
  rmSync(new URL(`../../${folder}/payments/`, import.meta.url), { recursive: true, force: true });
  contracts = await deployContracts(local.url, folder, new AbortController().signal);
  facilitator = await serveFacilitator(local.url, 0);
  const { address } = contracts.escrow.token;
  const args = [payer.address, 10n ** 18n] as const;
  await chain.send(treasurer, address, { abi: erc20Abi, functionName: 'transfer', args });
  agent = await startAgent();
  payee = ((await terms()).payment as { pay_to: Address }).pay_to;
}, 120_000);

const startAgent = (settings: Record<string, string> = { X402_FACILITATOR_URL: facilitator.url }) =>
  startSidecar({
    RPC_URL: local.url,
    MARKET_DATA_URL: 'off',
    PYTH_URL: pyth.url,
    DEPLOYMENTS_DIR: folder,
    PRICE_USD: '0.02',
    DATA_DIR: folder,
    ...settings,
  });

afterAll(async () => {
  await agent?.stop();
  await pyth?.stop();
  await facilitator?.stop();
  await local?.stop();
});

const terms = async () => (await (await fetch(`${agent.url}/x402`)).json()) as Record<string, unknown>;
const held = (owner: Address, token = contracts.escrow.token.address) =>
  chain.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  });

const client = () =>
  new x402Client()
    .register(network, new ExactEvmScheme(payer))
    // The client pays no unknown token unless configured to.
    .setSpendControls({ allowedAssets: [{ network, asset: contracts.escrow.token.address }] });

/** The standard client's payment, without sending it. */
async function sign(): Promise<Hex> {
  let signed: string | null = null;
  const hold: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    signed = request.headers.get('payment-signature');
    return signed === null ? fetch(request) : new Response('{}');
  };
  await wrapFetchWithPayment(hold, client())(`${agent.url}/x402`, {
    method: 'POST',
    headers,
    body: body('Is BTCB fairly priced?'),
  });
  if (signed === null) throw new Error('nothing was signed');
  return signed;
}

const send = (signed: string, text: string, name = 'payment-signature') =>
  fetch(`${agent.url}/x402`, { method: 'POST', headers: { ...headers, [name]: signed }, body: text });

test('PY-1: unpaid, whatever is asked is answered 402 with the terms; GET tells them too', async () => {
  expect(await terms()).toMatchObject({
    price_usd: 0.02,
    payment: { rail: 'x402', network, asset: contracts.escrow.token.address, amount: price.toString(), pay_to: payee },
  });
  for (const sent of [body('Is BTCB fairly priced?'), '{', '', body(5)]) {
    const response = await fetch(`${agent.url}/x402`, { method: 'POST', headers, body: sent });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ code: 'payment_required' });
    const required = JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString());
    expect(required).toMatchObject({
      x402Version: 2,
      resource: { url: `${agent.url}/x402` },
      accepts: [
        { scheme: 'exact', network, amount: price.toString(), payTo: payee, extra: { assetTransferMethod: 'eip3009' } },
      ],
    });
  }
});

test('PY-1: the standard client pays and gets its answer; the payee has the price, to the unit', async () => {
  const before = await held(payee);
  const pay = wrapFetchWithPayment(fetch, client());
  const response = await pay(`${agent.url}/x402`, {
    method: 'POST',
    headers,
    body: body('Is BTCB fairly priced?'),
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ tools: ['check_asset'], answered_by: 'embedded' });
  const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '');
  expect(receipt).toMatchObject({ success: true, network });
  expect((await chain.getTransactionReceipt({ hash: receipt.transaction as Hex })).status).toBe('success');
  expect((await held(payee)) - before).toBe(price);
});

test('PY-3: three copies at once and one later: one charge, four times the same answer', async () => {
  const signed = await sign();
  const before = await held(payee);
  const text = body('Is ETH fairly priced?');
  const answers = await Promise.all([send(signed, text), send(signed, text), send(signed, text)]);
  answers.push(await send(signed, text, 'x-payment'));
  const told = await Promise.all(answers.map(async (response) => [response.status, await response.text()]));
  expect(told[0]?.[0]).toBe(200);
  expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1);
  expect((await held(payee)) - before).toBe(price);
  expect((await send(signed, body('Is BNB fairly priced?'))).status).toBe(409);
});

test('PY-3: after another price, payee and tokens a paid answer stays its payer’s, and nothing is sold at the terms of before', async () => {
  const paidTo = payee;
  const before = await held(paidTo);
  const text = body('Is BTCB fairly priced?');
  const signed = await sign();
  const answered = await send(signed, text);
  expect(answered.status).toBe(200);
  const answer = await answered.text();
  const unsent = await sign();
  await agent.stop();
  const changed = { PRICE_USD: '0.05', PAY_TO: '0x00000000000000000000000000000000000d00d1', PERMIT2_TOKENS: 'none' };
  agent = await startAgent({ X402_FACILITATOR_URL: facilitator.url, ...changed });
  const again = await send(signed, text);
  expect([again.status, await again.text()]).toEqual([200, answer]);
  expect((await send(signed, body('Is ETH fairly priced?'))).status).toBe(409);
  const refused = await send(unsent, text);
  expect([refused.status, await refused.json()]).toEqual([402, expect.objectContaining({ code: 'payment_mismatch' })]);
  expect((await held(paidTo)) - before).toBe(price);

  // The ledger finds payments made at earlier terms, whatever the terms are now.
  const ledgerNow = async () => {
    const given = ['--rpc', local.url, '--deployments', folder, '--data', folder];
    const cwd = fileURLToPath(new URL('../../', import.meta.url));
    const ran = promisify(execFile)(process.execPath, ['cli/main.ts', 'show', 'payments', ...given], { cwd });
    return (await ran.catch((error: { stdout: string }) => error)).stdout.split('\n');
  };
  const files = readdirSync(new URL(`../../${folder}/payments/answered/`, import.meta.url)).length;
  for (const terms of [changed, { PRICE_USD: '0' }]) {
    await agent.stop();
    agent = await startAgent({ X402_FACILITATOR_URL: facilitator.url, ...terms });
    const lines = await ledgerNow();
    expect(lines[0]).toContain(`${files} payments to `);
    expect(lines[0]).toContain(paidTo);
    expect(lines[1]).toMatch(new RegExp(`^${files} answered, `));
    expect(lines).toContain('The chain and the answers agree.');
  }
  await agent.stop();
  agent = await startAgent();
});

test('PY-24: what is no verdict, and what a model that is down cannot say, is not charged', async () => {
  const before = await held(payee);
  const verdictOf = (query: string, signed: string) =>
    fetch(`${agent.url}/verdict?${query}`, { headers: { 'payment-signature': signed } });
  const unsold = async (response: Response, code: string) => {
    const told = [response.status, await response.json(), response.headers.get('payment-response')];
    expect(told).toEqual([code === 'model_unavailable' ? 502 : 503, expect.objectContaining({ code }), null]);
    expect(await held(payee)).toBe(before);
  };
  // One wei is a size that no pool quotes.
  const signed = await sign();
  await unsold(await verdictOf('asset=BTCB&amount_asset=0.000000000000000001', signed), 'market_unavailable');
  // With every other source silent, only Chainlink is left.
  await agent.stop();
  const oracles = [venus.oracles.redStone, venus.binanceOracle];
  const codes = await Promise.all(oracles.map((address) => chain.getCode({ address })));
  for (const address of oracles) await chain.setCode({ address, bytecode: '0xfe' });
  agent = await startAgent({ X402_FACILITATOR_URL: facilitator.url, PYTH_URL: 'off', MARKET_DATA_URL: 'off' });
  await unsold(await verdictOf('asset=BTCB', signed), 'market_unavailable');
  await unsold(await send(signed, body('Is BTCB fairly priced?')), 'market_unavailable');
  for (const [at, address] of oracles.entries()) await chain.setCode({ address, bytecode: codes[at] as Hex });
  await agent.stop();
  const down = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  agent = await startAgent({ X402_FACILITATOR_URL: facilitator.url, ...down });
  const prompt = body('What do you make of all this?');
  const unpaid = () => fetch(`${agent.url}/x402`, { method: 'POST', headers, body: prompt });
  expect((await unpaid()).status).toBe(402);
  // The model is asked three times, then no longer. The rules would only ask back, which is free.
  for (let at = 0; at < 3; at++) await unsold(await send(signed, prompt), 'model_unavailable');
  const free = await unpaid();
  expect([free.status, await free.json()]).toEqual([200, expect.objectContaining({ answered_by: 'embedded' })]);
  const readiness = await fetch(`${agent.url}/ready`);
  const model = { ok: false, needed: false, reason: 'model_unavailable' };
  expect([readiness.status, await readiness.json()]).toEqual([
    200,
    expect.objectContaining({ dependencies: expect.objectContaining({ model: expect.objectContaining(model) }) }),
  ]);
  expect(await held(payee)).toBe(before);
  // The rules give what was paid for.
  const verdict = await send(await sign(), body('Is BTCB fairly priced?'));
  expect([verdict.status, await verdict.json()]).toEqual([200, expect.objectContaining({ answered_by: 'embedded' })]);
  expect((await held(payee)) - before).toBe(price);
  await agent.stop();
  agent = await startAgent();
  expect((await verdictOf('asset=BTCB', signed)).status).toBe(200);
  expect((await held(payee)) - before).toBe(2n * price);
});

test('PY-1: a request that is wrong is never charged, and its payment stays good', async () => {
  const signed = await sign();
  const before = await held(payee);
  const wrong: [string, number][] = [
    ['{', 400],
    [body(5), 400],
    [body(' '), 400],
    [body('x'.repeat(4_001)), 400],
    [JSON.stringify({ prompt: 'x', filler: 'x'.repeat(70_000) }), 413],
  ];
  for (const [text, status] of wrong) expect((await send(signed, text)).status, text.slice(0, 20)).toBe(status);
  expect(await held(payee)).toBe(before);
  expect((await send(signed, body('Is BTCB fairly priced?'))).status).toBe(200);
  expect((await held(payee)) - before).toBe(price);
});

test('a payment that is garbage, lowered, for somebody else or signed by somebody else takes nothing and gives nothing', async () => {
  // A restart gives the rate limit a fresh minute.
  await agent.stop();
  agent = await startAgent();
  const signed = await sign();
  const before = await held(payee);
  const payment = JSON.parse(Buffer.from(signed, 'base64').toString());
  const { accepted, payload } = payment;
  const { authorization } = payload;
  const encoded = (changed: unknown) => Buffer.from(JSON.stringify(changed)).toString('base64');
  const bad: [string, string][] = [
    ['!!!', 'payment_malformed'],
    [encoded({}), 'payment_malformed'],
    [encoded({ ...payment, accepted: { ...accepted, amount: '1' } }), 'payment_mismatch'],
    [encoded({ ...payment, accepted: { ...accepted, payTo: payer.address } }), 'payment_mismatch'],
    [
      encoded({ ...payment, payload: { ...payload, authorization: { ...authorization, value: '1' } } }),
      'payment_refused',
    ],
    [encoded({ ...payment, payload: { ...payload, signature: `0x${'11'.repeat(65)}` } }), 'payment_refused'],
  ];
  for (const [given, code] of bad) {
    const response = await send(given, body('Is BTCB fairly priced?'));
    expect([response.status, await response.json()], code).toEqual([402, expect.objectContaining({ code })]);
  }
  expect(await held(payee)).toBe(before);
});

test('without its facilitator it says what is known, and a payment that it could not settle is good later', async () => {
  const signed = await sign();
  const before = await held(payee);
  const { port } = new URL(facilitator.url);
  await facilitator.stop();
  const text = body('Is BTCB fairly priced?');
  expect(await (await send(signed, text)).json()).toMatchObject({ code: 'settlement_unknown' });
  expect(await held(payee)).toBe(before);
  facilitator = await serveFacilitator(local.url, Number(port));
  expect((await send(signed, text)).status).toBe(200);
  expect((await held(payee)) - before).toBe(price);
});

test('PY-3: over B402 the standard client pays, and its own in USDC, also when settlements are pending', async () => {
  const { USDC } = tokens;
  await placePermit2(chain);
  const approval = { abi: erc20Abi, functionName: 'approve', args: [B402_PERMIT2_ADDRESS, 10n ** 18n] } as const;
  await chain.send(payer.address, USDC, approval);
  const funds = [payer.address, 10n ** 18n] as const;
  await chain.send(treasurer, USDC, { abi: erc20Abi, functionName: 'transfer', args: funds });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { name, version } = contracts.escrow.token;
  const account = { clientId: 'bowline', accessToken: 'token-of-bowline' };
  const b402 = await serveB402({
    ...account,
    publicKey,
    facilitatorUrl: facilitator.url,
    network,
    token: { name, version },
    signer: treasurer,
    permit2: {
      token: { name: 'USD Coin', version: '1' },
      spender: b402Spender,
      settle: async ({ permit2Authorization: permit, signature }: Permit2PaymentPayload['payload']) => {
        const { permitted, from, nonce, deadline, witness: bound } = permit;
        const signed = { permitted: { ...permitted, amount: BigInt(permitted.amount) }, nonce: BigInt(nonce) };
        const { transactionHash } = await chain.send(treasurer, b402Spender, {
          abi: x402ExactPermit2ProxyABI,
          functionName: 'settle',
          args: [
            { ...signed, deadline: BigInt(deadline) },
            from,
            { to: bound.to, validAfter: BigInt(bound.validAfter) },
            signature,
          ],
        });
        return transactionHash;
      },
    },
  });
  onTestFinished(() => b402.stop());
  await agent.stop();
  agent = await startAgent({
    PAYMENT_RAIL: 'b402',
    PERMIT2_TOKENS: 'USDC',
    B402_BASE_URL: b402.url,
    B402_CLIENT_ID: account.clientId,
    B402_ACCESS_TOKEN: account.accessToken,
    B402_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  });
  expect(await terms()).toMatchObject({ payment: { rail: 'b402' } });
  for (const pending of [0, 2]) {
    b402.pending = pending;
    const before = await held(payee);
    const signed = await sign();
    const text = body('Is BTCB fairly priced?');
    const answers = await Promise.all([send(signed, text), send(signed, text)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await send(signed, text)).status).toBe(200);
    expect((await held(payee)) - before).toBe(price);
  }
  expect(b402.asked.filter((path) => path === 'settle')).toHaveLength(1 + 3);
  const refused = await send(`${await sign()}`.replace(/.{8}$/, 'AAAAAAAA'), body('Is BTCB fairly priced?'));
  expect(refused.status).toBe(402);
  const text = body('Is BTCB fairly priced?');
  const asked = await fetch(`${agent.url}/x402`, { method: 'POST', headers, body: text });
  const required = JSON.parse(Buffer.from(asked.headers.get('payment-required') ?? '', 'base64').toString());
  const inUsdc = (required as PaymentRequired).accepts.find(({ asset }) => asset === USDC);
  expect(inUsdc).toMatchObject({ extra: { assetTransferMethod: 'permit2-exact', spenderAddress: b402Spender } });
  const own = new x402Client()
    .register(
      network,
      new B402ExactClientScheme({
        account: payer,
        trustedSpenders: { [network]: [b402Spender] },
        permit2Allowance: ({ owner, spender, token }) =>
          chain.readContract({
            address: token,
            abi: allowanceAbi,
            functionName: 'allowance',
            args: [owner, spender],
          }),
      }),
    )
    .setSpendControls({ allowedAssets: [{ network, asset: USDC }] });
  for (const pending of [0, 2]) {
    b402.pending = pending;
    const before = await held(payee, USDC);
    const signed = Buffer.from(JSON.stringify(await own.createPaymentPayload(required))).toString('base64');
    const answers = await Promise.all([send(signed, text), send(signed, text)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await held(payee, USDC)) - before).toBe(price);
  }

  const log = JSON.stringify(agent.log);
  expect(log).not.toContain(account.accessToken);
});

test('at a price of 0 a payment is not looked at', async () => {
  const signed = await sign();
  const before = await held(payee);
  await agent.stop();
  agent = await startAgent({ PRICE_USD: '0' });
  const response = await send(signed, body('Is BTCB fairly priced?'));
  expect(response.status).toBe(200);
  expect(response.headers.get('payment-response')).toBeNull();
  expect(await terms()).toMatchObject({ price_usd: 0 });
  expect(await terms()).not.toHaveProperty('payment');
  expect(await held(payee)).toBe(before);
});
