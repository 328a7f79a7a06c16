import { generateKeyPairSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Address,
  bytesToHex,
  getAddress,
  type Hex,
  numberToHex,
  parseAbi,
  parseSignature,
  serializeSignature,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { erc20Abi } from '../../lab/world/abis.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { compile } from '../../lab/world/compile.ts';
import { serveFacilitator } from '../../lab/world/facilitator.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { type Contracts, deployContracts } from '../../lab/world/start/contracts.ts';
import { type Fate, type RpcProxy, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { serveB402 } from './b402-server.ts';
import {
  fails,
  type HostileFacilitator,
  hangs,
  honest,
  type Settle,
  serveHostileFacilitator,
} from './hostile-facilitator.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { builtMock } from './shop.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';
import {
  authorise,
  base64,
  cancelCall,
  domainOf,
  type Offer,
  type Signed,
  type Terms,
  texts,
  transferCall,
} from './signed-payment.ts';

// Payers who try not to pay, and a facilitator that lies, hangs and disconnects. Every test ends on balances: each
// answer was paid for, and each payment gets an answer.

const folder = '.cache/deployments/pay-hostile';
/** Anvil's third account. Its key is public. */
const payer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');
/** Anvil's fourth account sends the stranger's transactions. */
const stranger: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const batcher: Address = '0x00000000000000000000000000000000ba7c4e12';
const wallet: Address = '0x000000000000000000000000000000000ca11e70';
/** 0.02 dollars with 18 decimals. */
const price = 20_000_000_000_000_000n;
const question = 'Is BTCB fairly priced?';
const otherQuestion = 'Is ETH fairly priced?';

const batchAbi = parseAbi(['function run(address target, bytes[] calls)']);

let local: LocalChain;
let node: RpcProxy;
let pyth: Pyth;
let chain: Chain;
let contracts: Contracts;
let real: Awaited<ReturnType<typeof serveFacilitator>>;
let facilitator: HostileFacilitator;
let agent: Sidecar;
/** A header of PAYMENT-REQUIRED, decoded. */
let required: { x402Version: number; accepts: [Offer] };
let payee: Address;
let token: Address;

beforeAll(async () => {
  rmSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, force: true });
  pyth = await servePyth();
  local = await startLocalChain({ blockSeconds: 0.45 });
  node = await startRpcProxy(local.url);
  chain = connect(local.url);
  contracts = await deployContracts(local.url, folder, new AbortController().signal);
  token = contracts.escrow.token.address;
  real = await serveFacilitator(local.url, 0);
  facilitator = await serveHostileFacilitator(real.url);
  const root = new URL('../../', import.meta.url);
  await chain.place(batcher, await compile(new URL('test/mocks/CallBatch.sol', root)), [], treasurer);
  const signer = await builtMock('ContractSigner');
  await chain.place(wallet, signer, [payer.address], treasurer);
  for (const holder of [payer.address, wallet]) await fund(holder);
  await startAgent();
}, 180_000);

beforeEach(() => {
  node.fate = () => 'answered';
  facilitator.settle = honest;
});

afterAll(async () => {
  await agent?.stop();
  await pyth?.stop();
  await facilitator?.stop();
  await real?.stop();
  await node?.stop();
  await local?.stop();
});

async function startAgent(settings: Record<string, string> = {}): Promise<void> {
  agent = await startSidecar({
    RPC_URL: node.url,
    MARKET_DATA_URL: 'off',
    PYTH_URL: pyth.url,
    DEPLOYMENTS_DIR: folder,
    PRICE_USD: '0.02',
    DATA_DIR: folder,
    X402_FACILITATOR_URL: facilitator.url,
    ...settings,
  });
  const asked = await fetch(`${agent.url}/x402`, { method: 'POST' });
  required = JSON.parse(Buffer.from(asked.headers.get('payment-required') ?? '', 'base64').toString());
  payee = required.accepts[0].payTo;
}

