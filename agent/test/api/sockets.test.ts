import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createHttpServer } from '@bowline/http/server';
import { expect, onTestFinished, test } from 'vitest';
import { problem } from '../../src/api/http/endpoints.ts';
import { createApp } from '../../src/api/http.ts';
import { limitsOf } from './limits.ts';
import { keepLog } from './log.ts';

/** The server as the agent composes it, over an app whose answers wait until they are released. */
async function start(publicUrl = '') {
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
    // Starts its response before the request is complete.
    mcp: (_request, response) => void response.type('text/event-stream').write('data: first\n\n'),
    a2a: { card: unused, rpc: unused },
    allowedHosts,
    publicUrl,
    log: keepLog(),
  });
  const server = createHttpServer(app, publicUrl).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, release };
}

/** Sends `first` and, unless it is empty, one byte a second. Resolves with the reply when the server closes. */
async function cut(port: number, first: string): Promise<{ readonly seconds: number; readonly text: string }> {
  const began = performance.now();
  let text = '';
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  if (first !== '') socket.write(first);
  const drip = setInterval(() => first !== '' && socket.write('x'), 1_000);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'close');
  clearInterval(drip);
  return { seconds: (performance.now() - began) / 1000, text };
}

/** Parses the response to input that Node rejects before there is a request. */
function problemIn(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line, ...lines] = head.split('\r\n');
  return {
    line,
    headers: Object.fromEntries(lines.map((each) => each.split(': '))),
    body: problem.parse(JSON.parse(body)),
  };
}

const asks = 'POST /x402 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';

// AG-162
test('who never finishes asking is cut within 30 s; who waits for an answer is not', {
  tags: 'long',
  timeout: 90_000,
}, async () => {
  const { port, url, release } = await start();
  const headers = { 'content-type': 'application/json' };
  const waiting = fetch(`${url}/x402`, { method: 'POST', headers, body: '{"prompt":"x"}' });
  const ended = await Promise.all([
    cut(port, ''),
    cut(port, `${asks}X-Slow: `),
    cut(port, `${asks}Content-Length: 60000\r\n\r\n{"prompt":"`),
    ...Array.from({ length: 500 }, () => cut(port, asks)),
  ]);
  expect(Math.max(...ended.map(({ seconds }) => seconds))).toBeLessThan(30);
  expect(Math.min(...ended.map(({ seconds }) => seconds))).toBeGreaterThan(5);
  for (const { text } of ended) {
    expect(problemIn(text)).toMatchObject({ line: 'HTTP/1.1 408 Request Timeout', body: { code: 'request_timeout' } });
  }
  release();
  expect(await (await waiting).json()).toMatchObject({ result: 'Yes.' });
});

test('what Node refuses before there is a request is a problem, unless an answer has begun', async () => {
  const { port } = await start('https://agent.example/bowline');
  const chunked = 'Transfer-Encoding: chunked\r\n\r\nno length\r\n';
  for (const [sent, line, code] of [
    ['HELLO\r\n\r\n', '400 Bad Request', 'malformed_request'],
    [`${asks}Bad Name: x\r\n\r\n`, '400 Bad Request', 'malformed_request'],
    [asks + chunked, '400 Bad Request', 'malformed_request'],
    [`${asks}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large', 'headers_too_large'],
  ] as const) {
    const { line: first, headers, body } = problemIn((await cut(port, sent)).text);
    expect([first, body.code], sent.slice(0, 200)).toEqual([`HTTP/1.1 ${line}`, code]);
    expect(body.type).toBe(`https://agent.example/bowline/docs/problems.html#${code}`);
    expect(headers).toMatchObject({
      Connection: 'close',
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Strict-Transport-Security': 'max-age=31536000',
    });
  }
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${asks.replace('/x402', '/mcp')}Transfer-Encoding: chunked\r\n\r\n`);
  const [begun] = await once(socket, 'data');
  expect(String(begun)).toMatch(/^HTTP\/1.1 200 OK/);
  const rest = socket.toArray();
  socket.write('no length\r\n');
  expect(String(Buffer.concat(await rest))).not.toContain('HTTP/1.1');
});

test('over https, /ping tells browsers to keep to it, as every answer does', async () => {
  const kept = async (publicUrl: string) =>
    (await fetch(`${(await start(publicUrl)).url}/ping`)).headers.get('strict-transport-security');
  expect(await kept('https://agent.example')).toBe('max-age=31536000');
  expect(await kept('http://agent.example')).toBeNull();
});
