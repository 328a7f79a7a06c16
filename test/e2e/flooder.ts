import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// Sends forged payments at a given rate from its own addresses, in a thread that does not hold up anybody's clock.

export interface Flood {
  readonly url: string;
  readonly addresses: readonly string[];
  /** Concurrent requests per address. */
  readonly atOnce: number;
  /** Over all addresses. Slower only if answers take longer. */
  readonly perSecond: number;
  readonly headers: readonly string[];
}

/** How often each word was answered. */
export type Flooded = Readonly<Record<string, number>>;

const { url, addresses, atOnce, perSecond, headers } = workerData as Flood;
const told: Record<string, number> = {};
let isOver = false;
let next = 0;

/** Every way to send the header. */
const ways = [
  { path: '/x402', method: 'POST', body: JSON.stringify({ prompt: 'Is BTCB fairly priced?' }) },
  { path: '/verdict?asset=BTCB', method: 'GET', body: undefined },
  { path: '/x402', method: 'POST', body: JSON.stringify({ prompt: 'Is ETH fairly priced?' }) },
  { path: '/x402', method: 'POST', body: JSON.stringify({ prompt: 'Is BNB fairly priced?' }) },
] as const;

async function forge(agent: Agent, localAddress: string): Promise<string> {
  const at = next++;
  const header = headers[at % headers.length] ?? '';
  const { path, method, body } = ways[at % ways.length] as (typeof ways)[number];
  const given = { 'content-type': 'application/json', 'payment-signature': header };
  const sent = request(url + path, { agent, method, localAddress, headers: given }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  if (response.statusCode === 200) return 'answered';
  const { reason, code } = JSON.parse(text) as { reason?: string; code: string };
  return reason ?? code;
}

async function flood(address: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const everyMs = (1_000 * addresses.length * atOnce) / perSecond;
  while (!isOver) {
    const dueMs = performance.now() + everyMs;
    const word = await forge(agent, address).catch((error: Error) => `threw ${error.message}`);
    told[word] = (told[word] ?? 0) + 1;
    await sleep(Math.max(0, dueMs - performance.now()));
  }
  agent.destroy();
}

parentPort?.once('message', () => {
  isOver = true;
});
await Promise.all(addresses.flatMap((address) => Array.from({ length: atOnce }, () => flood(address))));
parentPort?.postMessage(told satisfies Flooded);