const fund = (holder: Address, amount = 10n ** 18n) =>
  chain.send(treasurer, token, { abi: erc20Abi, functionName: 'transfer', args: [holder, amount] });

/** A new payer with funds for this many answers, and a given number of others with funds for one each. */
async function newPayers(answers: bigint, many: number) {
  const one = privateKeyToAccount(generatePrivateKey());
  const others = Array.from({ length: many }, () => privateKeyToAccount(generatePrivateKey()));
  if (answers > 0n) await fund(one.address, answers * price);
  for (const { address } of others) await fund(address, price);
  return { one, others };
}

const signMany = (many: number, by: PrivateKeyAccount) =>
  Promise.all(Array.from({ length: many }, async () => (await sign({}, by)).header));

const held = (owner: Address) =>
  chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });

const domain = () => domainOf(required.accepts[0]);

const sign = async (changes: Partial<Terms> = {}, by: PrivateKeyAccount = payer) => {
  const signed = await authorise(by, { offer: required.accepts[0], changes });
  return { ...signed, header: base64(signed.payload) };
};

const payload = (terms: Terms, signature: Hex) => ({
  x402Version: 2,
  accepted: required.accepts[0],
  payload: { authorization: texts(terms), signature },
});
const encoded = (terms: Terms, signature: Hex, spaces = 0) => base64(payload(terms, signature), spaces);

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly reason?: string;
  readonly detail?: string;
  readonly text: string;
}

async function send(header: string, prompt = question): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'payment-signature': header };
  const body = JSON.stringify({ prompt });
  const response = await fetch(`${agent.url}/x402`, { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, text, ...(response.ok ? {} : JSON.parse(text)) };
}

const free = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

/** Sends until the outcome is known. */
async function sendUntilKnown(header: string): Promise<Answer> {
  // After two attempts the facilitator is asked again only five seconds later.
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    const answer = await send(header);
    if (answer.code !== 'settlement_unknown') return answer;
    await sleep(250);
  }
  throw new Error('settlement unknown for ever');
}

async function cancel(nonce: Hex): Promise<Hex> {
  const call = await cancelCall(payer, nonce, required.accepts[0]);
  return (await chain.sendRaw(stranger, token, call)).transactionHash;
}

const settled = (transaction: string) => ({
  success: true,
  transaction,
  network: `eip155:${localChainId}`,
  payer: payer.address,
});

/** Settles all of them at the first request, and returns that transaction at every request. */
function inOneTransaction(payments: readonly Signed[]): Settle {
  let batch: Promise<Hex> | undefined;
  const run = async () => {
    const args = [token, payments.map(transferCall)] as const;
    return (await chain.send(stranger, batcher, { abi: batchAbi, functionName: 'run', args })).transactionHash;
  };
  return async () => {
    batch ??= run();
    return settled(await batch);
  };
}

test('PY-3, PY-9: forty encodings of one used authorisation buy nothing, also after the facilitator has failed', async () => {
  const { terms, signature, header } = await sign();
  const before = await held(payee);
  const first = await send(header);
  expect(first.status).toBe(200);
  const encodings = Array.from({ length: 40 }, (_, at) => encoded(terms, signature, at + 1));
  facilitator.settle = fails;
  const others = await Promise.all(
    encodings.map((each, at) => send(each, `Is BTCB fairly priced to buy for ${at + 1} USD?`)),
  );
  facilitator.settle = honest;
  others.push(
    ...(await Promise.all(encodings.map((each, at) => send(each, `Is BTCB fairly priced to buy for ${at + 1} USD?`)))),
  );
  expect(free(others)).toBe(0);
  for (const other of others) expect(other).toMatchObject({ status: 409, code: 'payment_used_for_another_prompt' });
  // For the question that was paid for, each of them is the same payment.
  const copies = await Promise.all(encodings.map((each) => send(each)));
  for (const copy of copies) expect(copy).toEqual(first);
  expect((await held(payee)) - before).toBe(price);
});

