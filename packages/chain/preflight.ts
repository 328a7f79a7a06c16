import type { Asset } from '@bowline/core/domain/assets';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Clock, Timers } from '@bowline/core/domain/time';
import { formatUnits } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { feedMaxAgeSeconds } from '@bowline/core/registry/asset-limits';
import { hexToBigInt } from 'viem';
import { ailmentOf, tell } from './ailments.ts';
import { chainlinkOracleAbi, feedAbi, oracleAbi, poolAbi } from './chain-abis.ts';
import { type ChainClient, lensGas, newestBlock, nobody } from './chain-client.ts';
import { entryPointCode } from './check-address-book.ts';
import { faultOf, nodeAnswer, refusalOf } from './errors.ts';
import { createBalanceStorage } from './market-lens.ts';

/** One thing that the agent needs of its node, or of the contracts of others. */
export interface Finding {
  /** lower_snake, with the asset where there is one per asset: `observe.BTCB`. */
  readonly check: string;
  readonly ok: boolean;
  /** Why not, in one word: `check` without an asset, or what is wrong with the node as such. Present unless ok. */
  readonly reason?: string;
  /** One short sentence or number. Holds no text of a third party. */
  readonly found: string;
  /** What will not work; present unless ok. */
  readonly without?: string;
  /** Present unless ok. */
  readonly remedy?: string;
}

export interface PreflightOptions {
  /** @param inBatches see connectChain. */
  connect(inBatches: boolean): ChainClient;
  readonly chainId: number;
  readonly clock: Clock;
  readonly timers: Pick<Timers, 'now'>;
}

interface Check {
  readonly check: string;
  readonly without: string;
  readonly remedy: string;
  /** Throws a Lack with what was found, or viem's error. */
  look(): Promise<string>;
}

class Lack extends Error {}

const noVerdict = 'No verdict is reached, so no run is made and no price is judged. Rescues work.';
/** Nodes are this far apart, and a request takes as long as a few blocks. Full nodes keep the state of 128. */
const PAST_BLOCKS = 8n;
/** Init code that reads the caller's balance and returns the block's number: `caller balance pop, number`. */
const READS_STATE = '0x3331504360005260206000f3';
const MAX_BLOCK_AGE_SECONDS = 60n;
/** Block times are whole seconds. */
const MAX_AHEAD_SECONDS = 2n;
const MAX_FINAL_LAG = 200n;
const MEMORY_SECONDS = [1_200, 600, 0] as const;

/** Runs all checks concurrently. Never rejects. */
const findingsOf = (checks: readonly Check[]): Promise<Finding[]> =>
  Promise.all(
    checks.map(async ({ check, look, without, remedy }) => {
      try {
        return { check, ok: true, found: await look() };
      } catch (error) {
        return { check, ok: false, reason: check.split('.')[0] ?? check, without, remedy, ...foundOf(error) };
      }
    }),
  );

function foundOf(error: unknown): Pick<Finding, 'found' | 'reason' | 'remedy'> {
  if (error instanceof Lack) return { found: error.message };
  const fault = faultOf(error);
  if (fault === 'contract') return { found: 'The contract does not answer.' };
  if (fault === 'ours') return { found: 'Not known: the answer is malformed, or Bowline is at fault.' };
  const said = ailmentOf(error);
  const { found, remedy } = tell(said, 'RPC_URL');
  const isOfMethod = said.ailment === 'answer_refused' || said.ailment === 'method_missing';
  return { found: `The node ${found}`, ...(!isOfMethod && { reason: said.ailment, remedy }) };
}

/** Whether the node itself is at fault, so that nothing more is asked of it. */
export const isNodeAtFault = ({ check, reason, ok }: Finding): boolean =>
  !ok && (check === 'chain_id' || reason !== check.split('.')[0]);

