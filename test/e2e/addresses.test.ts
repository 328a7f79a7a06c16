import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Address, getAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { erc20Abi } from '../../lab/world/abis.ts';
import { venus } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { serveFacilitator } from '../../lab/world/facilitator.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { type Contracts, deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { connectAgent, deploymentOf, draftGuard, draftPlan } from '../../packages/sdk/index.ts';
import { payingFetch } from '../../packages/sdk/pay.ts';
import { http, rpc, type Told, toldByA2a, toldByMcp } from './doors.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// Every API of a real agent takes an address in any letter case, and refuses one with a wrong checksum.

const folder = '.cache/deployments/addresses';
const root = fileURLToPath(new URL('../../', import.meta.url));
/** Anvil's third account. Its key is public. */
const payer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');
/** 0.02 dollars with 18 decimals. */
const price = 20_000_000_000_000_000n;

const account = getAddress('0x90F79bf6EB2c4f870365E785982E1f101E93b906');
const digits = account.slice(2);
const right = {
  'with its checksum': account,
  'in lower case': account.toLowerCase(),
  'in upper case': `0x${digits.toUpperCase()}`,
  'in upper case after 0X': `0X${digits.toUpperCase()}`,
} as const;
/** The last letter, in the other case. */
const mistyped = account.replace('93b906', '93B906');
const wrong = {
  'with one letter in the wrong case': mistyped,
  'with one digit missing': account.slice(0, -1),
} as const;

let local: LocalChain;
let chain: Chain;
let pyth: Pyth;
let contracts: Contracts;
let facilitator: Awaited<ReturnType<typeof serveFacilitator>>;
let free: Sidecar;
let priced: Sidecar;

beforeAll(async () => {
  rmSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, force: true });
  pyth = await servePyth();
  local = await startLocalChain({ blockSeconds: 0.45 });
  chain = connect(local.url);
  contracts = await deployContracts(local.url, folder, new AbortController().signal, { maker: keeper });
  facilitator = await serveFacilitator(local.url, 0);
  const args = [payer.address, 10n ** 18n] as const;
  await chain.send(treasurer, contracts.escrow.token.address, { abi: erc20Abi, functionName: 'transfer', args });
  const settings = { RPC_URL: local.url, MARKET_DATA_URL: 'off', PYTH_URL: pyth.url, DEPLOYMENTS_DIR: folder };
  const till = { DATA_DIR: folder, PRICE_USD: '0.02', X402_FACILITATOR_URL: facilitator.url };
  free = await startSidecar({ ...settings, DATA_DIR: `${folder}/free`, ANSWER_LIMIT: '100' });
  priced = await startSidecar({ ...settings, ...till, DRY_RUN: 'true' });
}, 180_000);

afterAll(async () => {
  await free?.stop();
  await priced?.stop();
  await facilitator?.stop();
  await pyth?.stop();
  await local?.stop();
});

const post = (path: string, body: object) =>
  http(free.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function mcp(name: string, given: object, url = free.url): Promise<Told> {
  return toldByMcp(await rpc(`${url}/mcp`, { method: 'tools/call', params: { name, arguments: given } }, {}));
}

async function a2a(part: object, url = free.url): Promise<Told> {
  const message = { kind: 'message', role: 'user', messageId: crypto.randomUUID(), parts: [part] };
  return toldByA2a(await rpc(`${url}/a2a`, { method: 'message/send', params: { message } }, {}));
}

/** Errors that our calls throw carry their name in `code`. */
const thrown = (call: () => unknown): Promise<Told> =>
  Promise.resolve()
    .then(call)
    .then(
      (answer) => {
        const text = JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value));
        return { isAnswered: true, word: '', text, answer: text };
      },
      ({ code = '', message }) => ({ isAnswered: false, word: code, text: message }),
    );