test('PY-9: forty payments of one used authorisation that the agent has never seen buy nothing', async () => {
  const paidElsewhere = await sign();
  await chain.sendRaw(stranger, token, transferCall(paidElsewhere));
  const before = await held(payee);
  const asked = facilitator.settlements;
  const answers: Answer[] = [];
  for (const settle of [fails, honest]) {
    facilitator.settle = settle;
    const copies = Array.from({ length: 40 }, (_, at) => encoded(paidElsewhere.terms, paidElsewhere.signature, at));
    answers.push(...(await Promise.all(copies.map((copy) => send(copy)))));
  }
  expect(free(answers)).toBe(0);
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 402, code: 'payment_already_used', reason: 'already_used' });
    expect(answer.text).not.toContain('nothing was charged');
  }
  expect(facilitator.settlements).toBe(asked);
  expect(await held(payee)).toBe(before);
});

test('PY-9: an authorisation that is cancelled under way is not paid, whatever the facilitator says', async () => {
  const before = await held(payee);
  for (const claim of [() => settled(''), settled, () => ({ ...settled(''), success: false })]) {
    const { terms, header } = await sign();
    facilitator.settle = async () => claim(await cancel(terms.nonce));
    const answers = [await sendUntilKnown(header), await send(header)];
    expect(answers[0]).toMatchObject({ status: 402, code: 'payment_refused', reason: 'cancelled' });
    // Its file stays until no reorg can change that.
    expect(answers[1]).toMatchObject({ status: 402, code: 'payment_refused', reason: 'cancelled' });
  }
  expect(await held(payee)).toBe(before);
});

test('PY-9: a facilitator that names any other transaction is not believed; the payment stays good', async () => {
  const other = await sign();
  const { transactionHash: others } = await chain.sendRaw(stranger, token, transferCall(other));
  const reverted = await chain.sendTogether(stranger, [{ to: token, data: transferCall(other) }]);
  expect(reverted[0]?.status).toBe('reverted');
  const lies = [others, reverted[0]?.transactionHash ?? '', '', 'paid', numberToHex(7, { size: 32 })];
  const before = await held(payee);
  const { header } = await sign();
  for (const lie of lies) {
    facilitator.settle = async () => settled(lie);
    const answer = await send(header);
    expect(answer, lie).toMatchObject({ status: 503, code: 'settlement_unknown' });
    expect(answer.text).not.toContain('nothing was charged');
  }
  expect(await held(payee)).toBe(before);
  facilitator.settle = honest;
  expect((await sendUntilKnown(header)).status).toBe(200);
  expect((await held(payee)) - before).toBe(price);
});

test('PY-9: what the facilitator has settled is found on chain, whatever it says; it is charged and answered once', async () => {
  const says = [
    async (_told: unknown) => fails('', async () => {}),
    async () => ({ success: false, errorReason: 'unexpected_settle_error', transaction: '', network: 'eip155:31337' }),
    async () => settled(numberToHex(7, { size: 32 })),
    async () => ({ anything: true }),
  ];
  for (const say of says) {
    const before = await held(payee);
    const { header } = await sign();
    facilitator.settle = async (_body, settle) => say(await settle());
    expect((await sendUntilKnown(header)).status).toBe(200);
    expect((await held(payee)) - before).toBe(price);
  }
  // A stranger submits it first, so the payer has paid.
  const before = await held(payee);
  const payment = await sign();
  facilitator.settle = async (_body, settle) => {
    await chain.sendRaw(stranger, token, transferCall(payment));
    return settle();
  };
  expect((await sendUntilKnown(payment.header)).status).toBe(200);
  expect((await held(payee)) - before).toBe(price);
});

