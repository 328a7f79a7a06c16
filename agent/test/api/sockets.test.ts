import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createHttpServer } from '@bowline/http/server';
import { expect, onTestFinished, test } from 'vitest';
import { createPing } from '../../src/api/http/ping.ts';
import { createApp } from '../../src/api/http.ts';
import { limitsOf } from './limits.ts';
import { keepLog } from './log.ts';

/** The server as the agent composes it, over an app whose answers wait until they are released. */
async function start() {
  const allowedHosts = ['127.0.0.1', 'agent.example'];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const unused = () => expect.unreachable();
  const app = createApp({
    answer: async () => {
      await released;
      return { ok: true, value: { text: 'Yes.', tools: [], tickets: [], choices: [], answeredBy: 'embedded' } };
    },
    limits: limitsOf(),
    mcp: unused,
    a2a: { card: unused, rpc: unused },
    allowedHosts,
    log: keepLog(),
  });
  const answersPing = createPing(allowedHosts);
  const server = createHttpServer((request, response) => {
    if (!answersPing(request, response)) app(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, release };
}

/** Sends this, and if it is something a byte each second; resolves with the seconds until the server closes the socket. */
async function cutAfter(port: number, first: string): Promise<number> {
  const began = performance.now();
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.resume().write(first);
  const drip = setInterval(() => first !== '' && socket.write('x'), 1_000);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'close');
  clearInterval(drip);
  return (performance.now() - began) / 1000;
}

const asks = 'POST /x402 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';

// AG-169
test('who never finishes asking is cut within 30 s; who waits for an answer is not', {
  tags: 'long',
  timeout: 90_000,
}, async () => {
  const { port, url, release } = await start();
  const headers = { 'content-type': 'application/json' };
  const waiting = fetch(`${url}/x402`, { method: 'POST', headers, body: '{"prompt":"x"}' });
  const cut = await Promise.all([
    cutAfter(port, ''),
    cutAfter(port, `${asks}X-Slow: `),
    cutAfter(port, `${asks}Content-Length: 60000\r\n\r\n{"prompt":"`),
    ...Array.from({ length: 500 }, () => cutAfter(port, asks)),
  ]);
  expect(Math.max(...cut)).toBeLessThan(30);
  expect(Math.min(...cut)).toBeGreaterThan(5);
  release();
  expect(await (await waiting).json()).toMatchObject({ result: 'Yes.' });
});

// AG-170
test('/ping is answered before the app, and the app answers what is not just that', async () => {
  const { url, port } = await start();
  const response = await fetch(`${url}/ping`);
  expect([response.status, await response.text()]).toEqual([200, '{"status":"HEALTHY"}']);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  // By Express: it has an ETag there.
  expect(response.headers.has('etag')).toBe(false);
  const byApp = await fetch(`${url}/ping?a`);
  expect([byApp.headers.has('etag'), await byApp.text()]).toEqual([true, '{"status":"HEALTHY"}']);
  expect((await fetch(`${url}/ping`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${url}/ping`, { method: 'POST' })).status).toBe(405);
  const page = await fetch(`${url}/ping`, { headers: { origin: 'http://127.0.0.1' } });
  expect(page.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1');
  expect((await fetch(`${url}/ping`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  const statusOf = async (host: string) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`GET /ping HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [chunk] = await once(socket, 'data');
    return String(chunk).split(' ')[1];
  };
  expect(await statusOf('evil.example')).toBe('403');
  expect(await statusOf('127.0.0.1.evil.example')).toBe('403');
  expect(await statusOf('127.0.0.1:1234')).toBe('200');
});
