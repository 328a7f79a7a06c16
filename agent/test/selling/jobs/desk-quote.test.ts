import type { Desk } from '@bowline/core/domain/desk';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, fairProposal, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { expect, test, vi } from 'vitest';
import { createDeskQuote, type DeskRequest } from '../../../src/selling/jobs/desk-quote.ts';
import { judgeAsset } from '../../../src/tools/check-asset.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { OWNER, unavailable, withoutQuote, world } from '../../tools/world.ts';
import { address } from './jobs.ts';

const request: DeskRequest = { asset: 'BTCB', owner: OWNER, acknowledge_caution: false };

/** The desk's quotes in that world; `signed` has the terms that its maker signed. */
function open(context: ToolContext, inventory: Desk['inventory'] = async () => WAD) {
  const signed: Parameters<Desk['sign']>[0][] = [];
  const desk: Desk = {
    address: address('d'),
    inventory,
    newNonce: () => 7n,
    sign: async (quote) => {
      signed.push(quote);
      return '0xab';
    },
  };
  const onInternal = vi.fn();
  return { signed, onInternal, quote: createDeskQuote(desk, (question) => judgeAsset(question, context), onInternal) };
}

/** The world with a pool whose price is this many bps above every reference. */
const poolAbove = (bps: bigint): ToolContext => {
  const { chain } = fairProposal();
  const spotWad = 10n * WAD * (10_000n + bps);
  const quote = chain.quote && { ...chain.quote, amountOut: (chain.quote.amountOut * 10_000n) / (10_000n + bps) };
  const facts = async () => ({ ...chain, spotWad, twapWad: spotWad, ...(quote && { quote }) });
  return { ...world, chain: { ...world.chain, facts } };
};

test('the swap that was judged is quoted to the unit, from the facts and not from the evidence text', async () => {
  const { quote, signed } = open(world);
  const { chain } = fairProposal();
  expect(await quote(request)).toEqual({
    ok: true,
    value: {
      verdict: 'GO',
      reason: null,
      quote: {
        buyer: OWNER,
        token_in: USDT.address,
        amount_in: chain.quote?.amountIn.toString(),
        token_out: BTCB.address,
        amount_out: chain.quote?.amountOut.toString(),
        nonce: '7',
        expires_at: (NOW + 120n).toString(),
      },
      signature: '0xab',
      desk: address('d'),
      withheld: null,
    },
  });
  expect(signed).toMatchObject([{ buyer: OWNER, amountIn: 1_000n * WAD, amountOut: 9_995_000_000_000_000n }]);
});

test.for<[string, ToolContext, Partial<DeskRequest>, object]>([
  ['NO_GO', poolAbove(200n), {}, { withheld: 'verdict_no_go' }],
  ['NO_GO, whatever is acknowledged', poolAbove(200n), { acknowledge_caution: true }, { withheld: 'verdict_no_go' }],
  ['NO_DATA', withoutQuote, { acknowledge_caution: true }, { withheld: 'verdict_no_data' }],
  ['CAUTION', poolAbove(70n), {}, { withheld: 'caution_not_acknowledged' }],
  ['CAUTION that is acknowledged', poolAbove(70n), { acknowledge_caution: true }, { withheld: null }],
])('AP-6: %s', async ([, context, changes, expected]) => {
  const { quote, signed } = open(context);
  expect(await quote({ ...request, ...changes })).toMatchObject({ ok: true, value: expected });
  expect(signed).toHaveLength('withheld' in expected && expected.withheld === null ? 1 : 0);
});

test('what the desk does not have is not quoted', async () => {
  const { quote, signed } = open(world, async () => 9_994_999_999_999_999n);
  expect(await quote(request)).toMatchObject({
    value: { withheld: 'inventory_too_low', quote: null, signature: null },
  });
  expect(signed).toEqual([]);
});

test('a chain that does not answer is a failure that may pass; an unexpected error is internal, and reported', async () => {
  const failed = { ok: false, code: 'chain_unavailable', retryable: true };
  expect(await open(world, unavailable).quote(request)).toMatchObject(failed);
  const blind = { ...world, chain: { ...world.chain, facts: unavailable } };
  expect(await open(blind).quote(request)).toMatchObject(failed);
  expect(await open(world).quote({ ...request, asset: 'DOGE' })).toMatchObject({ ok: false, code: 'unknown_asset' });
  const bug = open(world, () => Promise.reject(new Error('bug')));
  const answer = await bug.quote(request);
  expect(answer).toMatchObject({ ok: false, code: 'internal' });
  expect(JSON.stringify(answer)).not.toContain('bug');
  expect(bug.onInternal).toHaveBeenCalledExactlyOnceWith(new Error('bug'));
});