test('PY-9: while the node shows neither logs nor receipts it stays unknown; nothing is given and nothing false is said', async () => {
  const before = await held(payee);
  const { header } = await sign();
  const refusing = (...methods: string[]) => {
    node.fate = (method) => (methods.includes(method) ? 'batch_refused' : 'answered');
  };
  refusing('eth_getLogs', 'eth_getBlockReceipts');
  facilitator.settle = async (_body, settle) => fails('', settle).finally(settle);
  for (let tries = 0; tries < 3; tries++) {
    const answer = await send(header);
    expect(answer).toMatchObject({ status: 503, code: 'settlement_unknown' });
    expect(answer.text).not.toContain('nothing was charged');
  }
  refusing('eth_getTransactionReceipt');
  expect(await send(header)).toMatchObject({ status: 503, code: 'settlement_unknown' });
  refusing('eth_getLogs');
  expect((await send(header)).status).toBe(200);
  expect((await held(payee)) - before).toBe(price);
});

test('on a node that refuses log queries a payment is found in the receipts of blocks, also after a restart', async () => {
  const before = await held(payee);
  node.fate = (method) => (method === 'eth_getLogs' ? 'batch_refused' : 'answered');
  facilitator.settle = async (_body, settle) => fails('', settle).finally(settle);
  const one = await sign();
  expect((await sendUntilKnown(one.header)).status).toBe(200);
  // Settled while the agent is down, and found many blocks later.
  facilitator.settle = hangs;
  const asked = facilitator.settlements;
  const two = await sign();
  const cut = send(two.header).catch(() => 'cut');
  await expect.poll(() => facilitator.settlements, { timeout: 20_000 }).toBe(asked + 1);
  await agent.kill();
  expect(await cut).toBe('cut');
  await chain.sendRaw(stranger, token, transferCall(two));
  for (let block = 0; block < 60; block++) await chain.mine({ blocks: 1 });
  await startAgent();
  expect((await send(two.header)).status).toBe(200);
  // A cancelled payment that the facilitator calls settled is reported as cancelled.
  const three = await sign();
  facilitator.settle = async () => settled(await cancel(three.terms.nonce));
  expect(await sendUntilKnown(three.header)).toMatchObject({ reason: 'cancelled' });
  expect((await held(payee)) - before).toBe(2n * price);
});

test('PY-9: of two authorisations that one transaction uses, only the one that pays us is paid', async () => {
  const before = await held(payee);
  const ours = await sign();
  const other = await sign();
  const elsewhere = await sign({ nonce: other.terms.nonce, to: stranger });
  // Both are in flight when the payer uses them, one of them for somebody else.
  facilitator.settle = inOneTransaction([ours, elsewhere]);
  const [paid, unpaid] = await Promise.all([send(ours.header), send(other.header)]);
  expect(paid.status).toBe(200);
  expect(unpaid).toMatchObject({ status: 402, code: 'payment_already_used', reason: 'used_elsewhere' });
  expect((await held(payee)) - before).toBe(price);

  const three = await Promise.all([sign(), sign(), sign()]);
  facilitator.settle = inOneTransaction(three);
  const answers = await Promise.all(three.map(({ header }) => send(header)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await held(payee)) - before).toBe(4n * price);
});

test('a contract wallet pays with a signature that it calls its own', async () => {
  const before = await held(payee);
  const { header } = await sign({ from: wallet });
  expect((await send(header)).status).toBe(200);
  expect((await held(payee)) - before).toBe(price);
});

test('PY-9: a facilitator that hangs is given ten seconds; then the payment is good again, and the agent can stop', {
  tags: 'long',
}, async () => {
  const before = await held(payee);
  const { header } = await sign();
  facilitator.settle = hangs;
  const began = performance.now();
  const copies = await Promise.all([send(header), send(header)]);
  expect(performance.now() - began).toBeLessThan(14_000);
  for (const copy of copies) expect(copy).toMatchObject({ status: 503, code: 'settlement_unknown' });
  facilitator.settle = honest;
  expect((await send(header)).status).toBe(200);
  expect((await held(payee)) - before).toBe(price);

  facilitator.settle = hangs;
  const asked = facilitator.settlements;
  const cut = Promise.all((await signMany(2, payer)).map((header) => send(header).catch(() => 'cut')));
  while (facilitator.settlements === asked) await sleep(20);
  const told = performance.now();
  expect(await agent.stop()).toBe(0);
  expect(performance.now() - told).toBeLessThan(8_000);
  expect(await cut).toEqual(['cut', 'cut']);
  await startAgent();
});

