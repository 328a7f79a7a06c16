import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Abi, type Address, BaseError, decodeErrorResult, encodeFunctionData, type Hex, isHex, slice } from 'viem';
import { loanGuardAbi, planRegistryAbi, swapExecutorAbi, venusMarketAbi } from '../../../abis/index.ts';
import { erc20Abi } from '../../../script/local/abis.ts';
import { type TokenSymbol, tokens, venus } from '../../../script/local/addresses.ts';
import { type Chain, connect } from '../../../script/local/chain.ts';
import { type LocalChain, startLocalChain } from '../../../script/local/fork.ts';
import { treasurer } from '../../../script/local/replica.ts';
import { alice, approve, carol, give } from '../../../test/local/accounts.ts';
import book from '../../books/bsc.json' with { type: 'json' };
import { connectChain } from '../../src/adapters/chain-client.ts';
import { createMarketReader } from '../../src/adapters/market-reader.ts';
import type { Asset } from '../../src/domain/assets.ts';
import type { GuardPolicy, Plan, Run } from '../../src/domain/permissions.ts';
import type {
  BalanceReader,
  Call,
  Calls,
  GuardReader,
  MarketReader,
  PlanReader,
  RescueReader,
  Sender,
  Sent,
} from '../../src/domain/ports.ts';
import { type Reason, reasonCodes } from '../../src/domain/reasons.ts';
import { verdictCodes } from '../../src/domain/verdict.ts';

/** Operates the executor and calls the guard. Anvil's second account, as script/Deploy.s.sol has it on a local chain. */
export const keeper = alice;
export const owner = carol;
export const assets = book.assets as Asset[];

export interface World {
  readonly chain: Chain;
  readonly contracts: Contracts;
  readonly reader: PlanReader & BalanceReader & GuardReader & RescueReader;
  readonly market: MarketReader;
  readonly calls: Calls;
  sender(): Sender;
  stop(): Promise<void>;
}

export interface Contracts {
  readonly venusMarket: Address;
  readonly loanGuard: Address;
  readonly venusPriceSource: Address;
  readonly planRegistry: Address;
  readonly swapExecutor: Address;
}

/** A fork of the replica with this project's contracts on it. */
export async function startWorld(): Promise<World> {
  const local = await startLocalChain();
  try {
    const contracts = await deploy(local);
    const chain = connect(local.url);
    return {
      chain,
      contracts,
      reader: { ...planReader(chain, contracts), ...guardReader(chain, contracts) },
      market: createMarketReader(connectChain(local.url), book as Parameters<typeof createMarketReader>[1]),
      calls: callsOf(contracts),
      sender: () => senderOf(chain),
      stop: () => local.stop(),
    };
  } catch (error) {
    await local.stop();
    throw error;
  }
}

// The script's own answer: the record that it can also write is one file for all chains that tests start.
async function deploy({ url }: LocalChain): Promise<Contracts> {
  const script = ['forge', 'script', 'script/Deploy.s.sol', '--sig', 'run()', '--broadcast', '--slow', '--json'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['tools/foundry.mjs', ...script, '--rpc-url', url, '--unlocked', '--sender', treasurer],
    { maxBuffer: 2 ** 28 },
  );
  const returned = /"returned":"(0x[0-9a-f]{384})"/.exec(stdout)?.[1] as Hex;
  const addresses = Array.from({ length: 6 }, (_, at) => slice(returned, at * 32 + 12, at * 32 + 32));
  const [venusMarket, loanGuard, venusPriceSource, , planRegistry, swapExecutor] = addresses as Address[];
  return { venusMarket, loanGuard, venusPriceSource, planRegistry, swapExecutor } as Contracts;
}

const statuses = ['active', 'active', 'paused', 'cancelled'] as const;
const verdicts = Object.keys(verdictCodes) as (keyof typeof verdictCodes)[];

