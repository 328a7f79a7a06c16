import { type Asset, isTraded, type TradedAsset } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';
import { WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { timers } from '@bowline/http/clock';
import { type Address, concat, type Hex, isAddress, parseAbi, parseEther, toHex, zeroAddress } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { feedAbi, poolAbi, positionManagerAbi, quoterAbi, routerAbi } from '../../../lab/world/abis.ts';
import { feeds, venus as onBsc, pancake, tokens, venusFeeds } from '../../../lab/world/addresses.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../lab/world/fork.ts';
import { setAnswer, setPrice } from '../../../lab/world/oracle.ts';
import { poolAddress } from '../../../lab/world/pancake.ts';
import { alice, approve, give } from '../../../test/local/accounts.ts';
import book from '../../core/registry/bsc.json' with { type: 'json' };
import { connectChain } from '../chain-client.ts';
import { sqrtPriceX96AtTick } from '../market-facts.ts';
import { createMarketReader } from '../market-reader.ts';
import type { MarketReader } from '../readers.ts';
import { createPool } from './pools.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

let local: LocalChain;
let proxy: RpcProxy;
let chain: Chain;
let reader: MarketReader;
let clean: Hex;
beforeAll(async () => {
  local = await startLocalChain();
  proxy = await startRpcProxy(local.url);
  chain = connect(local.url);
  reader = createMarketReader(
    connectChain(proxy.url, true),
    book as unknown as Pick<AddressBook, 'venus' | 'secondFeeds' | 'pancake'>,
    timers,
  );
});
afterAll(async () => {
  await proxy?.stop();
  await local?.stop();
});
beforeEach(async () => {
  clean = await chain.snapshot();
  proxy.fate = () => 'answered';
});
afterEach(() => chain.revert({ id: clean }));

const assets = readAssetRegistry(localChainId, isAddress).filter(isTraded);
const venus = book.venus as AddressBook['venus'];
const { timelock } = onBsc;
function assetOf(symbol: string): TradedAsset {
  const found = assets.find((asset) => asset.symbol === symbol);
  if (found === undefined) throw new Error(`no ${symbol}`);
  return found;
}

/** The asset's main pool. */
const poolOf = ({ address, pool }: TradedAsset) =>
  poolAddress(address, assetOf(pool.quote).address, pool.feeMillionths ?? 0);

function factsOf(symbol: string, side: Side = 'buy', usd = '1000') {
  const asset = assetOf(symbol);
  return reader.facts(asset, assetOf(asset.pool.quote), side, { usdWad: parseEther(usd) });
}

/** A swap by alice in the asset's own pool. */
async function swap(from: 'USDT' | 'ETH', to: 'USDT' | 'ETH', amount: string) {
  const amountIn = await give(chain, alice, from, amount);
  await approve(chain, alice, from, pancake.router, amountIn);
  const rest = { recipient: alice, deadline: 2n ** 64n, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n, fee: 500 };
  const args = [{ tokenIn: tokens[from], tokenOut: tokens[to], amountIn, ...rest }] as const;
  await chain.send(alice, pancake.router, { abi: routerAbi, functionName: 'exactInputSingle', args });
}

describe('facts', () => {
  it.each([
    ['BTCB', 'buy', 100_000n],
    ['BTCB', 'sell', 100_000n],
    ['ETH', 'buy', 4_000n],
    ['ETH', 'sell', 4_000n],
    ['WBNB', 'buy', 800n],
    ['USDC', 'sell', 1n],
    ['USDT', 'buy', 1n],
  ] as const)('of %s, to %s, are what each source says itself', async (symbol, side, usd) => {
    const asset = assetOf(symbol);
    const quoteAsset = assetOf(asset.pool.quote);
    const facts = await factsOf(symbol, side);
    const block = await chain.getBlock();
    const { number, timestamp, parentHash } = block;
    expect(facts.block).toEqual({ number, timestamp, parentHash });

    const round = async ({ feed }: Pick<Asset, 'feed'>) =>
      (await chain.readContract({ address: feed, abi: feedAbi, functionName: 'latestRoundData' }))[3];
    const answered = { feed: asset.feed, usdWad: usd * WAD, updatedAt: await round(asset) };
    expect(facts.chainlink).toEqual({ source: 'chainlink', ...answered });
    // GD-14: Venus reads another feed of the same operator. It counts as the asset's own, with the other feed's age.
    const other = await round({ feed: venusFeeds.chainlink[symbol] });
    expect(facts.venus).toEqual({ source: 'venus', ...answered, updatedAt: other });
    const quoteAnswered = { feed: quoteAsset.feed, usdWad: WAD, updatedAt: await round(quoteAsset) };
    expect(facts.quoteToken).toEqual({ source: 'chainlink', ...quoteAnswered });
    // The pools start at the feeds' prices, truncated to 96 fractional bits; a mean is truncated to a tick, 1/10,000.
    expect(relative(facts.spotWad, usd * WAD)).toBeLessThan(1e-15);
    expect(relative(facts.twapWad, usd * WAD)).toBeLessThan(1.01e-4);

    const [paid, received] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
    const amountIn = side === 'buy' ? parseEther('1000') : (1000n * WAD) / usd;
    const order = { tokenIn: paid.address, tokenOut: received.address, fee: asset.pool.feeMillionths ?? 0, amountIn };
    const { result } = await chain.simulateContract({
      address: pancake.quoter,
      abi: quoterAbi,
      functionName: 'quoteExactInputSingle',
      args: [{ ...order, sqrtPriceLimitX96: 0n }],
    });
    const ends = { tokenIn: paid.address, tokenOut: received.address };
    expect(facts.quote).toEqual({ side, ...ends, amountIn, amountOut: result[0] });
    expect(facts.play).toMatchObject({ received: result[0] });
  });

  it.each([
    ['buy', { paid: 123_456_789n }, 123_456_789n],
    ['sell', { paid: 123_456_789n }, 123_456_789n],
    ['sell', { asset: 5n * 10n ** 16n }, 5n * 10n ** 16n],
    // The worth of 0.05 BTCB in USDT at the prices below, rounded up to the unit.
    ['buy', { asset: 5n * 10n ** 16n }, (5n * 10n ** 16n * 9_999_999_999_999n) / 100_000_001n + 1n],
  ] as const)('are of the very size: %s %o', async (side, size, amountIn) => {
    await setPrice(chain, alice, 'BTCB', 9_999_999_999_999n);
    await setPrice(chain, alice, 'USDT', 100_000_001n);
    const { quote } = await reader.facts(assetOf('BTCB'), assetOf('USDT'), side, size);
    expect(quote).toMatchObject({ side, amountIn });
  });

  // GD-14
  describe('of Venus', () => {
    beforeEach(async () => {
      await chain.impersonateAccount({ address: timelock });
      await chain.setBalance({ address: timelock, value: parseEther('1') });
    });
    const configure = (oracle: Address, config: object) =>
      chain.send(timelock, oracle, { abi: configAbi(oracle), functionName: 'setTokenConfig', args: [config] } as never);
    const main = (oracle: Address, enabled = true) =>
      configure(venus.resilientOracle, {
        asset: tokens.BTCB,
        oracles: [oracle, zeroAddress, zeroAddress],
        enableFlagsForOracles: [enabled, false, false],
        cachingEnabled: false,
      });

    const reads = (feed: Address) =>
      configure(venus.chainlinkOracle, { asset: tokens.BTCB, feed, maxStalePeriod: 10n ** 9n });
    const oev = venusFeeds.chainlink.BTCB;

    it('name the asset’s own feed for every feed of its operator, with the age of the one that is read', async () => {
      await chain.increaseTime({ seconds: 7 });
      await setAnswer(chain, alice, oev, 100_200n * 10n ** 8n);
      const { timestamp } = await chain.getBlock();
      const ofFeed = { source: 'venus', feed: feeds.BTCB, usdWad: 100_200n * WAD, updatedAt: timestamp };
      const { chainlink, venus: relayed } = await factsOf('BTCB');
      expect(relayed).toEqual(ofFeed);
      expect(chainlink).toMatchObject({ feed: feeds.BTCB, usdWad: 100_000n * WAD });
      expect(chainlink?.updatedAt).toBeLessThan(timestamp);
      await reads(feeds.BTCB);
      expect((await factsOf('BTCB')).venus).toEqual({ ...chainlink, source: 'venus' });
    });

    it('name no feed whose operator is not listed', async () => {
      const unlisted = '0x00000000000000000000000000000000000000f4';
      await chain.setCode({ address: unlisted, bytecode: await chain.getCode({ address: oev }) } as never);
      for (const index of [0, 3]) {
        const value = await chain.getStorageAt({ address: oev, slot: toHex(index) });
        await chain.setStorageAt({ address: unlisted, index, value: value as Hex });
      }
      await setAnswer(chain, alice, unlisted, 100_100n * 10n ** 8n);
      await reads(unlisted);
      expect((await factsOf('BTCB')).venus).toEqual({ source: 'venus', usdWad: 100_100n * WAD });
    });

    it('name no feed where Venus takes its fallback’s price', async () => {
      await setAnswer(chain, alice, oev, 98_000n * 10n ** 8n);
      await setAnswer(chain, alice, venusFeeds.atlas.BTCB, 100_300n * 10n ** 8n);
      expect((await factsOf('BTCB')).venus).toEqual({ source: 'venus', usdWad: 100_300n * WAD });
    });

    it('are none where its sources are apart', async () => {
      await setAnswer(chain, alice, oev, 98_000n * 10n ** 8n);
      await setAnswer(chain, alice, venusFeeds.atlas.BTCB, 95_000n * 10n ** 8n);
      expect('venus' in (await factsOf('BTCB'))).toBe(false);
    });

    it('name no feed where its main oracle is another, whatever ChainlinkOracle has of the asset', async () => {
      const other = '0x00000000000000000000000000000000000000F0';
      await chain.setCode({ address: other, bytecode: answering([100_000n * WAD]) });
      await main(other);
      expect((await factsOf('BTCB')).venus).toEqual({ source: 'venus', usdWad: 100_000n * WAD });
    });

    it('are none where its main oracle is switched off', async () => {
      await main(venus.chainlinkOracle, false);
      expect('venus' in (await factsOf('BTCB'))).toBe(false);
    });
  });

  // GD-9
  it('are read in one request, of one block; the first question about what is paid makes one more', async () => {
    const fresh = createMarketReader(connectChain(proxy.url, true), book as unknown as AddressBook, timers);
    const ask = (side: Side) => fresh.facts(assetOf('BTCB'), assetOf('USDT'), side, { usdWad: WAD });
    for (const [side, requests] of [
      ['buy', 2],
      ['buy', 1],
      ['sell', 2],
      ['buy', 1],
      ['sell', 1],
    ] as const) {
      proxy.methods.length = 0;
      proxy.requests = 0;
      await ask(side);
      expect(proxy.requests).toBe(requests);
      expect(proxy.methods).toEqual(['eth_call', 'eth_call', 'eth_getBlockByNumber'].slice(2 - requests));
    }
  });

  // GD-9
  it('find out no more where nothing says how much is paid', async () => {
    const fresh = createMarketReader(connectChain(proxy.url, true), book as unknown as AddressBook, timers);
    await chain.setCode({ address: feeds.BTCB, bytecode: '0x5f5ffd' });
    for (const requests of [2, 1, 1]) {
      proxy.requests = 0;
      const facts = await fresh.facts(assetOf('BTCB'), assetOf('USDT'), 'sell', { usdWad: WAD });
      expect('play' in facts).toBe(false);
      expect(proxy.requests).toBe(requests);
    }
  });

  it('show a pool that was pushed beside its unmoved mean, whichever side of it the asset is', async () => {
    for (const [from, to] of [
      ['ETH', 'USDT'],
      ['USDT', 'ETH'],
    ] as const) {
      const before = await factsOf('ETH');
      await swap(from, to, from === 'ETH' ? '500' : '2000000');
      const after = await factsOf('ETH');
      // The only route is 10,000 ETH deep: 500 ETH in move the price by the square of 10,500/10,000, nearly a tenth.
      const moved = Number(after.spotWad) / Number(before.spotWad);
      if (from === 'ETH') expect(moved).toBeLessThan(0.92);
      else expect(moved).toBeGreaterThan(1.08);
      expect(relative(after.twapWad, before.twapWad ?? 0n)).toBeLessThan(0.005);
      await chain.revert({ id: clean });
      clean = await chain.snapshot();
    }
  });

  it('size the swap by the price of what is paid, rounded down', async () => {
    await setPrice(chain, alice, 'USDT', 99_000_000n);
    const { quote } = await factsOf('BTCB', 'buy', '1000');
    expect(quote?.amountIn).toBe((1000n * WAD * 100n) / 99n);
    await setPrice(chain, alice, 'BTCB', 70_000_00000000n);
    expect((await factsOf('BTCB', 'sell', '1000')).quote?.amountIn).toBe((1000n * WAD) / 70_000n);
  });

  it('tell what the feed said one round before, an hour ago and two hours ago', async () => {
    const usd = (price: bigint) => price * WAD;
    const { block, chainlinkPast = [] } = await factsOf('BTCB');
    expect(chainlinkPast.map(({ usdWad }) => usdWad)).toEqual([usd(100_000n), usd(100_000n)]);
    for (const [at, { updatedAt }] of chainlinkPast.entries()) {
      expect(block.timestamp - updatedAt).toBeGreaterThanOrEqual(3_600n * BigInt(at + 1));
    }
    await setPrice(chain, alice, 'BTCB', 99_000_00000000n);
    expect(await factsOf('BTCB')).toMatchObject({ chainlinkBeforeWad: usd(100_000n), chainlinkPast });
    await chain.increaseTime({ seconds: 3_600 });
    await setPrice(chain, alice, 'BTCB', 98_000_00000000n);
    const after = await factsOf('BTCB');
    expect(after.chainlinkPast?.map(({ usdWad }) => usdWad)).toEqual([usd(99_000n), usd(100_000n)]);
  });

  it('tell the time at which the feed answered, however long ago', async () => {
    const args = [7n, 100_000_00000000n, 1_000_000n, 999_999n] as const;
    const abi = [
      {
        type: 'function',
        name: 'updateRoundData',
        stateMutability: 'nonpayable',
        inputs: ['uint80', 'int256', 'uint256', 'uint256'].map((type) => ({ type })),
        outputs: [],
      },
    ] as const;
    await chain.send(alice, feeds.BTCB, { abi, functionName: 'updateRoundData', args } as never);
    expect((await factsOf('BTCB')).chainlink).toMatchObject({ updatedAt: 1_000_000n });
  });

  it('leave out what a source does not answer, and only that', async () => {
    await setPrice(chain, alice, 'BTCB', 0n);
    // Venus's oracles refuse a price of zero, too.
    const { chainlink, venus, quoteToken, spotWad, twapWad, quote } = await factsOf('BTCB', 'buy');
    expect({ chainlink, venus }).toEqual({ chainlink: undefined, venus: undefined });
    for (const fact of [quoteToken, spotWad, twapWad, quote]) expect(fact).toBeDefined();
    // Nothing says how much BTCB a thousand dollars are.
    expect('quote' in (await factsOf('BTCB', 'sell'))).toBe(false);
  });

  it('leave out the feed that reverts', async () => {
    await chain.setCode({ address: feeds.USDT, bytecode: '0x5f5ffd' });
    const facts = await factsOf('BTCB', 'buy');
    expect(facts.chainlink).toBeDefined();
    expect('quoteToken' in facts || 'quote' in facts).toBe(false);
  });

  it.each([
    ['uses up all gas', '0xfe'],
    ['goes round and round', '0x5b5f56'],
    // Returns 400,000 zero bytes.
    ['floods', '0x62061a805ff3'],
    ['answers one word', '0x602a5f5260205ff3'],
    ['answers nothing', '0x00'],
  ] as const)('leave out each source that %s, and only that', async (_, bytecode) => {
    const asset = assetOf('BTCB');
    const { feed } = asset;
    const { resilientOracle, chainlinkOracle, redStoneOracle, binanceOracle } = venus;
    const oracles = [resilientOracle, chainlinkOracle, redStoneOracle, binanceOracle];
    const sources = [feed, ...oracles, feeds.USDT, poolOf(asset)];
    for (const address of sources) await chain.setCode({ address, bytecode });
    const facts = await reader.facts(asset, assetOf('USDT'), 'buy', { paid: WAD });
    const ofTrade = ['play', 'quote', 'route', 'spotWad', 'twapWad'];
    const ofOracles = ['venus', 'binanceOracle', 'quoteBinanceOracle'].filter((name) => name in facts);
    const left = ['block', 'finalBlock', 'twapSeconds', ...ofOracles];
    expect(Object.keys(facts).toSorted()).toEqual([...left, ...ofTrade].toSorted());
    // An oracle that answers one word gives that word as its price, without a time.
    for (const said of [facts.venus, facts.binanceOracle, facts.quoteBinanceOracle])
      expect(said ?? { usdWad: 42n }).toEqual({
        ...(said && { source: (said as { source: string }).source }),
        usdWad: 42n,
      });
    // The pool loses only its own route.
    expect(facts.route?.map(({ tokenOut }) => tokenOut)).toEqual([tokens.WBNB, tokens.BTCB]);

    await chain.setCode({ address: pancake.quoter, bytecode });
    const less = await reader.facts(asset, assetOf('USDT'), 'buy', { paid: WAD });
    expect(Object.keys(less).toSorted()).toEqual(left.toSorted());
  });

  it('have no mean where no pool remembers that long', async () => {
    const asset = { ...assetOf('BTCB'), address: tokens.XVS };
    const ask = () => reader.facts(asset, assetOf('USDT'), 'buy', { usdWad: parseEther('10') });
    expect('route' in (await ask())).toBe(false);
    await createPool(chain, { base: 'XVS', quote: 'USDT', fee: 500, price: 10, depth: '1000' });
    const facts = await ask();
    expect(facts.spotWad).toBeDefined();
    expect('twapWad' in facts || 'liquidity' in facts).toBe(false);
    await chain.increaseTime({ seconds: 700 });
    await chain.mine({ blocks: 1 });
    // The pool now has a mean over ten minutes, but no liquidity for the ten before.
    const later = await ask();
    expect(relative(later.twapWad, later.spotWad ?? 0n)).toBeLessThan(1.01e-4);
    expect('liquidity' in later).toBe(false);
  });

  it('are chain_unavailable when the node is gone, whichever answer it owes', async () => {
    const unavailable = { code: 'chain_unavailable', retryable: true, message: 'The chain does not answer.' };
    for (const method of ['eth_call', 'eth_getBlockByNumber']) {
      proxy.fate = (each) => (each === method ? 'lost' : 'answered');
      await expect(factsOf('BTCB')).rejects.toMatchObject(unavailable);
    }
    // Loses only the lookup of the token's balance storage, with its two retries; then only the facts.
    for (const isLost of [(call: number) => call <= 3, (call: number) => call > 1]) {
      let calls = 0;
      proxy.fate = (method) => (method === 'eth_call' && isLost(++calls) ? 'lost' : 'answered');
      const fresh = createMarketReader(connectChain(proxy.url, true), book as unknown as AddressBook, timers);
      const asked = fresh.facts(assetOf('BTCB'), assetOf('USDT'), 'buy', { usdWad: WAD });
      await expect(asked).rejects.toMatchObject(unavailable);
    }
  });

  it('are chain_unavailable from a node that takes no batches, or supposes nothing', async () => {
    const unavailable = { code: 'chain_unavailable', retryable: true, message: 'The chain does not answer.' };
    proxy.fate = () => 'batch_refused';
    await expect(factsOf('BTCB')).rejects.toMatchObject(unavailable);
    // One of two answers is missing, and the other could be mistaken for it.
    proxy.fate = (method) => (method === 'eth_call' ? 'left_out' : 'answered');
    await expect(factsOf('BTCB')).rejects.toMatchObject(unavailable);
    // The node ignores the third parameter of eth_call: the state overrides.
    proxy.fate = () => 'nothing_supposed';
    await expect(factsOf('BTCB')).rejects.toMatchObject(unavailable);
  });

  it('are each question’s own, however many are asked at once', async () => {
    const asked = ['BTCB', 'ETH', 'WBNB', 'USDC'].flatMap((symbol) =>
      (['buy', 'sell'] as const).flatMap((side) => ['10', '2000'].map((usd) => [symbol, side, usd] as const)),
    );
    const alone = [];
    for (const question of asked) alone.push(await factsOf(...question));
    proxy.requests = 0;
    expect(await Promise.all(asked.map((question) => factsOf(...question)))).toEqual(alone);
    // Sixteen questions of two calls each, at most eight calls per request.
    expect(proxy.requests).toBeLessThan(16);
  });

  it('are each question’s own, or none, where answers of their batch come without their number, or not at all', async () => {
    const symbols = ['BTCB', 'ETH'];
    const own = await Promise.all(symbols.map((symbol) => factsOf(symbol)));
    let answered = 0;
    for (const fate of ['refused_unnumbered', 'left_out'] as const) {
      // Every subset of the four calls.
      for (let set = 1; set < 16; set++) {
        let calls = 0;
        proxy.fate = () => ((set >> calls++) & 1 ? fate : 'answered');
        const told = await Promise.allSettled(symbols.map((symbol) => factsOf(symbol)));
        for (const [of, each] of told.entries()) {
          if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'chain_unavailable' });
          else expect({ finalBlock: own[of]?.finalBlock, ...each.value }).toEqual(own[of]);
          if (each.status === 'fulfilled') answered += 1;
        }
        expect(calls).toBeGreaterThanOrEqual(4);
      }
    }
    expect(answered).toBeGreaterThan(0);
  });

  // GD-9
  it('are asked for in the name of nobody, another each time', async () => {
    const asked: { from: Address; to: Address }[] = [];
    proxy.fate = (method, body) => {
      const calls: { method: string; params: (typeof asked)[number][] }[] = [JSON.parse(body)].flat();
      if (method === 'eth_call')
        for (const call of calls) if (call.method === method) asked.push(...call.params.slice(0, 1));
      return 'answered';
    };
    for (const _ of [1, 2]) await factsOf('ETH', 'sell');
    expect(asked.length).toBeGreaterThanOrEqual(2);
    expect(new Set(asked.flatMap(({ from, to }) => [from, to])).size).toBe(2 * asked.length);
  });

  it('do without the final block where the node knows of none', async () => {
    const asked = await factsOf('BTCB');
    expect(asked.finalBlock).toBe((await chain.getBlock({ blockTag: 'finalized' })).number);
    const { finalBlock: _, ...rest } = asked;
    for (const fate of ['refused', 'left_out'] as const) {
      proxy.fate = (method) => (method === 'eth_getBlockByNumber' ? fate : 'answered');
      expect(await factsOf('BTCB')).toEqual(rest);
    }
  });

  it('take no final block that is ahead of their own', async () => {
    const { number } = await chain.getBlock();
    for (const [final, finalBlock] of [
      [number, number],
      [number + 1n, undefined],
    ] as const) {
      const client = connectChain(proxy.url, true);
      const request = async (question: { method: string }) =>
        question.method === 'eth_getBlockByNumber' ? { number: toHex(final) } : client.request(question as never);
      const ahead = createMarketReader({ ...client, request } as typeof client, book as unknown as AddressBook, timers);
      const facts = await ahead.facts(assetOf('BTCB'), assetOf('USDT'), 'buy', { usdWad: WAD });
      expect([facts.block.number, facts.finalBlock]).toEqual([number, finalBlock]);
    }
  });
});

