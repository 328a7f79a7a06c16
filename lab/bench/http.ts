// The agent's HTTP server beside the plain servers of its protocols' SDKs, in one run: each pair is measured in turns, and
// what counts is the ratio. All limits of requests are raised for it (CALLER_LIMIT). The tool that
// is called echoes on both sides, so that what is measured is the protocol's part.
//
//   npm run lab -- bench:http [--rounds 7] [--record]
//
// Exits with 1 where a ratio is below its bar.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createLoad, type Load } from './http/load.ts';
import type { Kind } from './http/serve.ts';
import { figure, record } from './record.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, record: { type: 'boolean', default: false } },
});
/** Of each pair. */
const rounds = Number(values.rounds);
const connections = 16;
const seconds = 1;

const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** A request of MCP 2026-07-28, which says what it is in its headers and its metadata. */
function modern(method: string, params: { readonly name?: string; readonly arguments?: object } = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  };
  const named = params.name === undefined ? {} : { 'Mcp-Name': params.name };
  const headers = { ...json, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...named };
  return { path: '/mcp', headers, body: rpc(method, { ...params, _meta }) };
}

const legacy = (method: string, params: object = {}) => ({
  path: '/mcp',
  headers: { ...json, 'MCP-Protocol-Version': '2025-11-25' },
  body: rpc(method, params),
});

const message = {
  kind: 'message',
  role: 'user',
  messageId: 'm',
  parts: [{ kind: 'data', data: { skill: 'echo', text: 'x' } }],
};
const echo = { name: 'echo', arguments: { text: 'x' } };
const sent = { path: '/a2a', headers: json, body: rpc('message/send', { message }) };

/** What is asked of both, and the ratio that the product promises. */
const pairs = [
  { name: 'MCP 2026-07-28, call', anchor: 'mcp-same', asked: modern('tools/call', echo), bar: 0.77 },
  { name: 'MCP 2025-11-25, call', anchor: 'mcp-same', asked: legacy('tools/call', echo), bar: 0.77 },
  { name: 'MCP 2026-07-28, list', anchor: 'mcp-same', asked: modern('tools/list'), bar: 0.77 },
  { name: 'call, plain with that one tool', anchor: 'mcp', asked: modern('tools/call', echo) },
  { name: 'list, plain with that one tool', anchor: 'mcp', asked: modern('tools/list') },
  { name: 'A2A, message', anchor: 'a2a', asked: sent },
] as const satisfies readonly { readonly anchor: Kind; readonly [key: string]: unknown }[];

interface Server {
  readonly port: number;
  /** Microseconds of CPU that it has used. */
  cpu(): Promise<number>;
  stop(): void;
}

async function start(kind: Kind): Promise<Server> {
  const child = fork(new URL('http/serve.ts', import.meta.url), [kind], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async cpu() {
      child.send('cpu');
      const [used] = (await once(child, 'message')) as [number];
      return used;
    },
    stop: () => void child.kill(),
  };
}

interface Measured {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

async function measure(server: Server, load: Load): Promise<Measured> {
  const before = await server.cpu();
  const { times, tookMs } = await load.run(seconds * 1000);
  const answers = times.length;
  return { perSecond: (answers * 1000) / tookMs, cpuMicroseconds: ((await server.cpu()) - before) / answers };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const servers = new Map<Kind, Server>();
try {
  for (const kind of ['ours', 'mcp', 'mcp-same', 'a2a'] as const) servers.set(kind, await start(kind));
  const of = (kind: Kind) => servers.get(kind) as Server;
  const below: string[] = [];
  const table: string[][] = [['', 'ours, a second', 'plain, a second', 'ratio', 'by CPU', 'bar']];
  for (const pair of pairs) {
    const ours = await createLoad(of('ours').port, pair.asked, connections);
    const plain = await createLoad(of(pair.anchor).port, pair.asked, connections);
    // Both sides compile what they run.
    for (const load of [ours, plain, ours, plain]) await load.run(1_000);
    const measured: [Measured, Measured][] = [];
    for (let round = 0; round < rounds; round++) {
      measured.push([await measure(of('ours'), ours), await measure(of(pair.anchor), plain)]);
    }
    const [one, other] = [measured.map(([each]) => each), measured.map(([, each]) => each)];
    const ratio = median(measured.map(([a, b]) => a.perSecond / b.perSecond));
    const byCpu = median(measured.map(([a, b]) => b.cpuMicroseconds / a.cpuMicroseconds));
    const rate = (each: readonly Measured[]) => figure(median(each.map(({ perSecond }) => perSecond)));
    const bar = 'bar' in pair ? String(pair.bar) : '';
    if ('bar' in pair && ratio < pair.bar) below.push(`${pair.name}: ${figure(ratio, 2)} of ${bar}`);
    table.push([pair.name, rate(one), rate(other), figure(ratio, 2), figure(byCpu, 2), bar]);
    for (const load of [ours, plain]) load.close();
  }
  record(values.record, 'http', table);
  if (below.length > 0) console.log(`Below the bar: ${below.join(', ')}.`);
  process.exitCode = below.length > 0 ? 1 : 0;
} finally {
  for (const server of servers.values()) server.stop();
}