test('PY-3: after kill -9 and SIGTERM the same payment gets the same answer, in whatever encoding', async () => {
  const before = await held(payee);
  const payment = await sign();
  const first = await send(payment.header);
  expect(first.status).toBe(200);
  for (const end of ['kill', 'stop'] as const) {
    await agent[end]();
    await startAgent();
    expect(required.accepts[0].payTo).toBe(getAddress(payment.terms.to));
    for (const spaces of [0, 3]) expect(await send(encoded(payment.terms, payment.signature, spaces))).toEqual(first);
    expect(await send(payment.header, otherQuestion)).toMatchObject({ code: 'payment_used_for_another_prompt' });
  }
  expect((await held(payee)) - before).toBe(price);
});

test('PY-9: an agent that never had a payment calls it used, and not free of charge', async () => {
  const payment = await sign();
  expect((await send(payment.header)).status).toBe(200);
  const before = await held(payee);
  await agent.kill();
  await startAgent({ DATA_DIR: `${folder}/other` });
  for (const prompt of [question, otherQuestion]) {
    const answer = await send(payment.header, prompt);
    expect(answer).toMatchObject({ status: 402, code: 'payment_already_used' });
    expect(answer.text).not.toContain('nothing was charged');
  }
  expect(await held(payee)).toBe(before);
  await startAfresh();
});

test('PY-9, PY-11: what cannot be a payment is refused by name, asks nobody and shuts out nobody', async () => {
  const before = await held(payee);
  const asked = facilitator.settlements;
  const good = await sign();
  const { terms, signature } = good;
  const whole = payload(terms, signature);
  const { r, s, yParity } = parseSignature(signature);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const mirrored = serializeSignature({ r, s: numberToHex(order - BigInt(s), { size: 32 }), yParity: 1 - yParity });
  const now = BigInt(Math.floor(Date.now() / 1000));
  const poor = privateKeyToAccount(generatePrivateKey());
  const bad: [string, string][] = [
    ['x0', 'unreadable'],
    [base64(null), 'unreadable'],
    [base64({ ...whole, payload: undefined }), 'unreadable'],
    [base64({ ...whole, payload: null }), 'unreadable'],
    [base64({ ...whole, payload: { signature } }), 'unreadable'],
    [base64({ ...whole, x402Version: 1 }), 'unreadable'],
    [base64({ ...whole, accepted: undefined }), 'other_terms'],
    [base64({ ...whole, accepted: { ...whole.accepted, network: 'eip155:56' } }), 'other_terms'],
    [base64({ ...whole, accepted: { ...whole.accepted, asset: payee } }), 'other_terms'],
    [encoded(terms, mirrored), 'bad_signature'],
    [encoded(terms, `${signature.slice(0, -2)}0${yParity}` as Hex), 'bad_signature'],
    [encoded(terms, `${signature}00`), 'bad_signature'],
    [encoded({ ...terms, nonce: numberToHex(1, { size: 32 }) }, signature), 'bad_signature'],
    [encoded({ ...terms, from: stranger }, signature), 'bad_signature'],
    // A contract without signature checks, and one that checks this signature for another account.
    [encoded({ ...terms, from: token }, signature), 'bad_signature'],
    [encoded({ ...terms, from: wallet }, signature), 'bad_signature'],
    [(await sign({ to: stranger })).header, 'other_payee'],
    [(await sign({ value: price - 1n })).header, 'other_amount'],
    [(await sign({ value: price + 1n })).header, 'other_amount'],
    [(await sign({ validAfter: now + 60n })).header, 'not_valid_yet'],
    [(await sign({ validBefore: now - 1n })).header, 'expired'],
    [(await sign({ validBefore: now + 5n })).header, 'expired'],
    [(await sign({}, poor)).header, 'token_refuses'],
  ];
  const forged = Array.from({ length: 3 }, () => bad).flat();
  const [honestly, answers] = await Promise.all([
    send(good.header),
    Promise.all(forged.map(async ([header, reason]) => ({ reason, answer: await send(header) }))),
  ]);
  expect(honestly.status).toBe(200);
  for (const { reason, answer } of answers) expect(answer, reason).toMatchObject({ status: 402, reason });
  const copies = await Promise.all(Array.from({ length: 200 }, () => send(good.header)));
  for (const copy of copies) expect(copy).toEqual(honestly);
  expect(facilitator.settlements).toBe(asked + 1);
  expect((await held(payee)) - before).toBe(price);
  for (let other = 1; other < 20; other++) expect((await send((await sign()).header)).status).toBe(200);
  const over = await sign();
  expect(await send(over.header)).toMatchObject({ status: 429, code: 'rate_limited' });
  expect((await held(payee)) - before).toBe(20n * price);
});