function planReader(chain: Chain, { planRegistry }: Contracts): PlanReader & BalanceReader {
  const registry = { address: planRegistry, abi: planRegistryAbi } as const;
  async function planAt(id: bigint, blockNumber: bigint): Promise<Plan> {
    const { terms, state } = await chain.readContract({ ...registry, functionName: 'plan', args: [id], blockNumber });
    const token = { address: terms.tokenIn, abi: erc20Abi, blockNumber } as const;
    const [ownerBalance, ownerAllowance] = await Promise.all([
      chain.readContract({ ...token, functionName: 'balanceOf', args: [terms.owner] }),
      chain.readContract({ ...token, functionName: 'allowance', args: [terms.owner, planRegistry] }),
    ]);
    return {
      ...terms,
      ...state,
      id,
      startAt: BigInt(terms.startAt),
      periodSeconds: BigInt(terms.periodSeconds),
      windowSeconds: BigInt(terms.windowSeconds),
      expiresAt: BigInt(terms.expiresAt),
      cursor: BigInt(state.cursor),
      status: statuses[state.status] ?? 'cancelled',
      ownerBalance,
      ownerAllowance,
    };
  }
  return {
    async plans() {
      const block = await chain.getBlock();
      const blockNumber = block.number;
      const count = await chain.readContract({ ...registry, functionName: 'planCount', blockNumber });
      const ids = Array.from({ length: Number(count) }, (_, at) => BigInt(at + 1));
      return { block, plans: await Promise.all(ids.map((id) => planAt(id, blockNumber))) };
    },
    async runs(planId, from, to) {
      const args = [planId, BigInt(from), BigInt(to)] as const;
      const page = await chain.readContract({ ...registry, functionName: 'runs', args });
      return page.map((run, at): Run => {
        const reason = Object.entries(reasonCodes).find(([, code]) => code === run.reason)?.[0] as Reason | undefined;
        return {
          ...run,
          planId,
          record: from + at,
          outcome: run.outcome === 1 ? 'executed' : 'deferred',
          time: BigInt(run.time),
          slotStart: BigInt(run.slotStart),
          reasonCode: run.reason,
          verdict: verdicts[run.verdict] ?? 'NO_DATA',
          ...(reason === undefined ? {} : { reason }),
        } as Run;
      });
    },
    balances: (holder, of, blockNumber) =>
      Promise.all(
        of.map((address) =>
          chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder], blockNumber }),
        ),
      ),
  };
}

function guardReader(chain: Chain, { loanGuard, venusMarket }: Contracts): GuardReader & RescueReader {
  const guard = { address: loanGuard, abi: loanGuardAbi } as const;
  return {
    async policies() {
      const block = await chain.getBlock();
      const count = await chain.readContract({ ...guard, functionName: 'policyCount' });
      const ids = Array.from({ length: Number(count) }, (_, at) => BigInt(at + 1));
      const policies = ids.map(async (id): Promise<GuardPolicy> => {
        const { terms, repayToken, state } = await chain.readContract({
          ...guard,
          functionName: 'policy',
          args: [id],
        });
        const { keeper: only, ...rest } = terms;
        return {
          ...rest,
          ...state,
          id,
          repayToken,
          status: state.status === 1 ? 'active' : 'cancelled',
          cooldownSeconds: BigInt(terms.cooldownSeconds),
          expiresAt: BigInt(terms.expiresAt),
          lastRescueAt: BigInt(state.lastRescueAt),
          day: BigInt(state.day),
          ...(BigInt(only) === 0n ? {} : { keeper: only }),
        };
      });
      return { block, policies: await Promise.all(policies) };
    },
    async health(borrower) {
      const block = await chain.getBlock();
      const { result } = await chain.simulateContract({
        address: venusMarket,
        abi: venusMarketAbi,
        functionName: 'accrueAndRead',
        args: [borrower, venus.markets.vUSDT],
      });
      const { debtUsd, weightedCollateralUsd } = result;
      const healthWad = debtUsd === 0n ? undefined : (weightedCollateralUsd * 10n ** 18n) / debtUsd;
      return {
        borrower,
        block,
        debtUsdWad: debtUsd,
        weightedCollateralUsdWad: weightedCollateralUsd,
        ...(healthWad === undefined ? {} : { healthWad }),
      };
    },
    async preview(policyId) {
      try {
        const call = { ...guard, functionName: 'rescue', args: [policyId], account: keeper } as const;
        return { policyId, due: true, repay: (await chain.simulateContract(call)).result };
      } catch (error) {
        return { policyId, due: false, error: errorWord(error) };
      }
    },
    async rescues(policyId, from, to) {
      const args = [policyId, BigInt(from), BigInt(to)] as const;
      const page = await chain.readContract({ ...guard, functionName: 'rescues', args });
      return page.map((rescue) => ({
        ...rescue,
        time: BigInt(rescue.time),
        outcome: rescue.outcome === 1 ? ('full' as const) : ('partial' as const),
      }));
    },
  };
}

