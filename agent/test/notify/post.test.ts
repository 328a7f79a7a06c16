import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPost, type PostOptions } from '../../src/notify/post.ts';
import { certificate, certificateKey } from './certificate.ts';

// AG-80, against real servers on loopback. What is public is a parameter here: 127.0.0.1 stands for it.

async function receiver(listener: RequestListener, isSecure = true) {
  const server = isSecure ? createHttps({ cert: certificate, key: certificateKey }, listener) : createHttp(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const poster = (options: Partial<PostOptions> = {}) =>
  createPost({
    resolve: async () => ['127.0.0.1'],
    isAllowed: (address) => address === '127.0.0.1',
    ca: certificate,
    ...options,
  });

test('the receiver gets the body and the headers, at the address that was checked and by the certificate of the name', async () => {
  const got: unknown[] = [];
  const port = await receiver(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    got.push([request.method, request.url, request.headers['webhook-id'], request.headers.host, body]);
    response.writeHead(204).end();
  });
  const url = `https://hook.example:${port}/in?key=1`;
  expect(await poster()(url, { 'webhook-id': 'one' }, '{"é":1}')).toEqual({ status: 204 });
  expect(got).toEqual([['POST', '/in?key=1', 'one', `hook.example:${port}`, '{"é":1}']]);
  // The certificate is not for this name.
  expect(await poster()(`https://other.example:${port}/`, {}, '')).toEqual({ failed: 'unreachable' });
  expect(await poster({ ca: undefined as never })(url, {}, '')).toEqual({ failed: 'unreachable' });
});

test('a name that resolves to something else the second time is resolved once', async () => {
  const port = await receiver((_request, response) => response.end());
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  let asked = 0;
  const post = poster({ resolve: async () => answers[asked++] ?? [] });
  expect(await post(`https://hook.example:${port}/`, {}, '')).toEqual({ status: 200 });
  expect(asked).toBe(1);
  expect(await post(`https://hook.example:${port}/`, {}, '')).toEqual({ failed: 'address_not_public' });
});

test('no connection is opened to an address that is not public, whoever else is behind the name', async () => {
  let requests = 0;
  const port = await receiver((_request, response) => {
    requests += 1;
    response.end();
  }, false);
  const url = `http://hook.example:${port}/`;
  const from = (...addresses: string[]) => createPost({ resolve: async () => addresses });
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['a name']]) {
    expect(await from(...addresses)(url, {}, '')).toEqual({ failed: 'address_not_public' });
  }
  // An address in place of a name is not resolved, but still checked.
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]']) {
    expect(await from('8.8.8.8')(`http://${host}:${port}/`, {}, '')).toEqual({ failed: 'address_not_public' });
  }
  expect(await from()(url, {}, '')).toEqual({ failed: 'host_unknown' });
  expect(await createPost({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })(url, {}, '')).toEqual({
    failed: 'host_unknown',
  });
  expect(requests).toBe(0);
});

test('a name that had to wait for others costs its receiver none of the time to answer', async () => {
  const port = await receiver((_request, response) => response.end(), false);
  const resolve = async () => {
    await new Promise((done) => setTimeout(done, 2_200));
    return ['127.0.0.1'];
  };
  expect(await poster({ resolve, timeoutMs: 2_000 })(`http://hook.example:${port}/`, {}, '')).toEqual({ status: 200 });
});

test('a receiver that is reached by one family only gets it by that one', async () => {
  const port = await receiver((_request, response) => response.end(), false);
  const isAllowed = () => true;
  // An address for documentation, which leads nowhere.
  for (const addresses of [
    ['192.0.2.1', '::ffff:127.0.0.1'],
    ['100::1', '127.0.0.1'],
  ]) {
    const post = poster({ resolve: async () => addresses, isAllowed });
    expect(await post(`http://hook.example:${port}/`, {}, '')).toEqual({ status: 200 });
  }
});

test('a redirect is an answer, and is not followed', async () => {
  let requests = 0;
  const port = await receiver((_request, response) => {
    requests += 1;
    response.writeHead(307, { location: '/again' }).end();
  });
  expect(await poster()(`https://hook.example:${port}/`, {}, '')).toEqual({ status: 307 });
  expect(requests).toBe(1);
});

test('an answer without end is cut off, and one that does not begin is given up', async () => {
  let cut = false;
  let writes = 0;
  const endless = await receiver((_request, response) => {
    const timer = setInterval(() => {
      writes += 1;
      response.write('x'.repeat(1_000));
    }, 1);
    response.on('close', () => {
      clearInterval(timer);
      cut = true;
    });
  });
  expect(await poster()(`https://hook.example:${endless}/`, {}, '')).toEqual({ status: 200 });
  await expect.poll(() => cut).toBe(true);
  // After 4 kB, not after a second.
  expect(writes).toBeLessThan(200);

  const silent = await receiver(() => {});
  const startedAt = performance.now();
  expect(await poster({ timeoutMs: 100 })(`https://hook.example:${silent}/`, {}, '')).toEqual({ failed: 'timeout' });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  const long = await receiver((_request, response) => response.writeHead(200, { long: 'x'.repeat(20_000) }).end());
  expect(await poster()(`https://hook.example:${long}/`, {}, '')).toEqual({ failed: 'unreachable' });
  expect(await poster()('https://hook.example:1/', {}, '')).toEqual({ failed: 'unreachable' });
});

test.each([
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ['the end of the connection', ''],
  ['half of a status line', 'HTTP/1.1 2'],
  ['only interim answers', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('a receiver that answers with %s holds up nobody', async (_, answer) => {
  const server = createTcp((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (answer === '' ? socket.end() : socket.write(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const posted = await poster({ timeoutMs: 300 })(`http://hook.example:${port}/`, {}, '');
  expect(['unreachable', 'timeout']).toContain((posted as { failed: string }).failed);
});