/** Whether the node serves the right chain, and its newest block is recent. */
const chainFindings = ({ connect, chainId, clock }: PreflightOptions): Promise<Finding[]> => {
  const client = connect(false);
  return findingsOf([
    {
      check: 'chain_id',
      without: 'Nothing works.',
      remedy: `Set RPC_URL to a node of chain ${chainId}, or CHAIN to the chain of this node.`,
      look: async () => {
        const found = await client.getChainId();
        if (found !== chainId) throw new Lack(`The node serves chain ${found}, not chain ${chainId}.`);
        return `${found}`;
      },
    },
    {
      check: 'block_age',
      without: 'Verdicts are NO_DATA, and rescues come as late as the blocks.',
      remedy: "Wait until the node has caught up, or use another one; check this machine's clock.",
      look: async () => {
        const { number, timestamp } = await newestBlock(client);
        const seconds = clock() - timestamp;
        const found = `Block ${number} is ${ageOf(seconds)}.`;
        if (seconds > MAX_BLOCK_AGE_SECONDS || seconds < -MAX_AHEAD_SECONDS) throw new Lack(found);
        const earlier = number > 64n ? number - 64n : 0n;
        const { timestamp: then } = await client.getBlock({ blockNumber: earlier });
        const spacing = number > earlier ? Number(timestamp - then) / Number(number - earlier) : 0;
        return `${found} Blocks come every ${spacing.toFixed(2)} s.`;
      },
    },
  ]);
};

/** What every verdict needs of the node. */
export const nodeFindings = ({ connect }: Pick<PreflightOptions, 'connect'>): Promise<Finding[]> => {
  const client = connect(false);
  return findingsOf([
    {
      check: 'state_override',
      without: noVerdict,
      remedy:
        'Use a node whose eth_call accepts state overrides: geth, Erigon and Reth do, and some providers offer them only on higher plans.',
      look: async () => {
        const to = nobody();
        // Returns 42.
        const { data } = await client.call({ to, stateOverride: [{ address: to, code: '0x602a5f5260205ff3' }] });
        if (data === undefined || BigInt(data) !== 42n) throw new Lack('The node ignores state overrides.');
        return 'The node accepts state overrides.';
      },
    },
    {
      check: 'call_gas',
      without: noVerdict,
      remedy: `Raise the gas that the node allows a call to ${lensGas} or more (geth: --rpc.gascap), or use another node.`,
      look: async () => {
        // Returns the gas that is left.
        const { data } = await client.call({ data: '0x5a5f5260205ff3', gas: lensGas });
        const gas = BigInt(data ?? '0x0');
        if (gas < (lensGas * 9n) / 10n) throw new Lack(`The node allows a call ${gas} gas.`);
        return `A call may use ${lensGas} gas.`;
      },
    },
    {
      check: 'batches',
      without: noVerdict,
      remedy: 'Use a node that accepts JSON-RPC batches of eight requests.',
      look: async () => {
        const batching = connect(true);
        const requests = [batching.getChainId(), batching.getGasPrice(), batching.getBlockNumber()] as const;
        await Promise.all(requests).catch(() => {
          throw new Lack('The node accepts no batch of requests.');
        });
        return 'The node accepts batches.';
      },
    },
    {
      check: 'finalized',
      without: 'Every verdict is NO_DATA (finality_missing), so no run is made. Rescues work.',
      remedy: 'Use a node that knows the block tag "finalized".',
      look: async () => {
        const [newest, final] = await Promise.all([
          newestBlock(client),
          client.request({ method: 'eth_getBlockByNumber', params: ['finalized', false] }),
        ]);
        if (!final?.number) throw new Lack('The node does not know the block tag "finalized".');
        const lag = newest.number - BigInt(final.number);
        if (lag > MAX_FINAL_LAG) throw new Lack(`The final block is ${lag} blocks behind the newest.`);
        return `The final block is ${lag < 0n ? 0n : lag} blocks behind the newest.`;
      },
    },
  ]);
};

