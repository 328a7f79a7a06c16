import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { expect, test, vi } from 'vitest';
import { x402Facilitator } from '../../src/adapters/facilitators.ts';
import { serve } from '../faces/serve.ts';

const payload = { x402Version: 2 } as PaymentPayload;
const requirements = {} as PaymentRequirements;

test('PY-12: a facilitator that does not answer in time, or not to the end, is hung up on', async () => {
  const slow: ((response: ServerResponse) => void)[] = [
    () => {},
    (response) => response.writeHead(200).write('{"success": tr'),
    (response) => response.writeHead(500).write('{'),
  ];
  for (const answer of slow) {
    let asked = 0;
    const sockets = new Set<Socket>();
    const url = await serve(({ socket }, response) => {
      asked += 1;
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      answer(response);
    });
    const { facilitator } = x402Facilitator(url, { timeoutMs: 1_000 });
    const questions = [
      facilitator.settle(payload, requirements),
      facilitator.verify(payload, requirements),
      facilitator.getSupported(),
    ];
    for (const told of await Promise.allSettled(questions)) expect(told.status).toBe('rejected');
    expect(asked).toBe(3);
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  }
});

test('PY-12: one that asks for patience gets no more of it', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(429, { 'retry-after': '30' }).end('{}');
  });
  await expect(x402Facilitator(url, { timeoutMs: 200 }).facilitator.getSupported()).rejects.toThrow('within 200 ms');
  expect(asked).toBe(1);
});
