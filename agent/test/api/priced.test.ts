import { success } from '@bowline/core/domain/result';
import express from 'express';
import { expect, test, vi } from 'vitest';
import { createApi } from '../../src/api/http/api.ts';
import type { HttpPayments } from '../../src/api/http/payment.ts';
import type { Question } from '../../src/selling/payments/question.ts';
import { readPriced } from '../../src/tools/priced.ts';
import { OWNER, withUntraded } from '../tools/world.ts';
import { serve } from './serve.ts';

const answered = success({ findings: [], ticket: null, evidence: '{}' });

/** The priced routes, over a stub that accepts every payment. */
async function start() {
  const assets = withUntraded;
  const charged = vi.fn((_question: Question) => {});
  const pay: HttpPayments['pay'] = async (_request, _response, _path, _limit, question) => {
    charged(question);
    return answered;
  };
  const payments: HttpPayments = { isPage: () => false, isPaying: () => true, ask: () => expect.fail(), pay };
  const limit = { name: 'paid', requests: 1, seconds: 1, take: () => expect.fail() };
  const url = await serve(
    express().use(
      createApi({
        call: () => expect.fail(),
        assets,
        deskQuote: () => expect.fail(),
        limit: () => (_request, _response, next) => next(),
        payment: { payments, limit, read: (tool, input) => readPriced(tool, input, assets) },
      }),
    ),
  );
  const get = (query: object) => fetch(`${url}/verdict?${new URLSearchParams({ ...query })}`);
  const post = (path: string) => (body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner: OWNER, side: 'buy', ...body }),
    });
  return { charged, doors: [get, post('/swap-draft'), post('/desk-quote')] };
}

test('AG-145: what can never be answered is not charged, at any door', async () => {
  const { charged, doors } = await start();
  for (const [at, ask] of doors.entries()) {
    for (const [wrong, code] of [
      [{ asset: 'NOPE', amount_usd: '5' }, 'unknown_asset'],
      [{ asset: 'GOLD', amount_usd: '5' }, 'no_pool'],
      [{ asset: 'BTCB', amount_usd: '5', amount_asset: '1' }, 'invalid_amount'],
      [{ asset: 'BTCB', amount_asset: '0.0000000000000000001' }, 'invalid_amount'],
    ] as const) {
      expect(await (await ask(wrong)).json(), `${at} ${code}`).toMatchObject({ code });
    }
    expect(charged).not.toHaveBeenCalled();
    expect((await ask({ asset: 'BTCB', amount_usd: '5' })).status).toBe(200);
    expect(charged).toHaveBeenCalledOnce();
    charged.mockClear();
  }
});

test('AG-145: an asset in two spellings is one question', async () => {
  const { charged, doors } = await start();
  for (const ask of doors) {
    for (const asset of ['BTCB', 'bitcoin', 'btcb']) await ask({ asset, amount_usd: '5' });
    const keys = charged.mock.calls.map(([{ key }]) => key);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    charged.mockClear();
  }
});
