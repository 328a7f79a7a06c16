import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { b402Facilitator, x402Facilitator } from '../../../src/selling/payments/facilitators.ts';
import { serve } from '../../api/serve.ts';

const payload = { x402Version: 2 } as PaymentPayload;
const requirements = {} as PaymentRequirements;

test('a facilitator that does not answer in time, or not to the end, is hung up on', async () => {
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
    const { client: facilitator } = x402Facilitator(url, { timeoutMs: 1_000 });
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

test('one that asks for patience gets no more of it', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(429, { 'retry-after': '30' }).end('{}');
  });
  await expect(x402Facilitator(url, { timeoutMs: 1_000 }).client.getSupported()).rejects.toThrow('within 1000 ms');
  expect(asked).toBe(1);
});

test('PY-9: the transaction that B402 names is kept, whatever is wrong with the rest of its answer', async () => {
  const payer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');
  const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const transaction = numberToHex(10, { size: 32 });
  const network = 'eip155:56';
  const extra = { name: 'Token', version: '1', assetTransferMethod: 'eip3009', signerAddress: other };
  const terms: PaymentRequirements = {
    scheme: 'exact',
    network,
    asset: other,
    amount: '1',
    payTo: other,
    maxTimeoutSeconds: 300,
    extra,
  };
  const authorization = {
    from: payer.address,
    to: terms.payTo,
    value: '1',
    validAfter: '0',
    validBefore: '9999999999',
    nonce: numberToHex(1, { size: 32 }),
  };
  const fields = ['from:address', 'to:address', 'value:uint256', 'validAfter:uint256', 'validBefore:uint256'];
  const types = [...fields, 'nonce:bytes32'].map((field) => {
    const [name = '', type = ''] = field.split(':');
    return { name, type };
  });
  const signature = await payer.signTypedData({
    domain: { name: 'Token', version: '1', chainId: 56, verifyingContract: other },
    types: { TransferWithAuthorization: types },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });
  const signed = { x402Version: 2, accepted: terms, payload: { authorization, signature } } as PaymentPayload;
  const whole = { success: true, transaction, network, payer: payer.address, amount: '1' };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const credentials = {
    clientId: 'bowline',
    accessToken: 'token',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  };
  const settled = async (...answers: object[]) => {
    const baseUrl = await serve((_request, response) => {
      const data = answers.length > 1 ? answers.shift() : answers[0];
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ code: '000000', message: '', data }));
    });
    const patience = { timeoutMs: 1_000, pendingMs: 100, pollMs: 10 };
    return b402Facilitator({ baseUrl, ...credentials }, patience).client.settle(signed, terms);
  };
  expect(await settled(whole)).toMatchObject({ success: true, transaction });
  const pending = { ...whole, success: false, errorReason: 'pending' };
  const kept = { success: false, transaction };
  expect(await settled(pending)).toMatchObject(kept);
  expect(await settled({ ...whole, amount: '2' })).toMatchObject(kept);
  expect(await settled({ ...whole, payer: other })).toMatchObject(kept);
  expect(await settled(pending, { odd: true })).toMatchObject(kept);
  expect(await settled({ ...pending, transaction: '' })).toMatchObject({ success: false, transaction: '' });
  await expect(settled({ odd: true })).rejects.toThrow();
});
