import {
  type Address,
  encodeFunctionData,
  encodePacked,
  type Hex,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { planRegistryAbi, swapExecutorAbi } from '../../abis/index.ts';
import { createTicketSigner } from '../../agent/src/adapters/ticket-signer.ts';
import type { Ticket } from '../../agent/src/domain/ticket.ts';
import { createPlan, type DeployedChain } from '../../agent/test/adapters/deployed-chain.ts';
import { unsigned, unsignedGo } from '../../agent/test/unsigned.ts';
import { routerAbi } from '../../script/local/abis.ts';
import { pancake, tokens } from '../../script/local/addresses.ts';
import { localChainId } from '../../script/local/fork.ts';
import { alice, approve, carol, give } from '../../test/local/accounts.ts';
import { type Gas, measure } from './measure.ts';

export const path = encodePacked(['address', 'uint24', 'address'], [tokens.USDT, 500, tokens.BTCB]);
const go = unsignedGo(zeroHash);
const amount = parseEther('100');
/** USDT for one BTCB; the pool asks 100,000. */
const maxPriceWad = parseEther('140000');
const infinite = 2n ** 256n - 1n;
const batchSize = 20;

const bareAbi = parseAbi([
  'function transferFrom(address from, address to, uint256 amount) returns (bool)',
  'function multicall(bytes[] calls) payable returns (bytes[])',
]);

export interface PlanGas {
  readonly create: Gas;
  readonly limitRun: Gas;
  readonly feedsRun: Gas;
  readonly ticketRun: Gas;
  readonly oracleRun: Gas;
  /** Of one more run in a batch of 20, its calldata in it. */
  readonly oneMoreRun: bigint;
  readonly deferral: Gas;
  readonly bareTransfer: Gas;
  readonly bareSwap: Gas;
  /** Of one more swap in a router's multicall of 20, its calldata in it. */
  readonly oneMoreSwap: bigint;
}

/** Every plan that is run is new; nothing else (owner's and recipient's balances, registry, executor) is the first of its kind. */
export async function measurePlans(world: DeployedChain): Promise<PlanGas> {
  const { chain, book } = world;
  const { planRegistry, swapExecutor, venusPriceSource } = book.own;
  await give(chain, carol, 'USDT', '100000');
  await approve(chain, carol, 'USDT', planRegistry, infinite);
  await run(await createPlan(world));

  const create = await measureCreate();
  const limitRun = await run(
    await createPlan(world, { priceSource: zeroAddress, maxSlippageBps: 0, limitPriceWad: maxPriceWad }),
  );
  const feedsRun = await run(await createPlan(world));
  const ticketRun = await runOnATicket();
  const oracleRun = await run(await createPlan(world, { priceSource: venusPriceSource }));
  const deferral = await measure(chain, alice, swapExecutor, {
    abi: swapExecutorAbi,
    functionName: 'defer',
    args: [await createPlan(world), 1n, 9, unsigned('NO_GO', zeroHash), '0x'],
  });
  const oneMoreRun = await oneMore(runTogether);

  await give(chain, alice, 'USDT', '10000');
  await approve(chain, alice, 'USDT', pancake.router, infinite);
  await swapTogether(1);
  const bareSwap = await measure(chain, alice, pancake.router, await exactInput());
  const oneMoreSwap = await oneMore(swapTogether);
  await approve(chain, carol, 'USDT', alice, infinite);
  const transfer = { abi: bareAbi, functionName: 'transferFrom', args: [carol, alice, amount] } as const;
  const bareTransfer = await measure(chain, alice, tokens.USDT, transfer);
  return {
    ...{ create, limitRun, feedsRun, ticketRun, oracleRun, oneMoreRun, deferral },
    ...{ bareTransfer, bareSwap, oneMoreSwap },
  };

  function run(planId: bigint, ticket: Ticket = go, signature: Hex = '0x'): Promise<Gas> {
    const args = [planId, 1n, ticket, signature, path] as const;
    return measure(chain, alice, swapExecutor, { abi: swapExecutorAbi, functionName: 'execute', args });
  }

  async function measureCreate(): Promise<Gas> {
    const planId = await createPlan(world);
    const { terms } = await chain.readContract({
      address: planRegistry,
      abi: planRegistryAbi,
      functionName: 'plan',
      args: [planId],
    });
    return measure(chain, carol, planRegistry, { abi: planRegistryAbi, functionName: 'create', args: [terms] });
  }

  async function runOnATicket(): Promise<Gas> {
    const signer = privateKeyToAccount(generatePrivateKey());
    const planId = await createPlan(world, { verdictSigner: signer.address });
    const { timestamp } = await chain.getBlock();
    const ticket: Ticket = {
      ...go,
      ...{ tokenIn: tokens.USDT, tokenOut: tokens.BTCB, maxPriceWad, maxAmountIn: amount },
      ...{ issuedAt: timestamp, expiresAt: timestamp + 120n },
    };
    return run(planId, ticket, await createTicketSigner(signer, localChainId, planRegistry).sign(ticket));
  }

  async function runTogether(count: number): Promise<Gas> {
    const orders = [];
    for (let each = 0; each < count; each++) {
      orders.push({ planId: await createPlan(world), expectedVersion: 1n, ticket: go, signature: '0x' as Hex, path });
    }
    const gas = await measure(chain, alice, swapExecutor, {
      abi: swapExecutorAbi,
      functionName: 'executeBatch',
      args: [orders],
    });
    // A batch goes through whatever becomes of its orders.
    for (const { planId } of orders) {
      const args = [planId] as const;
      const { state } = await chain.readContract({
        address: planRegistry,
        abi: planRegistryAbi,
        functionName: 'plan',
        args,
      });
      if (state.runs !== 1) throw new Error(`plan ${planId} of the batch has not run`);
    }
    return gas;
  }

  async function exactInput() {
    const { timestamp } = await chain.getBlock();
    const order = {
      path,
      recipient: carol as Address,
      deadline: timestamp + 600n,
      amountIn: amount,
      amountOutMinimum: 1n,
    };
    return { abi: routerAbi, functionName: 'exactInput', args: [order] } as const;
  }

  async function swapTogether(count: number): Promise<Gas> {
    const call = encodeFunctionData(await exactInput());
    const args = [Array<Hex>(count).fill(call)] as const;
    return measure(chain, alice, pancake.router, { abi: bareAbi, functionName: 'multicall', args });
  }

  async function oneMore(together: (count: number) => Promise<Gas>): Promise<bigint> {
    const one = await together(1);
    const many = await together(batchSize);
    return (many.total - one.total) / BigInt(batchSize - 1);
  }
}
