import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Finding } from '@bowline/chain/preflight';
import { isPackaged } from '../home.ts';
import { taken } from '../ports.ts';

/** The servers of `npm start`, each with the port where it listens, or would. */
export type Part = 'chain' | 'exchange' | 'bundler' | 'agent' | 'page';

export type State = 'ours' | 'free' | 'taken';

interface PartOf {
  readonly name: string;
  /** Asks as a client would, and says whether the answer is this part's. */
  isOurs(url: string): Promise<boolean>;
}

const patienceMs = 5_000;

const parts: Readonly<Record<Part, PartOf>> = {
  chain: { name: 'the chain', isOurs: async (url) => typeof (await rpc(url, 'eth_chainId')) === 'string' },
  exchange: {
    name: 'the exchange',
    isOurs: async (url) => /^The exchange of the local chain/.test(String((await json(url)).what)),
  },
  bundler: { name: 'the bundler', isOurs: async (url) => Array.isArray(await rpc(url, 'eth_supportedEntryPoints')) },
  agent: { name: 'the agent', isOurs: async (url) => (await json(`${url}/ping`)).status === 'HEALTHY' },
  page: { name: 'the page', isOurs: async (url) => /<title>Bowline/.test(await (await asked(url)).text()) },
};

/** Whether each port is free, taken by that part of ours, or taken by somebody else. */
export async function portFindings(
  ports: Readonly<Partial<Record<Part, number>>>,
): Promise<{ readonly findings: Finding[]; readonly states: Readonly<Partial<Record<Part, State>>> }> {
  const looked = await Promise.all(
    (Object.entries(ports) as [Part, number][]).map(async ([part, port]) => {
      const state = await stateOf(part, port);
      return { part, state, finding: findingOf(part, port, state) };
    }),
  );
  return {
    findings: looked.map(({ finding }) => finding),
    states: Object.fromEntries(looked.map(({ part, state }) => [part, state])),
  };
}

async function stateOf(part: Part, port: number): Promise<State> {
  if (await isFree(port)) return 'free';
  return (await parts[part].isOurs(`http://127.0.0.1:${port}`).catch(() => false)) ? 'ours' : 'taken';
}

function findingOf(part: Part, port: number, state: State): Finding {
  const check = `port.${part}`;
  const { name } = parts[part];
  if (state === 'free') return { check, ok: true, found: `${port} is free.` };
  if (state === 'ours') return { check, ok: true, found: `${port} is in use, by ${name}.` };
  return {
    check,
    ok: false,
    found: `${port} is in use, and not by ${name}.`,
    without: isPackaged ? `${name[0]?.toUpperCase()}${name.slice(1)} does not start.` : 'npm start does not start.',
    remedy: isPackaged
      ? `Stop the process that listens there (lsof -i :${port} names it), or set ${part === 'page' ? 'WEB_PORT' : 'PORT'}.`
      : taken(name, port, optionOf(part)),
  };
}

const optionOf = (part: Part): string =>
  `--${{ chain: 'rpc', exchange: 'market', bundler: 'bundler', agent: 'agent', page: 'web' }[part]}-port`;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

const asked = (url: string, init: RequestInit = {}) => fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });

const json = async (url: string) => (await (await asked(url)).json()) as Record<string, unknown>;

async function rpc(url: string, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
  const headers = { 'content-type': 'application/json' };
  return ((await (await asked(url, { method: 'POST', headers, body })).json()) as { result?: unknown }).result;
}
