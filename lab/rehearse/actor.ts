import { setTimeout as sleep } from 'node:timers/promises';
import { readAddressBook } from '@bowline/http/address-book';
import { type Address, encodeFunctionData, formatEther } from 'viem';
import { loanGuardAbi, planRegistryAbi, swapExecutorAbi } from '../../abis/index.ts';
import { erc20Abi } from '../world/abis.ts';
import { tokens, venus, wholeTokens } from '../world/addresses.ts';
import type { EncodedCall } from '../world/chain.ts';
import { localChainId } from '../world/fork.ts';
import { approve, borrowAndGuard, type Loan, take } from '../world/start/demo.ts';
import type { World } from './world.ts';

// The agent's customers, and what the chain says of them.

const patienceMs = 120_000;
const year = 365 * 86_400;

/** Looks until there is something. @throws `otherwise`. */
export async function awaited<Found>(look: () => Promise<Found | undefined>, otherwise: string): Promise<Found> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`${otherwise} within ${patienceMs / 1000} s.`);
    await sleep(250);
  }
}

export function must(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

export const bnb = (wei: bigint): string => `${Number(formatEther(wei)).toFixed(4)} BNB`;

/** Anvil's fourth and fifth accounts, whose keys are public: a plan's owner and a borrower. */
export const owner: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const borrower: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

export function customersOf({ chain, market }: World, deployments: URL) {
  const { own } = readAddressBook(localChainId, deployments);
  async function send(from: Address, calls: readonly EncodedCall[]): Promise<void> {
    const reverted = (await chain.sendTogether(from, calls)).findIndex(({ status }) => status !== 'success');
    if (reverted !== -1) throw new Error(`Call ${reverted + 1} of ${from} reverted.`);
  }

  const plan = (id: bigint) =>
    chain.readContract({ address: own.planRegistry, abi: planRegistryAbi, functionName: 'plan', args: [id] });

  return {
    own,
    send,
    plan,
    operator: () => chain.readContract({ address: own.swapExecutor, abi: swapExecutorAbi, functionName: 'operator' }),
    bought: () => chain.readContract({ address: tokens.BTCB, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),

    /** 100 USDT into BTCB each minute, on verdicts of that signer alone. Answers its number. */
    async createPlan(verdictSigner: Address): Promise<bigint> {
      const { timestamp } = await chain.getBlock();
      const terms = {
        ...{ owner, recipient: owner, executor: own.swapExecutor, verdictSigner },
        ...{ tokenIn: tokens.USDT, tokenOut: tokens.BTCB, amountPerRun: wholeTokens('USDT', '100') },
        ...{ startAt: Number(timestamp), periodSeconds: 60, windowSeconds: 60, maxRuns: 1_000 },
        expiresAt: Number(timestamp) + year,
        ...{
          priceSource: own.chainlinkPriceSource,
          limitPriceWad: 0n,
          maxSlippageBps: 100,
          farLimit: false,
          triggerPriceWad: 0n,
        },
      };
      await send(owner, [
        take(owner, 'USDT', '100000'),
        approve('USDT', own.planRegistry, '100000'),
        {
          to: own.planRegistry,
          data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] }),
        },
      ]);
      return chain.readContract({ address: own.planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
    },

    /** A loan of USDT on ten ETH at a health of 1.15, with a guard. Answers its number. */
    async borrow(): Promise<bigint> {
      const loan: Loan = {
        ...{ borrower, collateral: 'ETH', market: venus.markets.vETH, deposit: '10' },
        ...{ threshold: 80n, healthMilli: 1_150n },
      };
      const { timestamp } = await chain.getBlock();
      await send(borrower, [
        take(borrower, 'USDT', '200000'),
        approve('USDT', own.loanGuard, '200000'),
        ...borrowAndGuard(loan, own, Number(timestamp)),
      ]);
      return chain.readContract({ address: own.loanGuard, abi: loanGuardAbi, functionName: 'guardCount' });
    },

    rescues: (id: bigint) =>
      chain.readContract({ address: own.loanGuard, abi: loanGuardAbi, functionName: 'rescues', args: [id, 0n, 10n] }),

    fall: (percent: number) => market.play({ name: 'crash', asset: 'ETH', share: percent / 100 }),

    /** Runs of a plan, when they are more than so many. */
    async runsAfter(id: bigint, before: number): Promise<number> {
      return awaited(async () => {
        const { runs } = (await plan(id)).state;
        return runs > before ? runs : undefined;
      }, `Plan ${id} was not run again`);
    },
  };
}

export type Customers = ReturnType<typeof customersOf>;
