import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { httpPromises, limitPromise } from '../../cli/mission/http.ts';
import { pagePromises } from '../../cli/mission/page.ts';
import { pricePromise } from '../../cli/mission/price.ts';
import { Absent, type Promised, type World } from '../../cli/mission/promise.ts';
import { protocolPromises } from '../../cli/mission/protocols.ts';
import { verdictPromises } from '../../cli/mission/verdict.ts';
import { run, until } from './commands.ts';
import { freePort } from './free-port.ts';

const owner = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

/** What a server answers to a request with that body. */
type Answering = (path: string, body: string) => readonly [status: number, body: string, headers?: object];

async function worldOf(answer: Answering, more: Partial<World> = {}): Promise<World> {
  const server = createServer(async (request, response) => {
    const [status, body, headers] = answer(request.url ?? '', await text(request));
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    ...{ chainId: 31_337, agentUrl: url, webUrl: url, rpcUrl: url, recordFile: 'nowhere', patienceMs: 0 },
    record: { quoteDesk: `0x${'1'.repeat(40)}` } as World['record'],
    ...{ priceUsd: 0, owner },
    sleep: async () => {},
    now: () => 0,
    ...more,
  };
}

/** What became of each promise; of a broken one, nothing. */
const kept = (promises: readonly Promised[], world: World) =>
  Promise.all(
    promises.map(({ that, keep }) =>
      keep(world).then(
        (found) => `${that}: kept (${found})`,
        (error: unknown) => (error instanceof Absent ? `${that}: absent (${error.message})` : undefined),
      ),
    ),
  ).then((results) => results.filter((result) => result !== undefined));

const fromOutside = [
  ...httpPromises,
  ...verdictPromises,
  ...protocolPromises,
  pricePromise,
  ...pagePromises,
  limitPromise,
];

// DP-38: a promise that anybody keeps proves nothing.
test.each([
  [200, '{}'],
  [200, ''],
  [500, '{"code":"internal"}'],
  [404, '{"code":"not_found"}'],
])('no promise is kept by a server that answers %s %s to everything', async (status, body) => {
  expect(await kept(fromOutside, await worldOf(() => [status, body]))).toEqual([]);
  // Nor where answers have a price, of which those that cost money are not asked for.
  const results = await kept(fromOutside, await worldOf(() => [status, body], { priceUsd: 0.02 }));
  expect(results.filter((result) => !result.includes('absent (Not played here: it costs money, 0.02 USD.)'))).toEqual(
    [],
  );
});

// DP-85
const accepts = (amount: string) => [
  { scheme: 'exact', network: 'eip155:56', asset: owner, amount, payTo: owner, extra: {} },
];
const encoded = (terms: unknown) => ({ 'payment-required': Buffer.from(JSON.stringify(terms)).toString('base64') });

/** The doors of an agent that asks for these amounts; of undefined it gives a verdict for nothing. */
function askingFor(amounts: Record<'x402' | 'verdict' | 'mcp' | 'a2a' | 'terms', string | undefined>): Answering {
  const termsOf = (amount: string) => ({ x402Version: 2, accepts: accepts(amount) });
  const http = (amount: string | undefined, free: object) =>
    amount === undefined
      ? ([200, JSON.stringify(free)] as const)
      : ([402, '{"code":"payment_required"}', encoded(termsOf(amount))] as const);
  const rpc = (result: object) => [200, JSON.stringify({ jsonrpc: '2.0', id: 1, result })] as const;
  return (path, body) => {
    if (path.startsWith('/verdict')) return http(amounts.verdict, { verdict: 'GO' });
    if (path === '/mcp') {
      const { mcp } = amounts;
      if (mcp === undefined) return rpc({ structuredContent: { verdict: 'GO' } });
      return rpc({ isError: true, structuredContent: termsOf(mcp) });
    }
    if (path === '/a2a') {
      const { a2a } = amounts;
      if (a2a === undefined) return rpc({ kind: 'message', parts: [{ kind: 'data', data: { result: 'GO' } }] });
      return rpc({ kind: 'message', parts: [{ kind: 'data', data: { required: termsOf(a2a) } }] });
    }
    if (body !== '') return http(amounts.x402, { tickets: [] });
    const payment = { network: 'eip155:56', asset: owner, amount: amounts.terms, pay_to: owner };
    return [200, JSON.stringify({ price_usd: 0.02, payment })];
  };
}

const same = { x402: '20', verdict: '20', mcp: '20', a2a: '20', terms: '20' };

test('DP-85: a price is one price if every door asks for it, and so does GET /x402', async () => {
  const at = async (amounts: Parameters<typeof askingFor>[0], priceUsd = 0.02) =>
    pricePromise.keep(await worldOf(askingFor(amounts), { priceUsd }));
  await expect(at(same)).resolves.toBe('0.02 USD at 4 doors, in 1 tokens');
  await expect(at({ ...same, verdict: '19' })).rejects.toThrow('something else at /verdict than at /x402');
  await expect(at({ ...same, mcp: '19', a2a: '21' })).rejects.toThrow('something else at MCP, A2A than at /x402');
  await expect(at({ ...same, terms: '19' })).rejects.toThrow('something else than GET /x402 tells');
  await expect(at({ ...same, a2a: undefined })).rejects.toThrow('no payment at A2A');
  const free = { x402: undefined, verdict: undefined, mcp: undefined, a2a: undefined, terms: undefined };
  await expect(at(free)).rejects.toThrow('no payment at /x402, /verdict, MCP, A2A');
  await expect(at(free, 0)).resolves.toBe('free at 4 doors');
  await expect(at({ ...free, mcp: '1' }, 0)).rejects.toThrow('asks for a payment at MCP, and the price is 0');
});

const promised = (words: string): Promised => {
  const found = fromOutside.find(({ that }) => that.includes(words));
  if (found === undefined) throw new Error(`Nobody promises ${words}.`);
  return found;
};

/** A page's server whose verdict follows from the size of the order. */
function judging(offered: (isAcknowledged: boolean) => object): Answering {
  return (_, body) => {
    const { amount_usd, acknowledge_caution } = JSON.parse(body);
    const usd = Number(amount_usd);
    const verdict = usd < 400_000 ? 'GO' : usd < 600_000 ? 'CAUTION' : 'NO_GO';
    const answer = verdict === 'CAUTION' ? offered(acknowledge_caution === true) : {};
    return [200, JSON.stringify({ verdict, findings: [{ outcome: 'caution' }], ...answer })];
  };
}

test('DP-86: a CAUTION is found by the size of an order, and its calldata wants an acknowledgement', async () => {
  const offer = { calls: [{ data: '0x12' }] };
  const played = async (offered: (isAcknowledged: boolean) => object) =>
    promised('gives calldata for a CAUTION').keep(await worldOf(judging(offered)));
  await expect(played((isAcknowledged) => (isAcknowledged ? offer : {}))).resolves.toMatch(/^\d{6} USD, 1 warning$/);
  await expect(played(() => offer)).rejects.toThrow('without an acknowledgement');
  await expect(played(() => ({}))).rejects.toThrow('offers nothing after the acknowledgement');
  await expect(played(() => ({ withheld: 'balance_too_low' }))).rejects.toThrow(Absent);
  await expect(played((isAcknowledged) => (isAcknowledged ? offer : { findings: [] }))).rejects.toThrow('of nothing');
  const noMarket = await worldOf(() => [200, '{"verdict":"NO_DATA"}']);
  await expect(promised('gives calldata for a CAUTION').keep(noMarket)).rejects.toThrow(Absent);
});

test('DP-86: the key of the data provider is looked for in all that the page sends, however it is named', async () => {
  const files: Record<string, string> = {
    '/': '<title>Bowline</title><script src="/assets/index-a1.js"></script>',
    '/assets/index-a1.js': 'import("./late-b2.js"); "node.js"',
    '/assets/late-b2.js': 'import"./last-c3.js"',
    '/assets/last-c3.js': '1',
    '/config.json': '{"chainId":56}',
    '/api/quote': '{}',
  };
  const marketDataKey = 'a-key-of-the-provider';
  const played = async (more: Record<string, string>, world: Partial<World> = { marketDataKey }) => {
    const sent: Record<string, string | undefined> = { ...files, ...more };
    const answer: Answering = (path) => (sent[path] === undefined ? [404, '{}'] : [200, sent[path]]);
    return promised('provider’s key').keep(await worldOf(answer, world));
  };
  await expect(played({})).resolves.toBe('6 answers');
  await expect(played({}, {})).rejects.toThrow(Absent);
  for (const path of Object.keys(files)) {
    const told = played({ [path]: `${files[path]} ${marketDataKey}` });
    await expect(told, path).rejects.toThrow(`is in ${path}`);
  }
  await expect(played({ '/': 'no page' })).rejects.toThrow('has no script');
});

test('DP-86: a limit is told if its headers name one door, and count', async () => {
  const headers = (policy: string, limit: string) => ({ 'RateLimit-Policy': policy, RateLimit: limit });
  const played = async (more: object) =>
    promised('/verdict tells its limit').keep(await worldOf(() => [400, '{}', more]));
  await expect(played(headers('"verdict";q=120;w=60', '"verdict";r=119;t=0'))).resolves.toBe('119 of 120 are left');
  await expect(played(headers('"verdict";q=120;w=60', '"verdict";r=120;t=0'))).rejects.toThrow('counts nothing');
  await expect(played(headers('"verdict";q=120;w=60', '"mcp";r=119;t=0'))).rejects.toThrow('says');
  await expect(played({})).rejects.toThrow('says');
});

// DP-38 and DP-39, on a whole stack with the agent itself.
test('every promise is kept by npm start', {
  tags: 'long',
  timeout: 900_000,
}, async () => {
  const [rpc, market, bundler, web, agent] = await Promise.all([1, 2, 3, 4, 5].map(() => freePort()));
  const deployments = `.cache/deployments/mission-test-${rpc}`;
  const ports = { rpc, market, bundler, web, agent };
  const listen = Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
  const { child, printed, exit } = run('start.ts', [...listen, '--deployments', deployments]);
  await until(() => printed.out.includes('Ready after'));
  const at = (port: number | undefined) => `http://127.0.0.1:${port}`;
  const options = ['--agent', at(agent), '--web', at(web), '--rpc', at(rpc), '--deployments', deployments];
  const mission = run('../../cli/main.ts', ['mission', ...options]);
  expect(await mission.exit).toBe(0);
  // The local market needs no key.
  expect(mission.printed.out).toMatch(/^(\d+) promises kept, 0 broken, 2 absent on chain 31337\.$/m);
  expect(mission.printed.out).toMatch(/absent {2}the data provider’s key/);
  expect(mission.printed.out).toMatch(/absent {2}POST \/desk-quote/);
  child.kill('SIGINT');
  expect(await exit).toBe(0);
  const broken = run('../../cli/main.ts', ['mission', ...options]);
  expect(await broken.exit).toBe(1);
  expect(broken.printed.out).toMatch(/WRONG {3}GET \/metrics is Prometheus text/);
});
