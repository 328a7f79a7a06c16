import { pathToFileURL } from 'node:url';
import { guardIrregularities, planIrregularities } from '@bowline/core/audit/irregularities';
import { readAddressBook } from '@bowline/http/address-book';
import { type Address, parseEther, zeroAddress } from 'viem';
import { planRegistryAbi, swapExecutorAbi } from '../../abis/index.ts';
import { openChain } from '../../cli/audit/read.ts';
import { awaited, must, mustBeRegular } from '../smoke/requests.ts';
import { erc20Abi } from '../world/abis.ts';
import { localChainId } from '../world/fork.ts';
import { treasurer } from '../world/replica.ts';
import * as demo from '../world/start/demo.ts';
import type { World } from './world.ts';

// The agent's customers, and what the chain says about them.

export const { owner } = demo;
/** How long a start, a run or a rescue may take. */
export const patienceMs = 120_000;

/** @param deployments folder of the deployment record. */
export function customersOf({ chain, market, escrow, rpcUrl }: World, deployments: string) {
  const { own } = readAddressBook(localChainId, pathToFileURL(`${deployments}/`));
  const { collateralGuard = zeroAddress, venusCollateral = zeroAddress } = own;
  const history = () => openChain(rpcUrl, own);
  const now = async () => Number((await chain.getBlock()).timestamp);
  const transfer = (amount: bigint) => ({ abi: erc20Abi, functionName: 'transfer', args: [owner, amount] }) as const;

  return {
    send: chain.sendAll,
    plan: async (id: bigint) => (await history()).plan(id),
    held: (token: Address, of: Address) =>
      chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [of] }),
    operator: () => chain.readContract({ address: own.swapExecutor, abi: swapExecutorAbi, functionName: 'operator' }),
    /** Gives the owner the token that pays for answers. */
    fund: () => chain.send(treasurer, escrow.token.address, transfer(parseEther('10'))),

    /** Buys BTCB for 100 USDT each minute from now on, only on verdicts of that signer. */
    async createPlan(verdictSigner: Address): Promise<bigint> {
      const plan = demo.createPlan(demo.plans[0], own, await now(), verdictSigner);
      await chain.sendAll(owner, [
        demo.take(owner, 'USDT', '10000'),
        demo.approve('USDT', own.planRegistry, '100000'),
        plan,
      ]);
      return chain.readContract({ address: own.planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
    },

    /** Waits for a plan's first run, and compares all its records with its terms: two in one slot are wrong. */
    async firstRun(id: bigint): Promise<void> {
      const ran = async () => {
        const plan = await (await history()).plan(id);
        return plan.runs.length > 0 ? plan : undefined;
      };
      const plan = await awaited(ran, `Plan ${id} was not run`, patienceMs);
      must(plan.runs[0]?.outcome === 1, `Plan ${id} was deferred.`);
      mustBeRegular(planIrregularities(plan));
    },

    /** Two loans on ETH: the guard of the first repays from the wallet, that of the second sells collateral. ETH then falls. */
    async borrowAndFall(percent: number): Promise<void> {
      const [loan] = demo.loans;
      await chain.sendAll(owner, [
        demo.take(owner, 'USDT', '200000'),
        demo.approve('USDT', own.loanGuard, '200000'),
        ...demo.borrowAndGuard(loan, own, await now()),
      ]);
      await chain.sendAll(
        demo.thirdBorrower,
        demo.borrowAndSpend({ ...own, collateralGuard, venusCollateral }, await now()),
      );
      await market.play({ name: 'crash', asset: 'ETH', share: percent / 100 });
    },

    /** Waits for a guard's first rescue, and compares it with the terms. */
    async firstRescue(id: 1n | 'collateral-1'): Promise<void> {
      const rescued = async () => {
        const guard = await (await history()).guard(id);
        return guard.rescues.length > 0 ? guard : undefined;
      };
      mustBeRegular(guardIrregularities(await awaited(rescued, `Guard ${id} did not rescue its loan`, patienceMs)));
    },
  };
}