async function loanPrompt(borrower: string): Promise<Told> {
  const client = new McpClient({ name: 'reader', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${free.url}/mcp`)));
  onTestFinished(() => client.close());
  return client.getPrompt({ name: 'loan_safety', arguments: { borrower } }).then(
    (answer) => ({ isAnswered: true, word: '', text: JSON.stringify(answer) }),
    ({ message }) => ({ isAnswered: false, word: /invalid_address/.exec(message)?.[0] ?? '', text: message }),
  );
}

async function command(script: string, ...given: string[]): Promise<Told> {
  const args = ['cli/main.ts', script, ...given, '--rpc', local.url];
  const ran = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const text = ran.stdout + ran.stderr;
  return { isAnswered: !('code' in ran), word: /invalid_address/.exec(text)?.[0] ?? '', text };
}

const order = { asset: 'BTCB', side: 'buy', amount_usd: 5, acknowledge_caution: true };
const planOf = (owner: string) => ({ owner, pay: 'USDT', buy: 'BTCB', amount: '25', every: 'day', runs: 3 });
const guardOf = (borrower: string, market: string) => ({
  ...{ borrower, market, repay: 'USDT', trigger_health: '1.1', target_health: '1.3' },
  ...{ cap_per_rescue: '100', cap_per_day: '100', min_repay: '1', budget: '500' },
});
const deployment = () => deploymentOf(localChainId, { chainId: localChainId, ...contracts });
const task = 'Is BTCB fairly priced to buy for 5,000 USD?';
const jobTerms = { deliverables: 'A verdict report', quality_standards: 'As offered', evaluation_required: false };

/** Every API that takes an address, and how a program or a person gives it one. */
const apis: Record<string, (text: string) => Promise<Told>> = {
  'POST /swap-draft': (owner) => post('/swap-draft', { ...order, owner }),
  'POST /desk-quote': (owner) => post('/desk-quote', { ...order, owner }),
  'POST /webhooks': async (owner) => {
    const [updated_at, expires_at] = [Math.floor(Date.now() / 1_000), Math.floor(Date.now() / 1_000) + 600];
    const told = await post('/webhooks', {
      ...{ action: 'register', owner, url: 'https://example.com/hook', updated_at, expires_at, signature: '0x00' },
    });
    // The account has no plan here. The agent says so only of an address that it has understood.
    return { ...told, isAnswered: told.word === 'owner_unknown' };
  },
  'POST /x402, in words': (text) => post('/x402', { prompt: `How healthy is the loan of ${text}?` }),
  'POST /x402, in Chinese': (text) => post('/x402', { prompt: `${text} 的贷款健康吗?` }),
  'MCP list_plans': (owner) => mcp('list_plans', { owner }),
  'MCP loan_health': (borrower) => mcp('loan_health', { borrower }),
  'MCP draft_swap': (owner) => mcp('draft_swap', { ...order, owner }),
  'MCP draft_plan': (owner) => mcp('draft_plan', planOf(owner)),
  'MCP draft_guard': (borrower) => mcp('draft_guard', guardOf(borrower, venus.markets.vUSDT)),
  'MCP prompt loan_safety': loanPrompt,
  'A2A loan_health': (borrower) => a2a({ kind: 'data', data: { skill: 'loan_health', borrower } }),
  'A2A in words': (text) => a2a({ kind: 'text', text: `How healthy is the loan of ${text}?` }),
  'A2A negotiate': (client) =>
    a2a({ kind: 'data', data: { skill: 'negotiate', task_description: task, terms: jobTerms, client } }),
  'SDK ask': (text) => thrown(() => connectAgent(free.url).ask(`How healthy is the loan of ${text}?`)),
  'SDK offer': (client) => thrown(() => connectAgent(free.url).offer(task, client as Address)),
  'SDK draftPlan': (owner) =>
    thrown(() =>
      draftPlan(deployment(), {
        ...{ owner: owner as Address, pay: 'USDT', buy: 'BTCB', amountPerRun: '25' },
        ...{ periodSeconds: 86_400, maxRuns: 3, startAt: 1_800_000_000 },
      }),
    ),
  'SDK draftGuard': (borrower) =>
    thrown(() =>
      draftGuard(deployment(), {
        ...{ borrower: borrower as Address, market: venus.markets.vUSDT, repay: 'USDT' },
        ...{ triggerHealth: '1.1', targetHealth: '1.3', capPerRescue: '100', capPerDay: '100', minRepay: '1' },
        expiresAt: 1_900_000_000,
      }),
    ),
  'npx bowline show owner': (owner) =>
    command('show', 'owner', owner, '--deployment', `${folder}/${localChainId}.json`),
  // Folders of its own: this checkout may hold what another agent has sold.
  'npx bowline show payments --payee': (payee) =>
    command('show', 'payments', ...['--deployments', folder, '--data', `${folder}/none`], ...['--payee', payee]),
};

// AG-209
test.each(Object.entries(apis))(
  '%s takes an address in any case, and refuses a wrong one by its name',
  async (_, ask) => {
    const said: Record<string, string> = {};
    const texts: string[] = [];
    for (const [how, text] of Object.entries({ ...right, ...wrong })) {
      const told = await ask(text);
      said[how] = told.isAnswered ? 'answered' : told.word || told.text;
      if (how in wrong) texts.push(told.text);
    }
    expect(said).toEqual({
      ...Object.fromEntries(Object.keys(right).map((how) => [how, 'answered'])),
      ...Object.fromEntries(Object.keys(wrong).map((how) => [how, 'invalid_address'])),
    });
    expect(texts[0]).toContain(`a wrong checksum (${mistyped}): a letter may be mistyped`);
    expect(texts[1]).toContain('must be an address: 0x and 40 hexadecimal digits');
  },
);

const held = (owner: Address) =>
  chain.readContract({
    ...{ address: contracts.escrow.token.address, abi: erc20Abi, functionName: 'balanceOf' },
    args: [owner],
  }) as Promise<bigint>;

/** Like `fetch`, but pays what is asked. `statuses` shows whether payment was asked for. */
function asPayer(): { readonly fetch: typeof fetch; readonly statuses: number[] } {
  const statuses: number[] = [];
  const noted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    statuses.push(response.status);
    return response;
  };
  const { address: token } = contracts.escrow.token;
  const options = { account: payer, chainId: localChainId, token, maxAmount: price, patienceMs: 8_000 };
  return { fetch: payingFetch({ ...options, fetch: noted }), statuses };
}

// AG-209
test.each([
  ['/swap-draft', (owner: string) => ({ ...order, owner })],
  ['/desk-quote', (owner: string) => ({ ...order, owner })],
  ['/x402', (text: string) => ({ prompt: `Is BTCB fairly priced to buy for 5 USD? And how is the loan of ${text}?` })],
] as const)('%s: a wrong checksum is refused before a payment is asked or taken', async (path, bodyOf) => {
  for (const text of Object.values(wrong)) {
    const before = await held(payer.address);
    const { fetch: paying, statuses } = asPayer();
    const response = await paying(`${priced.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(text)),
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'invalid_address']);
    expect(statuses).toEqual([400]);
    expect(await held(payer.address)).toBe(before);
  }
});

// AG-209
test('a draft that was paid for is given, however the owner is written', async () => {
  for (const [how, owner] of Object.entries(right)) {
    const before = await held(payer.address);
    const { fetch: paying } = asPayer();
    const response = await paying(`${priced.url}/swap-draft`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // A different size each time: a repeated answer would prove nothing.
      body: JSON.stringify({ ...order, amount_usd: 5 + Object.keys(right).indexOf(how), owner }),
    });
    // The account has no money: `balance_too_low` shows that the draft read its balance.
    expect([response.status, await response.json()], how).toMatchObject([200, { withheld: 'balance_too_low' }]);
    expect(before - (await held(payer.address)), how).toBe(price);
  }
});
