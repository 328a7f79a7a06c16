import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { endpoints } from '../../src/api/http/endpoints.ts';
import { createStarting } from '../../src/api/http/starting.ts';
import { serve } from './serve.ts';

async function ask(url: string, headers: Record<string, string> = {}) {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  const body = JSON.parse((await response.setEncoding('utf8').toArray()).join(''));
  return { status: response.statusCode, headers: response.headers, retryAfter: response.headers['retry-after'], body };
}

test('while the agent starts, /ping and /ready answer as documented, and the rest is told to wait', async () => {
  const url = await serve(createStarting('0.1.0', ['127.0.0.1']));
  const ping = await ask(url + endpoints.ping.path);
  expect([ping.status, endpoints.ping.answer.parse(ping.body)]).toEqual([200, { status: 'HEALTHY' }]);
  const ready = await ask(url + endpoints.ready.path);
  expect([ready.status, endpoints.ready.answer.parse(ready.body).status]).toEqual([503, 'NOT_READY']);
  expect(await ask(`${url}/verdict?asset=BTCB`)).toMatchObject({
    status: 503,
    retryAfter: '1',
    body: { code: 'starting' },
  });
});

test('AG-28: a foreign host and a foreign page are refused while the agent starts, whatever they ask', async () => {
  const url = await serve(createStarting('0.1.0', ['127.0.0.1']));
  for (const path of [endpoints.ping.path, endpoints.ready.path, '/x402']) {
    for (const headers of [{ host: 'agent.example' }, { origin: 'https://page.example' }] as Record<string, string>[]) {
      expect(await ask(url + path, headers), path).toMatchObject({ status: 403, body: { code: 'host_not_allowed' } });
    }
  }
});

test('while the agent starts, every answer says over https to keep to it, and types lead to its address', async () => {
  const url = await serve(createStarting('0.1.0', ['127.0.0.1'], 'https://agent.example'));
  for (const headers of [{}, { host: 'evil.example' }]) {
    const { headers: told, body } = await ask(`${url}/x402`, headers);
    expect(told['strict-transport-security']).toBe('max-age=31536000');
    expect(body.type).toBe(`https://agent.example/docs/problems.html#${body.code}`);
  }
});
