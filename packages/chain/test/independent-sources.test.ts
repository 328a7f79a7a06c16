import { tradedAsset } from '@bowline/core/domain/assets';
import { WAD } from '@bowline/core/domain/units';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { references } from '@bowline/core/verdict/references';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { timers } from '@bowline/http/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { neverNone } from '../../../agent/src/sources/never-none.ts';
import { propose, type Sources } from '../../../agent/src/sources/propose.ts';
import { venusFeeds } from '../../../lab/world/addresses.ts';
import { setAnswer } from '../../../lab/world/oracle.ts';
import { alice } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createMarketReader } from '../market-reader.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';

// AG-26, with Venus's feeds as they are on BNB Chain: Chainlink's, by proxies of their own.

let world: DeployedChain;
beforeAll(async () => {
  world = await startDeployedChain();
});
afterAll(() => world?.stop());

/** A purchase of BTCB, judged without exchange and Pyth. */
async function judged() {
  const { assets } = world.book;
  const sources: Sources = {
    assets,
    limitsOf: limitsOfAsset,
    chain: createMarketReader(connectChain(world.url, true), world.book, timers),
    clock: () => BigInt(Math.floor(Date.now() / 1000)),
    ...neverNone({}),
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
  ]);
});

test('and with the exchange and Pyth off, it is no GO', async () => {
  const { verdict, reason, findings } = await judged();
  expect({ verdict, reason }).toEqual({ verdict: 'NO_DATA', reason: 'reference_missing' });
  expect(findings.find(({ check }) => check === 'reference_quorum')?.detail).toMatch(
    /^Of BTCB Chainlink says [\d,.]+ USD, the exchange gives no price, Pyth gives no price: 1 of 3 count/,
  );
});