/**
 * The real facilitator sends from one key, and two concurrent transactions would use the same nonce. It may be busy at
 * first.
 */
function oneByOne(busyMs = 0): Settle {
  let last: Promise<unknown> = sleep(busyMs);
  return (_body, settle) => {
    last = last.then(settle, settle);
    return last;
  };
}

/** Restarts the agent, so that its rate limit is unused. */
async function startAfresh(): Promise<void> {
  await agent.kill();
  await startAgent();
}

test('PY-13: forty payments of one payer with funds for one answer shut out nobody, and buy one answer', {
  tags: 'long',
}, async () => {
  await startAfresh();
  const { one: attacker, others } = await newPayers(1n, 3);
  const hostile = await signMany(40, attacker);
  const honestly = await Promise.all(others.map((other) => sign({}, other)));
  const before = await held(payee);
  facilitator.settle = oneByOne(4_000);
  const attack = Promise.all(hostile.map((header) => send(header)));
  // By then the attacker has taken all that they can.
  await sleep(2_000);
  const answers = await Promise.all(honestly.map(({ header }) => send(header)));
  expect(answers.map(({ status, code }) => [status, code])).toEqual(others.map(() => [200, undefined]));
  const attacked = await attack;
  expect(await held(attacker.address)).toBe(0n);
  expect(free(attacked)).toBe(1);
  const busy = { status: 503, code: 'payment_unavailable', reason: 'payer_busy' };
  const unfunded = { status: 402, code: 'payment_refused', reason: 'token_refuses' };
  for (const answer of attacked.filter(({ status }) => status !== 200)) {
    expect(answer).toMatchObject(answer.status === 503 ? busy : unfunded);
  }
  expect(attacked.filter(({ status }) => status === 402)).toHaveLength(3);
  // Deferred payments were not tried, and are refused now for lack of funds; paid answers remain available.
  const again = [];
  for (const header of hostile) again.push(await send(header));
  expect(free(again)).toBe(1);
  expect(again.filter(({ reason }) => reason === 'token_refuses')).toHaveLength(39);
  expect((await held(payee)) - before).toBe(4n * price);
});

test('PY-13: two payments of one payer at once are both answered', async () => {
  await startAfresh();
  const { one: twice } = await newPayers(2n, 0);
  const before = await held(payee);
  const payments = await signMany(2, twice);
  const answers = await Promise.all(payments.map((header) => send(header)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await held(payee)) - before).toBe(2n * price);
});

