import { tradedAsset } from '@bowline/core/domain/assets';
import { WAD } from '@bowline/core/domain/units';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { references } from '@bowline/core/verdict/references';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { saying, sourcesOf } from '@bowline/core/verdict/sources';
import { timers } from '@bowline/http/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propose, type Sources } from '../../../agent/src/sources/propose.ts';
import { binanceFeeds, venusFeeds } from '../../../lab/world/addresses.ts';
import { setAnswer } from '../../../lab/world/oracle.ts';
import { alice } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createMarketReader } from '../market-reader.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';

// GD-14, with Venus's feeds as they are on BNB Chain: Chainlink feeds behind proxies of their own.

let world: DeployedChain;
beforeAll(async () => {
  world = await startDeployedChain();
});
afterAll(() => world?.stop());

/** A purchase of BTCB, judged without the exchange and Pyth. */
async function judged() {
  const { assets } = world.book;
  const sources: Sources = {
    assets,
    limitsOf: limitsOfAsset,
    chain: createMarketReader(connectChain(world.url, true), world.book, timers),
    clock: () => BigInt(Math.floor(Date.now() / 1000)),
  };
  const btcb = assets.find(({ symbol }) => symbol === 'BTCB');
  if (btcb === undefined) throw new Error('no BTCB');
  const proposal = await propose(sources, tradedAsset(btcb), 'buy', { usdWad: 1_000n * WAD });
  return { proposal, ...judgeProposal(proposal) };
}

test('Chainlink has one voice, however many proxies speak for it', async () => {
  await setAnswer(world.chain, alice, venusFeeds.chainlink.BTCB, 100_100n * 10n ** 8n);
  const { proposal } = await judged();
  expect(proposal.chain.venus?.usdWad).toBe(100_100n * WAD);
  expect(references(proposal).map(({ source, independent }) => [source, independent])).toEqual([
    ['chainlink', true],
    ['venus', false],
    ['redstone', true],
    ['binance_oracle', true],
  ]);
});

// GD-14
test('with the exchange and Pyth off, three operators on the chain decide, and each for the quote coin too', async () => {
  const { proposal, verdict } = await judged();
  expect(verdict).toBe('GO');
  expect(saying(sourcesOf(proposal))).toMatch(
    /^Chainlink says [\d,.]+ USD, Binance Oracle says [\d,.]+ USD, Pyth is not asked, RedStone says /,
  );
  const { quoteToken, quoteRedStone, quoteBinanceOracle, block } = proposal.chain;
  for (const price of [quoteToken, quoteRedStone, quoteBinanceOracle]) {
    expect(price).toMatchObject({ usdWad: WAD, updatedAt: expect.any(BigInt) });
    if (price !== undefined && price !== 'off') expect(block.timestamp - (price.updatedAt ?? 0n)).toBeLessThan(600n);
  }
});

test('one that says something else is outvoted, and worse for the trader it refuses', async () => {
  const { RedStone, Binance } = { RedStone: venusFeeds.redStone.BTCB, Binance: binanceFeeds.BTCB.address };
  await setAnswer(world.chain, alice, RedStone, 105_000n * 10n ** 8n);
  expect((await judged()).verdict).toBe('GO');
  await setAnswer(world.chain, alice, Binance, 98_000n * 10n ** 8n);
  expect((await judged()).verdict).toBe('NO_GO');
});
