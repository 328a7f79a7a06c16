import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedAbi, oracleAbi, poolAbi } from '../../lab/world/abis.ts';
import { feeds, pancake, tokens, type VenusAsset, venusFeeds } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { maker } from '../../lab/world/market/maker.ts';
import { type Market, startMarket } from '../../lab/world/market/market.ts';
import { type Asset, assets, createPath, type Path } from '../../lab/world/market/path.ts';
import { poolAddress } from '../../lab/world/pancake.ts';

// A market on its own chain. The tests build on each other, as scenes do.

let ahead = 0;
const clock = () => Date.now() / 1000 + ahead;
const troubles: string[] = [];

let local: LocalChain;
let chain: Chain;
let path: Path;
let market: Market;
beforeAll(async () => {
  local = await startLocalChain({ blockSeconds: 0.2 });
  chain = connect(local.url);
  path = createPath(3, clock());
  const report = (trouble: string) => void troubles.push(trouble);
  market = await startMarket({ rpcUrl: local.url, path, clock, tickSeconds: 0.25, report });
});
afterAll(async () => {
  await market?.stop();
  await local?.stop();
});

async function feed(asset: Asset) {
  const call = { address: feeds[asset], abi: feedAbi, functionName: 'latestRoundData' } as const;
  const [roundId, answer, , updatedAt] = await chain.readContract(call);
  return { roundId, usd: Number(answer) / 1e8, age: Date.now() / 1000 - Number(updatedAt) };
}

/** The pool's marginal price of a whole asset, in USDT. */
async function poolPrice(asset: Exclude<Asset, 'USDT'>): Promise<number> {
  const address = poolAddress(tokens[asset], tokens.USDT, asset === 'USDC' ? 100 : 500);
  const [root] = await chain.readContract({ address, abi: poolAbi, functionName: 'slot0' });
  const price = (Number(root) / 2 ** 96) ** 2;
  return tokens[asset].toLowerCase() < tokens.USDT.toLowerCase() ? price : 1 / price;
}

/** What Venus says an asset is worth, and what its own Chainlink feed and its fallback say. USD. */
async function lending(asset: VenusAsset) {
  const address = '0x6592b5DE802159F3E74B2486b091D11a8256ab8A';
  const price = await chain.readContract({ address, abi: oracleAbi, functionName: 'getPrice', args: [tokens[asset]] });
  const answer = async (address: Address) => {
    const [, usd, , updatedAt] = await chain.readContract({ address, abi: feedAbi, functionName: 'latestRoundData' });
    return { usd: Number(usd) / 1e8, age: Date.now() / 1000 - Number(updatedAt) };
  };
  const { chainlink, redStone, atlas } = venusFeeds;
  return {
    usd: Number(price / 10n ** 10n) / 1e8,
    chainlink: await answer(chainlink[asset]),
    redStone: await answer(redStone[asset]),
    atlas: await answer(atlas[asset]),
  };
}

const bps = (price: number, of: number) => Math.abs(price / of - 1) * 10_000;
const poolOffFeedBps = async (asset: Exclude<Asset, 'USDT'>) => {
  const [pool, base, quote] = await Promise.all([poolPrice(asset), feed(asset), feed('USDT')]);
  return bps(pool, base.usd / quote.usd);
};
const poolAssets = ['BTCB', 'ETH', 'WBNB', 'USDC'] as const;

/** Fails unless the condition becomes true within this many seconds. */
async function within(seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) expect.fail(`not within ${seconds} s`);
    await sleep(50);
  }
}

const nearPath = async (asset: Asset) => bps((await feed(asset)).usd, path.usd(asset, clock())) < 20;

describe('in calm', () => {
  it('feeds are fresh and at the path’s price, pools near the feeds', async () => {
    await sleep(1_500);
    for (const asset of assets) {
      expect(await nearPath(asset)).toBe(true);
      expect((await feed(asset)).age).toBeLessThan(60);
    }
    for (const asset of poolAssets) expect(await poolOffFeedBps(asset)).toBeLessThan(30);
    for (const asset of ['BTCB', 'ETH', 'WBNB', 'USDC', 'USDT'] as const) {
      const { usd, chainlink, redStone, atlas } = await lending(asset);
      expect(usd).toBe(chainlink.usd);
      for (const source of [chainlink, redStone, atlas]) {
        expect(bps(source.usd, path.usd(asset, clock()))).toBeLessThan(40);
        expect(source.age).toBeLessThan(60);
      }
    }
  });

  it('time that passes moves everything along', async () => {
    ahead += 7 * 86_400;
    const before = await feed('BTCB');
    expect(bps(path.usd('BTCB', clock()), before.usd)).toBeGreaterThan(50);
    await within(5, async () => (await nearPath('BTCB')) && (await poolOffFeedBps('BTCB')) < 30);
    expect(bps((await feed('BTCB')).usd, before.usd)).toBeGreaterThan(50);
    ahead -= 7 * 86_400;
    await within(5, async () => (await nearPath('BTCB')) && (await poolOffFeedBps('BTCB')) < 30);
  });

  it('a feed whose price stands answers after 45 s', async () => {
    const { roundId } = await feed('USDT');
    await sleep(600);
    expect((await feed('USDT')).roundId).toBe(roundId);
    ahead += 46;
    await within(3, async () => (await feed('USDT')).roundId > roundId);
    ahead -= 46;
  });
});