describe('sqrtPriceX96AtTick', () => {
  // The pool computes the tick of a price; a price one lower belongs to the tick below. Every bit of a tick occurs, and
  // the last two ticks show how a root was rounded.
  it.each([1, -1, 2, 4, 23, 1_023, -16_384, 115_129, -115_129, 222_222, -262_144, 524_287, -800_001, 226_078, 334_781])(
    'is where a pool puts tick %i',
    async (tick) => {
      const sqrtPriceX96 = sqrtPriceX96AtTick(tick);
      expect(await tickOf(sqrtPriceX96)).toBe(tick);
      expect(await tickOf(sqrtPriceX96 - 1n)).toBe(tick - 1);
    },
  );

  async function tickOf(sqrtPriceX96: bigint): Promise<number> {
    const id = await chain.snapshot();
    const [token0, token1] = sorted(tokens.XVS, tokens.USDT);
    await chain.send(alice, pancake.positionManager, {
      abi: positionManagerAbi,
      functionName: 'createAndInitializePoolIfNecessary',
      args: [token0, token1, 500, sqrtPriceX96],
    });
    const address = poolAddress(token0, token1, 500);
    const [, tick] = await chain.readContract({ address, abi: poolAbi, functionName: 'slot0' });
    await chain.revert({ id });
    return tick;
  }
});

const configAbi = (oracle: Address) =>
  parseAbi([
    oracle === venus.chainlinkOracle
      ? 'function setTokenConfig((address asset, address feed, uint256 maxStalePeriod) config)'
      : 'function setTokenConfig((address asset, address[3] oracles, bool[3] enableFlagsForOracles, bool cachingEnabled) config)',
  ]);

/** Code that answers every call with these words. */
const answering = (words: readonly bigint[]): Hex =>
  concat([
    ...words.flatMap((word, at): Hex[] => [
      '0x7f',
      toHex(word, { size: 32 }),
      '0x60',
      toHex(at * 32, { size: 1 }),
      '0x52',
    ]),
    ...(['0x61', toHex(words.length * 32, { size: 2 }), '0x5ff3'] as const),
  ]);

const sorted = <Token extends string>(a: Token, b: Token): [Token, Token] => (BigInt(a) < BigInt(b) ? [a, b] : [b, a]);

const relative = (value: bigint | undefined, expected: bigint): number =>
  Math.abs(Number((value ?? 0n) - expected)) / Number(expected);
