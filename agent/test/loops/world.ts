import { connectChain } from '@bowline/chain/chain-client';
import { contractErrorName } from '@bowline/chain/contract-error';
import { refusalOf } from '@bowline/chain/errors';
import { createGuardReader } from '@bowline/chain/guard-reader';
import { createHealthReader } from '@bowline/chain/health-reader';
import { lensesOf } from '@bowline/chain/lending/lenses';
import { createMarketReader } from '@bowline/chain/market-reader';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { createPriceReader } from '@bowline/chain/price-reader';
import type { HealthReader, MarketReader, PriceReader } from '@bowline/chain/readers';
import { createBatchPreviewer } from '@bowline/chain/rescue-calls';
import { createSaleRouter } from '@bowline/chain/sale-routes';
import { createSourcePriceReader } from '@bowline/chain/source-price-reader';
import type { Asset } from '@bowline/core/domain/assets';
import type { Log } from '@bowline/core/domain/log';
import type { PythPrices } from '@bowline/core/domain/market-data';
import { BowlineError } from '@bowline/core/domain/result';
import type { Sender, Sent } from '@bowline/core/domain/sending';
import { WAD } from '@bowline/core/domain/units';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { clock, timers } from '@bowline/http/clock';
import { type Address, keccak256, stringToBytes, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { sendTransaction } from 'viem/actions';
import { routerAbi } from '../../../lab/world/abis.ts';
import { pancake, type TokenSymbol, tokens } from '../../../lab/world/addresses.ts';
import type { Chain } from '../../../lab/world/chain.ts';
import { localChainId } from '../../../lab/world/fork.ts';
import { treasurer } from '../../../lab/world/replica.ts';
import { createPlan, type DeployedChain, startDeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { alice, approve, balance, carol, give } from '../../../test/local/accounts.ts';
import type { ExecutorDeps } from '../../src/loops/executor/tick.ts';
import type { LoanGuardDeps } from '../../src/loops/loan-guard/tick.ts';
import { createCalls, keeperCalls } from '../../src/sending/calls.ts';
import { createSender, type SenderOptions } from '../../src/sending/eoa/sender.ts';
import type { NonceQueue } from '../../src/sending/nonce-queue.ts';
import { broadcastsEnded, sendingOn } from '../sending/sending.ts';

/** Operates the executor and calls LoanGuard. Anvil's second account, as script/Deploy.s.sol has it on a local chain. */
export const keeper = alice;
/** Owns the plans that the fixtures make. */
export const owner = carol;

export { createPlan, type DeployedChain, startDeployedChain };

export interface Logged {
  readonly event: string;
  readonly [field: string]: unknown;
}

export function keepLog(): Log & { readonly lines: Logged[] } {
  const lines: Logged[] = [];
  const line = (event: string, fields = {}) => void lines.push({ event, ...fields });
  return { lines, debug: line, info: line, warn: line, error: line };
}

/** The executor's dependencies in a newly started agent. */
export function executorDeps(world: DeployedChain, changes: Partial<ExecutorDeps> = {}) {
  const client = connectChain(world.url);
  const { book } = world;
  const reader = createPriceReader(client, book);
  const { prices, ...inTime } = inTheChainsTime(createMarketReader(client, book, timers), reader);
  return {
    reader: createPlanReader(client, book.own, book.assets),
    sources: {
      assets: book.assets,
      limitsOf: limitsOfAsset,
      pyth: agreeing(reader, book.assets),
      ...inTime,
    },
    prices,
    sourcePrices: createSourcePriceReader(client),
    calls: createCalls(book.own),
    previewer: createBatchPreviewer(client, keeper),
    sender: keeperSender(world),
    executor: book.own.swapExecutor,
    policy: {
      tokens: ['BTCB', 'ETH', 'USDT'],
      minimumRunUsdWad: 5n * WAD,
      minimumPeriodSeconds: 60n,
      gasPerOwnerPerDay: 100_000_000n,
    },
    priceSources: [book.own.chainlinkPriceSource, book.own.venusPriceSource],
    hash: (text) => keccak256(stringToBytes(text)),
    log: keepLog(),
    ...changes,
  } satisfies ExecutorDeps;
}

/** A second source, which always says what Chainlink says. */
const agreeing = (reader: PriceReader, assets: readonly Asset[]): PythPrices => ({
  async price(id) {
    const asset = assets.find(({ pythId }) => pythId === id);
    const { block, chainlink } = asset === undefined ? {} : await reader.price(asset, undefined);
    if (block === undefined || chainlink === undefined) throw new BowlineError('market_unavailable', 'No price.');
    return { source: 'pyth', usdWad: chainlink.usdWad, updatedAt: block.timestamp, confidenceWad: 0n };
  },
});

/** Tests move the chain ahead of the wall clock, so here it is always as late as the newest block. */
function inTheChainsTime(
  chain: MarketReader,
  prices: PriceReader,
): Pick<ExecutorDeps['sources'], 'chain' | 'clock'> & Pick<ExecutorDeps, 'prices'> {
  let now = 0n;
  return {
    clock: () => now,
    chain: {
      async facts(...question) {
        const facts = await chain.facts(...question);
        now = facts.block.timestamp;
        return facts;
      },
    },
    prices: {
      async price(...question) {
        const facts = await prices.price(...question);
        now = facts.block.timestamp;
        return facts;
      },
    },
  };
}

export function loanGuardDeps(world: DeployedChain, changes: Partial<LoanGuardDeps> = {}) {
  const { book, url } = world;
  const client = connectChain(url);
  return {
    reader: {
      ...createGuardReader(client, book, keeper),
      balances: createPlanReader(client, book.own, book.assets).balances,
    },
    loans: createHealthReader(client, lensesOf(client, book.lending)),
    assets: book.assets,
    prices: createPriceReader(client, book),
    serving: { maxTriggerHealthWad: 2n * WAD, minimumRepayUsdWad: 5n * WAD },
    calls: createCalls(book.own),
    previewer: createBatchPreviewer(client, keeper),
    router: createSaleRouter(client, book, keeper),
    sender: keeperSender(world),
    clock,
    log: keepLog(),
    ...changes,
  } satisfies LoanGuardDeps;
}

// Anvil's second account. The key is public.
const keeperKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

/** Bounds that let a keeper pay for whatever tests do. */
const gasBounds = {
  maxGasPriceWei: 5_000_000_000n,
  rescueMaxGasPriceWei: 20_000_000_000n,
  maxDayWei: 1_000n * WAD,
};

/** Reads every loan with `healths`, at a new block too. */
export const loansBy = (healths: HealthReader['healths']): HealthReader => ({
  healths,
  watch: async (guards, isWanted = () => true) => {
    const wanted = guards.filter(isWanted);
    return { guards: wanted, healths: await healths(wanted) };
  },
  changed: () => {},
  falling: () => new Map(),
});

let senders: NonceQueue[] = [];

/** Ends every sender of a test before its chain is set back, so that the next test mines none of its transactions. */
export async function endSenders(): Promise<void> {
  for (const sender of senders) sender.stop();
  senders = [];
  await broadcastsEnded();
}

/** The agent's own sender, until `endSenders`. */
export function keeperSender({ url, book }: DeployedChain, changes: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({
    ...sendingOn(connectChain(url), keepLog()),
    account: privateKeyToAccount(keeperKey),
    policy: { chainId: localChainId, calls: keeperCalls(book.own, gasBounds) },
    receiptSeconds: 10n,
    ...changes,
  });
  senders.push(sender);
  return sender;
}

/** Does what a second keeper, or a careless one, could do: no nonce cursor, whatever is in flight. Simulates the exact bytes, sends them from the unlocked keeper and waits for the block. */
export function unlockedSender(chain: Chain): Sender {
  // The node assigns the nonces, but not to calls that arrive at once.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    address: keeper,
    async send({ to, data, gas }): Promise<Sent> {
      try {
        await chain.call({ account: keeper, to, data, gas });
      } catch (error) {
        return { outcome: 'would_revert', error: refusalWord(error) };
      }
      const hash = await inTurn(() => sendTransaction(chain, { account: keeper, chain: null, to, data, gas }));
      const mined = await chain.receiptOf(hash);
      const { status, blockNumber: block, gasUsed, logs: events } = mined;
      if (status !== 'success') return { outcome: 'reverted', hash, block, gasUsed };
      return { outcome: 'confirmed', hash, block, gasUsed, events };
    },
  };
}

/** The name of the contract's error. Rethrows anything that is not a contract's refusal. */
export function refusalWord(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal === undefined) throw error;
  return contractErrorName(refusal.data);
}