/** What some of the work needs of the node. */
const otherNodeFindings = ({ connect, timers }: PreflightOptions, assets: readonly Asset[]): Promise<Finding[]> => {
  const client = connect(false);
  const storage = createBalanceStorage(client, timers);
  return findingsOf([
    {
      check: 'past_state',
      without: 'Several nodes cannot agree on a block, and price reads and npx bowline show fail now and then.',
      remedy: 'Use a node that keeps the state of 128 blocks, as geth does by default.',
      look: async () => {
        const { number } = await newestBlock(client);
        const blockNumber = number > PAST_BLOCKS ? number - PAST_BLOCKS : number;
        const { data } = await client.call({ account: nobody(), data: READS_STATE, blockNumber });
        if (data === undefined || hexToBigInt(data) !== blockNumber) {
          throw new Lack('The node answers a call at an older block with the state of another block.');
        }
        return `The node knows the state of ${number - blockNumber} blocks ago.`;
      },
    },
    ...assets.map(({ symbol, address }) => ({
      check: `balance_override.${symbol}`,
      without: `A verdict on paying with ${symbol} lacks the simulated swap.`,
      remedy: `packages/chain/market-lens.ts does not know the balance slot of ${symbol} (${address}): add it there.`,
      look: async () => {
        const overrides = await storage.plentyOf(address, nobody()).catch((error: unknown) => {
          if (nodeAnswer(error) !== undefined) throw error;
          throw new Lack('Not checked: the node must first accept state overrides and calls with that much gas.');
        });
        if (overrides.length === 0) throw new Lack('No override of its storage sets a balance.');
        return 'A balance can be overridden.';
      },
    })),
  ]);
};

/** The pools that the registry lists. Routes over other pools are taken only if those remember, too. */
const mainPools = (assets: readonly Asset[]) =>
  assets.flatMap(({ symbol, pool }) => (pool?.address === undefined ? [] : [{ symbol, address: pool.address }]));

/** Whether the pools remember the 20 minutes that a verdict looks back. */
export const poolFindings = ({ connect }: Pick<PreflightOptions, 'connect'>, assets: readonly Asset[]) => {
  const client = connect(false);
  return findingsOf(
    mainPools(assets).map(({ symbol, address }) => ({
      check: `observe.${symbol}`,
      without: `A price jump of ${symbol} is checked only against its feed, and routes through other pools come first.`,
      remedy: `Anyone can buy the pool more observations: npx bowline pool-memory ${symbol} (about 22,000 gas a slot, 1,300 slots). Then wait 20 minutes.`,
      look: async () => {
        const pool = { address, abi: poolAbi } as const;
        const [remembers, [, , , cardinality, bought]] = await Promise.all([
          client.readContract({ ...pool, functionName: 'observe', args: [MEMORY_SECONDS] }).then(
            () => true,
            (error: unknown) => {
              if (refusalOf(error) === undefined) throw error;
              return false;
            },
          ),
          client.readContract({ ...pool, functionName: 'slot0' }),
        ]);
        const has = `${cardinality} observation${cardinality === 1 ? '' : 's'}, with room for ${bought}`;
        if (!remembers) throw new Lack(`The pool remembers less than 20 minutes: it has ${has}.`);
        return `The pool remembers 20 minutes: it has ${has}.`;
      },
    })),
  );
};