describe('stale-oracle', () => {
  it('makes the feed old at once and leaves it alone', async () => {
    const before = await feed('ETH');
    await market.play({ name: 'stale-oracle', asset: 'ETH' });
    const stale = await feed('ETH');
    expect(stale.age).toBeGreaterThan(3_600);
    expect(stale.usd).toBeCloseTo(before.usd, -1);
    // Both of Chainlink's feeds are silent. Venus refuses the old answer and takes its fallback's, which goes on.
    const { usd, chainlink, atlas } = await lending('ETH');
    expect(chainlink.age).toBeGreaterThan(3_600);
    expect(usd).toBe(atlas.usd);
    expect(atlas.age).toBeLessThan(60);
    ahead += 60;
    const { roundId } = await feed('BTCB');
    await within(3, async () => (await feed('BTCB')).roundId > roundId);
    ahead -= 60;
    expect((await feed('ETH')).roundId).toBe(stale.roundId);
  });

  it('ends with calm', async () => {
    await market.play({ name: 'calm' });
    expect((await feed('ETH')).age).toBeLessThan(5);
  });
});

describe('pool-manipulated', () => {
  it('pushes the pool and holds it there, and nothing else', async () => {
    const before = await feed('BTCB');
    await market.play({ name: 'pool-manipulated', asset: 'BTCB' });
    for (const _ of ['at once', 'later']) {
      expect(await poolOffFeedBps('BTCB')).toBeGreaterThan(450);
      expect(await poolOffFeedBps('BTCB')).toBeLessThan(550);
      await sleep(1_000);
    }
    expect(await poolOffFeedBps('ETH')).toBeLessThan(30);
    expect(bps((await feed('BTCB')).usd, before.usd)).toBeLessThan(20);
  });

  it('ends with calm, at once, and the pool’s mean has hardly noticed', async () => {
    const lines = await market.play({ name: 'calm' });
    expect(await poolOffFeedBps('BTCB')).toBeLessThan(30);
    expect(lines.join('\n')).toContain('GO again');
    expect(lines.join('\n')).not.toContain('ten-minute');
  });
});

describe('crash', () => {
  it('takes feed and pool down by its share, through a market whose trades revert', async () => {
    const { usd } = await feed('WBNB');
    const code = (await chain.getCode({ address: pancake.router })) ?? '0x';
    await chain.setCode({ address: pancake.router, bytecode: '0xfe' });
    await market.play({ name: 'crash', asset: 'WBNB', share: 0.15 });
    await within(15, async () => bps((await feed('WBNB')).usd, usd * 0.85) < 30);
    await within(5, async () => troubles.some((trouble) => trouble.includes('reverted')));
    expect(await poolOffFeedBps('WBNB')).toBeGreaterThan(1_000);

    await chain.setCode({ address: pancake.router, bytecode: code });
    await within(10, async () => (await poolOffFeedBps('WBNB')) < 30);
    expect(bps((await feed('BTCB')).usd, path.usd('BTCB', clock()))).toBeLessThan(20);
  });

  it('stays after calm, which says that the past remembers', async () => {
    const { usd } = await feed('WBNB');
    const lines = await market.play({ name: 'calm' });
    await sleep(1_000);
    expect(bps((await feed('WBNB')).usd, usd)).toBeLessThan(30);
    // The fall is more than WBNB may move in two hours, and less than it may move in a day.
    expect(lines).toEqual([
      'All scenes have ended: every feed answers, and the pools are back at the price.',
      'Crashes are not undone: the price of WBNB stays lower.',
      'No GO on sales of WBNB in the hour of its fall and the next: it has hardly ever moved this far (price_moving).',
    ]);
  });
});

describe('late-feed', () => {
  it('leaves Venus’s Chainlink feed behind the standard one, and Venus goes by its other sources', async () => {
    const { usd } = await lending('ETH');
    await market.play({ name: 'late-feed', asset: 'ETH' });
    await market.play({ name: 'crash', asset: 'ETH', share: 0.05 });
    await within(15, async () => bps((await feed('ETH')).usd, usd * 0.95) < 30);
    const late = await lending('ETH');
    expect(bps(late.chainlink.usd, usd)).toBeLessThan(20);
    expect(late.usd).toBe(late.atlas.usd);
    expect(bps(late.usd, usd * 0.95)).toBeLessThan(60);
    ahead += 90;
    await within(5, async () => bps((await lending('ETH')).chainlink.usd, usd * 0.95) < 60);
    ahead -= 90;
    await market.play({ name: 'calm' });
    await within(5, async () => (await lending('ETH')).usd === (await lending('ETH')).chainlink.usd);
  });
});

it('sends few transactions, and none once it has been stopped', async () => {
  const sent = () => chain.getTransactionCount({ address: maker });
  const before = await sent();
  await sleep(2_000);
  expect((await sent()) - before).toBeLessThan(10);
  await market.stop();
  const last = await sent();
  ahead += 86_400;
  await sleep(1_000);
  expect(await sent()).toBe(last);
});