test('PY-11, PY-13: neither a payer without funds nor invented payers without a key fill the queue of chain checks', {
  tags: 'long',
}, async () => {
  await startAfresh();
  const { one: poor, others } = await newPayers(0n, 6);
  const honestly = await Promise.all(others.map(async (other) => (await sign({}, other)).header));
  const unfunded = await signMany(100, poor);
  const { terms, signature } = await sign();
  const invented = Array.from({ length: 110 }, () => {
    const from = bytesToHex(crypto.getRandomValues(new Uint8Array(20)));
    return encoded({ ...terms, from }, signature);
  });
  const before = await held(payee);
  const asked = facilitator.settlements;
  facilitator.settle = oneByOne();
  node.fate = async (method): Promise<Fate> => {
    if (method === 'eth_call' || method === 'eth_getCode') await sleep(200);
    return 'answered';
  };
  const refused = [];
  for (const flood of [unfunded, invented]) {
    const flooded = Promise.all(flood.map((header) => send(header)));
    await sleep(100);
    const answers = await Promise.all(honestly.splice(0, 3).map((header) => send(header)));
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [200, undefined]));
    refused.push(...(await flooded));
  }
  for (const { code, reason } of refused) {
    expect(['token_refuses', 'payer_busy', 'bad_signature', 'payment_unavailable']).toContain(reason ?? code);
  }
  expect(facilitator.settlements - asked).toBe(6);
  expect((await held(payee)) - before).toBe(6n * price);
});

test('PY-13: a payer whose payments have no outcome has four of them, and shuts out nobody', async () => {
  await startAfresh();
  const { one: rich, others } = await newPayers(25n, 1);
  const before = await held(payee);
  facilitator.settle = fails;
  const unsettled = await Promise.all(Array.from({ length: 4 }, () => sign({}, rich)));
  for (const { header } of unsettled) expect(await send(header)).toMatchObject({ code: 'settlement_unknown' });
  const asked = facilitator.settlements;
  const later = await signMany(20, rich);
  const busy = { status: 503, code: 'payment_unavailable', reason: 'payer_busy' };
  for (const header of later) expect(await send(header)).toMatchObject(busy);
  facilitator.settle = honest;
  for (const other of others) expect(await send((await sign({}, other)).header)).toMatchObject({ status: 200 });
  expect(facilitator.settlements).toBe(asked + 1);
  // Whoever submits it, the payer has paid for that answer and may pay for another.
  const [first] = unsettled as [Signed & { header: string }];
  await chain.sendRaw(stranger, token, transferCall(first));
  expect((await send(first.header)).status).toBe(200);
  expect((await send(later[0] ?? '')).status).toBe(200);
  expect((await held(payee)) - before).toBe(3n * price);
});

test('PY-3, PY-9: over B402 it is the chain that is believed, too', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { name, version } = domain();
  const network = `eip155:${localChainId}`;
  const account = { clientId: 'bowline', accessToken: 'token-of-bowline' };
  const passed = { facilitatorUrl: facilitator.url, network, token: { name, version }, signer: treasurer };
  const b402 = await serveB402({ ...account, ...passed, publicKey });
  onTestFinished(() => b402.stop());
  await agent.kill();
  await startAgent({
    PAYMENT_RAIL: 'b402',
    B402_BASE_URL: b402.url,
    B402_CLIENT_ID: account.clientId,
    B402_ACCESS_TOKEN: account.accessToken,
    B402_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  });
  const others = await chain.sendRaw(stranger, token, transferCall(await sign()));
  const before = await held(payee);

  const lied = await sign();
  facilitator.settle = async () => settled(others.transactionHash);
  for (let tries = 0; tries < 2; tries++) {
    expect(await send(lied.header)).toMatchObject({ status: 503, code: 'settlement_unknown' });
  }
  expect(await held(payee)).toBe(before);
  await chain.sendRaw(stranger, token, transferCall(lied));
  expect((await send(lied.header)).status).toBe(200);

  const cancelled = await sign();
  facilitator.settle = async () => settled(await cancel(cancelled.terms.nonce));
  expect(await sendUntilKnown(cancelled.header)).toMatchObject({ status: 402, reason: 'cancelled' });

  const broken = await sign();
  facilitator.settle = async (_body, settle) => fails('', settle).finally(settle);
  expect((await sendUntilKnown(broken.header)).status).toBe(200);
  // AG-265: over EIP-3009 it takes no contract wallets.
  expect(await send((await sign({ from: wallet })).header)).toMatchObject({ status: 402, reason: 'wallet_not_taken' });
  expect((await held(payee)) - before).toBe(2n * price);
});
