import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { HttpRequestError, InternalRpcError, RpcRequestError, TimeoutError } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { nodeFailure } from '../errors.ts';
import { httpTransport } from '../http-transport.ts';

// Requests to a node.

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function nodeThat(answers: RequestListener): Promise<string> {
  server = createServer(answers).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/key`;
}

/** A node that passes each request to `say` and answers with what it returns. */
const nodeOf = (say: (asked: never, request: IncomingMessage, response: ServerResponse) => unknown) =>
  nodeThat(async (request, response) => {
    const said = say(JSON.parse(await text(request)) as never, request, response);
    if (said !== undefined) response.end(JSON.stringify(said));
  });

const requester = (url: string, batchSize = 1, timeoutMs = 20_000) => {
  const { request } = httpTransport(url, { timeoutMs, batchSize, retryCount: 0 })({});
  return (method: string) => request({ method } as never);
};

type Body = { readonly id: number; readonly method: string };

const failed = (request: Promise<unknown>) =>
  request.then(
    (answer) => expect.unreachable(`answered ${String(answer)}`),
    (error: Error) => error,
  );

test('concurrent requests are one batch, and each gets its answer, in whatever order the node sends them', async () => {
  let batches = 0;
  const url = await nodeOf((asked: readonly Body[]) => {
    batches += 1;
    return asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method })).reverse();
  });
  const ask = requester(url, 8);
  const methods = Array.from({ length: 10 }, (_, at) => `m${at}`);
  expect(await Promise.all(methods.map(ask))).toEqual(methods);
  expect(batches).toBe(2);
});

test('a request that a batch’s answer leaves out has failed, and the others have not', async () => {
  const url = await nodeOf((asked: readonly Body[]) =>
    asked.filter(({ method }) => method !== 'lost').map(({ id, method }) => ({ id, result: method })),
  );
  const ask = requester(url, 8);
  const [first, lost, last] = await Promise.allSettled([ask('first'), ask('lost'), ask('last')]);
  expect(first).toMatchObject({ value: 'first' });
  expect(lost).toMatchObject({ reason: expect.any(InternalRpcError) });
  expect(last).toMatchObject({ value: 'last' });
});

test('an answer with another’s ID is nobody’s', async () => {
  const url = await nodeOf((asked: readonly Body[]) => asked.map(({ id }) => ({ id: id + 1_000, result: 'other' })));
  expect(await failed(requester(url, 8)('mine'))).toBeInstanceOf(InternalRpcError);
});

const refusal = { error: { code: -32_600, message: 'no batches' } };
test.each([
  ['an error for the whole batch', () => ({ jsonrpc: '2.0', id: null, ...refusal })],
  ['one refused request', ([asked]: readonly Body[]) => [{ id: asked?.id, ...refusal }]],
])('%s is the node’s answer', async (_, say) => {
  const error = await failed(requester(await nodeOf(say), 8)('mine'));
  expect(
    (error as Error & { walk(find: (each: unknown) => boolean): unknown }).walk(
      (each) => each instanceof RpcRequestError,
    ),
  ).toMatchObject({ code: -32_600, details: 'no batches' });
});

test('a packed answer is unpacked, and one that unpacks to more than is taken is refused', async () => {
  let size = 10;
  const url = await nodeThat((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify({ id: 1, result: '0'.repeat(size) })));
  });
  expect(await requester(url)('m')).toBe('0'.repeat(10));
  size = 11 * 2 ** 20;
  expect(await failed(requester(url)('m'))).toBeInstanceOf(HttpRequestError);
});

test.each([0, 200])('an answer that has not come whole in its time, after headers %i, is too late', async (status) => {
  const url = await nodeThat((_request, response) => {
    if (status > 0) response.writeHead(status).write('{"id":1,');
  });
  expect(await failed(requester(url, 1, 100)('m'))).toBeInstanceOf(TimeoutError);
});

// A rate-limited node must be recognized as one, or each page of a read would ask it again.
test.each([
  [429, -32_005, 'limited'],
  [503, -32_603, 'internal'],
  [400, -32_600, 'answered'],
] as const)(
  'status %i with an error in JSON is the node’s answer to each request of a batch',
  async (status, code, failure) => {
    const url = await nodeOf((_asked: never, _request, response) => {
      response.statusCode = status;
      return { jsonrpc: '2.0', id: null, error: { code, message: 'no' } };
    });
    const ask = requester(url, 8);
    for (const error of await Promise.all([failed(ask('one')), failed(ask('other'))]))
      expect(nodeFailure(error)).toBe(failure);
  },
);

test.each([
  ['null', 'limited'],
  ['[]', 'limited'],
  ['slow down', 'limited'],
  ['', 'limited'],
])('status 429 with the body %j is a limit, alone and in a batch', async (body, failure) => {
  const url = await nodeThat((_request, response) => void response.writeHead(429).end(body));
  for (const batchSize of [1, 8]) expect(nodeFailure(await failed(requester(url, batchSize)('m')))).toBe(failure);
});

test('any status of success is one: its answers are told apart by ID all the same', async () => {
  const url = await nodeOf((asked: readonly Body[], _request, response) => {
    response.statusCode = 201;
    return asked.map(({ id, method }) => ({ id, result: method })).reverse();
  });
  const ask = requester(url, 8);
  expect(await Promise.all([ask('first'), ask('second')])).toEqual(['first', 'second']);
});

test.each([[{ id: 1 }], [[]], [{ error: null }]])('%j is no answer to a call, alone and in a batch', async (said) => {
  for (const batchSize of [1, 8]) {
    const error = await failed(requester(await nodeOf(() => said), batchSize)('eth_call'));
    expect(['silent', 'internal']).toContain(nodeFailure(error));
  }
});

test('null is no answer to a call, and is one to a question for what there is not', async () => {
  const url = await nodeOf(({ id }: Body) => ({ jsonrpc: '2.0', id, result: null }));
  expect(await failed(requester(url)('eth_call'))).toBeInstanceOf(HttpRequestError);
  expect(await requester(url)('eth_getTransactionReceipt')).toBe(null);
});

test('credentials of the URL are sent, and no error shows them', async () => {
  let authorization: string | undefined;
  const url = await nodeOf((_asked: Body, request, response) => {
    authorization = request.headers.authorization;
    response.statusCode = 403;
    return 'no';
  });
  const error = await failed(requester(url.replace('//', '//user:pass%20word@'))('m'));
  expect(authorization).toBe(`Basic ${btoa('user:pass word')}`);
  expect(error).toMatchObject({ status: 403 });
  expect(JSON.stringify([error, error.message, error.stack])).not.toContain('pass');
});

test('a redirection is refused: the node’s address is the setting’s', async () => {
  let asked = 0;
  const url = await nodeThat((_request, response) => {
    asked += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await failed(requester(url)('m'))).toMatchObject({ status: 307 });
  expect(asked).toBe(1);
});
