import { fairProposal, pushedPool } from '@bowline/core/test/verdict/proposals';
import express from 'express';
import { expect, test } from 'vitest';
import { createApi } from '../../src/api/http/api.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { createSharedAnswers } from '../../src/tools/shared.ts';
import { world } from '../tools/world.ts';
import { serve } from './serve.ts';

// AG-6

/** GET /verdict over a world that counts its reads, at a block that tests can change. */
async function start() {
  const at = { reads: 0, number: 1_000n, isPushed: false };
  const context = {
    ...world,
    shared: createSharedAnswers({ newestBlock: () => at.number, now: () => 0 }),
    chain: {
      ...world.chain,
      facts: async () => {
        at.reads += 1;
        const { chain } = fairProposal();
        const block = { ...chain.block, number: at.number };
        return { ...chain, block, ...(at.isPushed && pushedPool(500n)) };
      },
    },
  };
  const call = callTool(tools, context, (error) => {
    throw error;
  });
  const limit = () => (_request: unknown, _response: unknown, next: () => void) => next();
  const url = await serve(express().use(createApi({ call, assets: world.assets, limit })));
  const get = async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/verdict?${query}`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { at, get, call };
}

test('many get the same bytes, which are what a lone asker gets', async () => {
  const { at, get } = await start();
  const queries = ['asset=BTCB', 'asset=bitcoin', 'asset=BTCB&side=buy&amount_usd=1000.00'];
  const answers = await Promise.all([...queries, ...queries].map((query) => get(query)));
  expect(at.reads).toBe(1);
  const lone = await (await start()).get('asset=BTCB');
  for (const { status, headers, text } of answers) {
    expect(text).toBe(lone.text);
    expect(status).toBe(200);
    for (const name of ['content-type', 'content-length', 'etag']) {
      expect([name, headers.get(name)]).toEqual([name, lone.headers.get(name)]);
    }
  }
  expect(lone.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('the bytes are the answer’s fields as JSON, spelled as JSON.stringify spells them', async () => {
  const { get, call } = await start();
  const result = await call('check_asset', { asset: 'BTCB' });
  if (!result.ok) throw new Error(result.message);
  const { verdict, reason, findings, ticket, evidence } = result.value;
  const { text } = await get('asset=BTCB');
  expect(text).toBe(JSON.stringify({ verdict, reason, findings, ticket, evidence: JSON.parse(evidence) }));
});

test('another answer has another ETag, and one that is known is not sent again', async () => {
  const { at, get } = await start();
  const first = await get('asset=BTCB');
  const etag = first.headers.get('etag') ?? '';
  // fetch would add no-cache.
  const known = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
  const again = await get('asset=BTCB', known);
  expect([again.status, again.text]).toEqual([304, '']);
  const sold = await get('asset=BTCB&side=sell');
  expect(sold.headers.get('etag')).not.toBe(etag);
  at.number = 1_001n;
  at.isPushed = true;
  const moved = await get('asset=BTCB', known);
  expect(moved.status).toBe(200);
  expect(JSON.parse(moved.text).verdict).toBe('NO_GO');
});
