import { setTimeout as sleep } from 'node:timers/promises';
import type { Session, Side } from '@bowline/core/domain/facts';
import { WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { createMarketData } from '@bowline/exchange/exchange';
import { timers } from '@bowline/http/clock';
import { isAddress } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectChain } from '../../agent/src/chain/chain-client.ts';
import { createMarketReader } from '../../agent/src/chain/market-reader.ts';
import { propose, type Sources } from '../../agent/src/sources/propose.ts';
import bsc from '../../packages/core/registry/bsc.json' with { type: 'json' };
import { type LocalChain, localChainId, startLocalChain } from '../../script/local/fork.ts';
import { type Market, startMarket } from '../../script/local/market/market.ts';
import { createPath } from '../../script/local/market/path.ts';
import { parseScene } from '../../script/local/market/scenes.ts';
import { type MarketServer, serveMarket } from '../../script/local/market/server.ts';

// Verdicts on the share's stand-in during its scenes.

const clock = () => Date.now() / 1000;
const hoursLong: Session = { state: 'open', openedAt: BigInt(Math.floor(clock())) - 3_600n, closesAt: 2n ** 40n };
let session: Session | undefined = hoursLong;

let local: LocalChain;
let market: Market;
let server: MarketServer;
let sources: Sources;
beforeAll(async () => {
  local = await startLocalChain({ blockSeconds: 0.2 });
  const path = createPath(1, clock());
  market = await startMarket({ rpcUrl: local.url, path, clock, tickSeconds: 0.25, report: () => {} });
  server = await serveMarket(market, path, clock, 0);
  sources = {
    assets: readAssetRegistry(localChainId, isAddress),
    limitsOf: limitsOfAsset,
    chain: createMarketReader(
      connectChain(local.url, true),
      bsc as unknown as Pick<AddressBook, 'venus' | 'secondFeeds' | 'pancake'>,
      timers,
    ),
    // The exchange is closed for ten minutes of every hour, in which the test must pass too.
    calendars: { session: (calendar) => (calendar === 'ACME' ? session : undefined) },
    clock: () => BigInt(Math.floor(clock())),
    exchange: createMarketData(server.url, () => BigInt(Math.floor(clock()))),
  };
  await sleep(1_000);
});
afterAll(async () => {
  await server?.stop();
  await market?.stop();
  await local?.stop();
});

async function judged(side: Side = 'buy') {
  const share = sources.assets.find(({ symbol }) => symbol === 'ACMEX');
  if (share === undefined) throw new Error('no share');
  const { verdict, reason, findings } = judgeProposal(await propose(sources, share, side, { usdWad: 1_000n * WAD }));
  const wrong = findings.filter(({ outcome }) => outcome !== 'pass').map((finding) => finding.reason);
  return { verdict, reason, wrong };
}
const play = (line: string) => market.play(parseScene(line.split(' ')));
const go = { verdict: 'GO', reason: undefined, wrong: [] };

it.each(['buy', 'sell'] as const)('in calm it is GO to %s', async (side) => {
  expect(await judged(side)).toEqual(go);
});

it('while its exchange is closed it is not, nor when that is not known', async () => {
  session = { state: 'closed' };
  expect(await judged()).toEqual({ verdict: 'NO_GO', reason: 'session_closed', wrong: ['session_closed'] });
  session = undefined;
  expect(await judged()).toMatchObject({ verdict: 'NO_DATA', reason: 'session_missing' });
  session = hoursLong;
});

it('halted, it is NO_GO, and cannot be traded either', async () => {
  await play('halt ACMEX');
  expect(await judged()).toMatchObject({
    verdict: 'NO_GO',
    reason: 'trading_halted',
    wrong: expect.arrayContaining(['quote_missing']),
  });
  await play('calm');
  expect(await judged()).toEqual(go);
});

it('split, it is NO_GO because it stands for twice as much, and priced as it was', async () => {
  await play('split ACMEX');
  const { verdict, reason, wrong } = await judged();
  expect([verdict, reason]).toEqual(['NO_GO', 'multiplier_changed']);
  expect(wrong).not.toContain('premium_high');
  expect(wrong).not.toContain('references_disagree');
  await play('calm');
  expect(await judged()).toEqual(go);
});

it('split and not paid out, it costs twice what it stands for', async () => {
  await play('split-unpaid ACMEX');
  const { verdict, reason, wrong } = await judged();
  expect(verdict).toBe('NO_GO');
  expect(['price_jumped', 'references_disagree']).toContain(reason);
  expect(wrong).toEqual(expect.arrayContaining(['references_disagree', 'premium_high']));
  expect(wrong).not.toContain('multiplier_changed');
  await play('calm');
  expect(await judged()).toEqual(go);
});

it('whose pool is as new as can be has no mean, and calm gives it back', async () => {
  await play('new-pool ACMEX');
  expect(await judged()).toMatchObject({ verdict: 'NO_DATA', reason: 'twap_missing' });
  await play('calm');
  expect(await judged()).toEqual(go);
});