function callsOf({ swapExecutor, loanGuard }: Contracts): Calls {
  const call = (to: Address, label: string, gas: bigint, data: Hex): Call => ({ to, data, value: 0n, gas, label });
  return {
    execute: ({ id }, path, evidenceHash) => {
      const args = [id, { verdict: verdictCodes.GO, evidenceHash }, path] as const;
      const data = encodeFunctionData({ abi: swapExecutorAbi, functionName: 'execute', args });
      return call(swapExecutor, `execute plan ${id}`, 2_000_000n, data);
    },
    defer: ({ id }, reasonCode, verdict, evidenceHash) => {
      const args = [id, reasonCode, { verdict, evidenceHash }] as const;
      const data = encodeFunctionData({ abi: swapExecutorAbi, functionName: 'defer', args });
      return call(swapExecutor, `defer plan ${id}`, 500_000n, data);
    },
    rescue: ({ id }) => {
      const data = encodeFunctionData({ abi: loanGuardAbi, functionName: 'rescue', args: [id] });
      return call(loanGuard, `rescue by policy ${id}`, 3_000_000n, data);
    },
  };
}

/** Simulates the exact bytes, sends them from the unlocked keeper and waits. */
function senderOf(chain: Chain): Sender {
  return {
    address: keeper,
    async send({ to, data, gas }): Promise<Sent> {
      try {
        await chain.call({ account: keeper, to, data, gas });
      } catch (error) {
        return { outcome: 'would_revert', error: errorWord(error) };
      }
      const hash = await chain.sendUnsignedTransaction({ from: keeper, to, data, gas } as never);
      const { status, blockNumber, gasUsed } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
      return { outcome: status === 'success' ? 'confirmed' : 'reverted', hash, block: blockNumber, gasUsed };
    },
  };
}

const abi: Abi = [...planRegistryAbi, ...swapExecutorAbi, ...loanGuardAbi, ...venusMarketAbi];

/** The name of the contract's error, lower_snake. Throws what is no contract's error. */
export function errorWord(error: unknown): string {
  if (!(error instanceof BaseError)) throw error;
  const reverted = error.walk((cause) => isHex((cause as { data?: unknown }).data)) as { data: Hex } | null;
  if (reverted === null) throw error;
  const { errorName } = decodeErrorResult({ abi, data: reverted.data });
  return errorName.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** 100 USDT for BTCB, every hour from now on. Answers its number. */
export async function createPlan(world: World, changes: Partial<PlanTerms> = {}): Promise<bigint> {
  const { chain, contracts } = world;
  const { timestamp } = await chain.getBlock();
  const terms: PlanTerms = {
    owner,
    recipient: owner,
    executor: contracts.swapExecutor,
    tokenIn: tokens.USDT,
    tokenOut: tokens.BTCB,
    amountPerRun: 100n * 10n ** 18n,
    startAt: Number(timestamp),
    periodSeconds: 3600,
    windowSeconds: 3600,
    maxRuns: 1000,
    expiresAt: Number(timestamp) + 100 * 86_400,
    priceSource: contracts.venusPriceSource,
    limitPriceWad: 0n,
    maxSlippageBps: 100,
    ...changes,
  };
  await chain.send(terms.owner, contracts.planRegistry, {
    abi: planRegistryAbi,
    functionName: 'create',
    args: [terms],
  });
  return chain.readContract({ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
}

interface PlanTerms {
  readonly owner: Address;
  readonly recipient: Address;
  readonly executor: Address;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountPerRun: bigint;
  readonly startAt: number;
  readonly periodSeconds: number;
  readonly windowSeconds: number;
  readonly maxRuns: number;
  readonly expiresAt: number;
  readonly priceSource: Address;
  readonly limitPriceWad: bigint;
  readonly maxSlippageBps: number;
}

/** Gives an owner whole tokens and lets the registry take them. */
export async function fund({ chain, contracts }: World, holder: Address, symbol: TokenSymbol, amount: string) {
  const value = await give(chain, holder, symbol, amount);
  await approve(chain, holder, symbol, contracts.planRegistry, value);
}