/** Checks the assets' feeds, and what Venus reads. */
const feedFindings = (
  { connect }: PreflightOptions,
  { assets, venus, secondFeeds }: Pick<AddressBook, 'assets' | 'venus' | 'secondFeeds'>,
): Promise<Finding[]> => {
  const client = connect(false);
  const feeds = assets.map(({ symbol, feed }) => ({
    check: `feed.${symbol}`,
    without: `Plans with ${symbol} do not run: verdicts on it are NO_DATA, and the contract refuses its price.`,
    remedy: `Check on data.chain.link whether the feed ${feed} is still updated, and how often.`,
    look: async () => {
      const [{ timestamp }, [, answer, , updatedAt]] = await Promise.all([
        newestBlock(client),
        client.readContract({ address: feed, abi: feedAbi, functionName: 'latestRoundData' }),
      ]);
      const maxAgeSeconds = feedMaxAgeSeconds.get(symbol);
      const seconds = timestamp - updatedAt;
      const found = `The feed's answer is ${ageOf(seconds)}`;
      if (answer <= 0n) throw new Lack('The feed has no answer.');
      if (maxAgeSeconds === undefined) return `${found}.`;
      if (seconds > maxAgeSeconds) throw new Lack(`${found}; at most ${maxAgeSeconds} s are allowed.`);
      return `${found}, of at most ${maxAgeSeconds} s.`;
    },
  }));
  const ofVenus = assets
    .filter(({ symbol }) => feedMaxAgeSeconds.has(symbol))
    .map(({ symbol, address, feed, decimals }) => ({
      check: `venus.${symbol}`,
      without: `Loans with ${symbol} at Venus cannot be judged, and are neither rescued nor liquidated.`,
      remedy: "Check Venus's governance for a change of its oracle, and compare packages/core/registry/bsc.json.",
      look: async () => {
        const args = [address] as const;
        const oracle = { address: venus.resilientOracle, abi: oracleAbi } as const;
        const [price, [, read]] = await Promise.all([
          client.readContract({ ...oracle, functionName: 'getPrice', args }),
          client.readContract({
            address: venus.chainlinkOracle,
            abi: chainlinkOracleAbi,
            functionName: 'tokenConfigs',
            args,
          }),
        ]);
        if (price === 0n) throw new Lack('Venus has no price of it.');
        const second = secondFeeds[symbol];
        const isSame = sameAddress(read, feed) || (second !== undefined && sameAddress(read, second));
        const usd = Number(formatUnits(price, 36 - decimals)).toFixed(2);
        return `Venus says ${usd} USD, by ${isSame ? "the feed's operator" : `the feed ${read}, whose operator is not listed`}.`;
      },
    }));
  return findingsOf([...feeds, ...ofVenus]);
};

/** Whether the EntryPoint is the recorded one. An unrecorded one is reported but not compared. */
const entryPointFindings = ({ connect }: PreflightOptions, book: Pick<AddressBook, 'accountAbstraction'>) => {
  const client = connect(false);
  const { entryPoint } = book.accountAbstraction;
  return findingsOf([
    {
      check: 'entry_point',
      without: "The agent does not start: other code could let a stranger use up the wallet's operations.",
      remedy: `Compare the code at ${entryPoint} with EntryPoint 0.9 as its authors publish it, and packages/core/registry.`,
      look: async () => {
        const { hash, isRecorded } = await entryPointCode(client, book);
        if (isRecorded === false)
          throw new Lack(`The code of ${entryPoint} is not the recorded one: its hash is ${hash}.`);
        return isRecorded
          ? 'Its code is the recorded one.'
          : `Its code has the hash ${hash}: not compared, none is recorded.`;
      },
    },
  ]);
};

/**
 * Everything that the agent needs of a node and of the contracts of others. A node that does not answer, or serves
 * another chain, is asked no further. Never rejects.
 */
export async function preflight(
  options: PreflightOptions,
  book: Pick<AddressBook, 'assets' | 'venus' | 'secondFeeds' | 'accountAbstraction'>,
): Promise<Finding[]> {
  const found = await chainFindings(options);
  if (found.some(({ check, ok }) => check === 'chain_id' && !ok)) return found.slice(0, 1);
  // One after the other: a node that gets everything at once refuses some of it.
  for (const look of [
    () => nodeFindings(options),
    () => otherNodeFindings(options, book.assets),
    () => poolFindings(options, book.assets),
    () => feedFindings(options, book),
    () => entryPointFindings(options, book),
  ]) {
    if (found.some(isNodeAtFault)) break;
    found.push(...(await look()));
  }
  return found;
}

const ageOf = (seconds: bigint): string => (seconds < 0n ? `${-seconds} s in the future` : `${seconds} s old`);