/** Gives an owner whole tokens and lets the registry take them. */
export async function fund({ chain, book }: DeployedChain, holder: Address, symbol: TokenSymbol, amount: string) {
  const value = await give(chain, holder, symbol, amount);
  await approve(chain, holder, symbol, book.own.planRegistry, value);
}

/** Terms whose floor never blocks a run, for tests of the schedule alone. */
export const anyPrice = { priceSource: zeroAddress, limitPriceWad: 10n ** 24n, maxSlippageBps: 0, farLimit: true };

/** Trades as somebody else in the 0.05 % pool of two tokens; base units in and out. */
export async function trade(chain: Chain, from: TokenSymbol, to: TokenSymbol, amountIn: bigint): Promise<bigint> {
  const [tokenIn, tokenOut] = [tokens[from], tokens[to]];
  await approve(chain, treasurer, from, pancake.router, amountIn);
  const before = await balance(chain, treasurer, tokenOut);
  const [recipient, deadline] = [treasurer, 2n ** 40n];
  const order = { tokenIn, tokenOut, fee: 500, recipient, deadline, amountIn };
  const args = [{ ...order, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }] as const;
  await chain.send(treasurer, pancake.router, { abi: routerAbi, functionName: 'exactInputSingle', args });
  return (await balance(chain, treasurer, tokenOut)) - before;
}
