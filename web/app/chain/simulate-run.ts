import { erc20Abi } from '@bowline/chain/erc20-abi';
import { refusalOf } from '@bowline/chain/errors';
import { beginReading } from '@bowline/chain/one-call';
import type { PlanTerms } from '@bowline/chain/plan';
import { answersIn, type Call, callsAs, tryAs } from '@bowline/chain/try-as';
import { verdictCodes } from '@bowline/core/domain/verdict';
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, zeroAddress, zeroHash } from 'viem';
import { planRegistryAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { marketAbi } from '../../read-market.ts';
import { pathOver } from '../../validate-offer.ts';
import { assetAt, type Settings } from '../api/settings.ts';
import { type Failure, refusalIn } from '../words/contract-errors.ts';
import { bestRoute, type Route } from './best-route.ts';
import type { ChainClient } from './client.ts';

/** The state of a plan when its run is simulated, and the terms of that run. */
export interface SimulatedPlan {
  /** Terms of the run. */
  readonly terms: PlanTerms;
  /** The owner's own calls before the run; empty for a plan that does not change. */
  readonly before: readonly Call[];
  /** Undefined: the calls create it. */
  readonly plan: { readonly id: bigint; readonly version: number; readonly records: number } | undefined;
}

export type RunSimulation =
  /** One of the owner's calls would fail. */
  | { readonly state: 'refused'; readonly failure: Failure }
  /** The calls succeed, but the run would not happen now. */
  | { readonly state: 'no_run'; readonly failure: Failure | 'no_pool' | 'needs_verdict' }
  | {
      readonly state: 'run';
      /** As the registry would record them, in base units. */
      readonly amountIn: bigint;
      readonly amountOut: bigint;
      readonly floor: bigint;
      readonly route: Route;
      /** A thousand times what a thousandth of the amount would get: the price before the trade itself moves it. */
      readonly unmoved: bigint;
      /** The balance and allowance that the owner would have, in base units of the paid token. */
      readonly held: bigint;
      readonly allowed: bigint;
    };

/** What a route pays now, in base units; zero if one of its pools is empty. */
const quoteOf = (client: ChainClient, address: Address, path: Hex, amountIn: bigint): Promise<bigint> =>
  client.readContract({ address, abi: marketAbi, functionName: 'quoteExactInput', args: [path, amountIn] }).then(
    ([amountOut]) => amountOut,
    (error: unknown) => {
      if (refusalOf(error) !== undefined) return 0n;
      throw error;
    },
  );

/**
 * Simulates the plan's next run now, with the chain's real state and the owner's own balance and allowance: the owner's
 * calls, then the operator's `execute`, in one eth_call through the contracts' own code. The operator names the best
 * route. The agent's checks, which may skip the run, are not part of it.
 * @throws if the node does not answer, or takes no state overrides.
 */
export async function simulateRun(
  client: ChainClient,
  settings: Settings,
  simulated: SimulatedPlan,
): Promise<RunSimulation> {
  const { terms, before, plan } = simulated;
  const { planRegistry, swapExecutor, quoter } = settings.contracts;
  const pay = assetAt(settings, terms.tokenIn);
  const buy = assetAt(settings, terms.tokenOut);
  if (pay === undefined || buy === undefined) throw new Error('The page does not list what the plan trades.');
  const reading = beginReading(client, []);
  const registry = { address: planRegistry, abi: planRegistryAbi } as const;
  const [count, operator, route] = await Promise.all([
    plan === undefined ? reading.client.readContract({ ...registry, functionName: 'planCount' }) : 0n,
    reading.client.readContract({ address: swapExecutor, abi: swapExecutorAbi, functionName: 'operator' }),
    bestRoute(client, settings, { pay, buy, terms }),
  ]);
  const { id, version, records } = plan ?? { id: count + 1n, version: 1, records: 0 };
  const small = terms.amountPerRun / 1_000n;
  const [answers, part] = await Promise.all([
    tryAs(
      client,
      terms.owner,
      [
        ...before,
        callsAs(operator, [executeCall(swapExecutor, { id, version, terms, path: pathOver(pay, route) })]),
        {
          to: planRegistry,
          data: encodeFunctionData({
            ...{ abi: planRegistryAbi, functionName: 'runs' },
            args: [id, BigInt(records), BigInt(records) + 1n],
          }),
        },
        erc20Call(pay.address, 'balanceOf', [terms.owner]),
        erc20Call(pay.address, 'allowance', [terms.owner, planRegistry]),
      ],
      { others: [operator], time: timeOf(simulated, reading.time()) },
    ),
    small === 0n || route.length === 0 ? 0n : quoteOf(reading.client, quoter, pathOver(pay, route), small),
  ]);
  const refused = answers.slice(0, before.length).find(({ isOk }) => !isOk);
  if (refused) return { state: 'refused', failure: refusalIn(refused) };
  if (route.length === 0) return { state: 'no_run', failure: 'no_pool' };
  const [executed, recorded, held, allowed] = answers.slice(before.length);
  if (terms.verdictSigner !== zeroAddress) return { state: 'no_run', failure: 'needs_verdict' };
  const [run] = answersIn(executed?.data ?? '0x');
  if (!run?.isOk) return { state: 'no_run', failure: refusalIn(run ?? { isOk: false, data: '0x' }) };
  const [record] = decodeFunctionResult({ abi: planRegistryAbi, functionName: 'runs', data: recorded?.data ?? '0x' });
  if (record === undefined) throw new Error('The registry recorded no run.');
  return {
    ...{ state: 'run', amountIn: record.amountIn, amountOut: record.amountOut, floor: record.floor, route },
    unmoved: part * 1_000n,
    held: decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: held?.data ?? '0x' }),
    allowed: decodeFunctionResult({ abi: erc20Abi, functionName: 'allowance', data: allowed?.data ?? '0x' }),
  };
}

/** A new plan starts by the page's clock, which may be ahead of the newest block. */
function timeOf({ terms, plan }: SimulatedPlan, newest: bigint | undefined): bigint | undefined {
  const startAt = BigInt(terms.startAt);
  return plan === undefined && newest !== undefined && startAt > newest ? startAt : undefined;
}

interface Execution {
  readonly id: bigint;
  readonly version: number;
  readonly terms: PlanTerms;
  readonly path: ReturnType<typeof pathOver>;
}

/** Carries the operator's claim, which a plan without a verdict signer accepts: only its floor protects the run. */
const executeCall = (to: Address, { id, version, terms, path }: Execution): Call => ({
  to,
  data: encodeFunctionData({
    abi: swapExecutorAbi,
    functionName: 'execute',
    args: [
      id,
      BigInt(version),
      {
        ...{
          tokenIn: terms.tokenIn,
          tokenOut: terms.tokenOut,
          verdict: verdictCodes.GO,
          maxPriceWad: 0n,
          maxAmountIn: 0n,
        },
        ...{ issuedAt: 0n, expiresAt: 0n, evidenceHash: zeroHash },
      },
      '0x',
      path,
    ],
  }),
});

function erc20Call(to: Address, functionName: 'balanceOf' | 'allowance', args: readonly Address[]): Call {
  return { to, data: encodeFunctionData({ abi: erc20Abi, functionName, args } as never) };
}
