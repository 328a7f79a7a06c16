import type { Ticket } from '@bowline/core/domain/ticket';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import {
  type Address,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  parseEther,
  stringToBytes,
  toHex,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { planRegistryAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { createTicketSigner } from '../../../agent/src/process/ticket-signer.ts';
import { createPlan, type DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { alice, approve, carol, give } from '../../../test/local/accounts.ts';
import { routerAbi } from '../../world/abis.ts';
import { pancake, tokens } from '../../world/addresses.ts';
import { localChainId } from '../../world/fork.ts';
import { type Gas, measure } from './measure.ts';

const path = encodePacked(['address', 'uint24', 'address'], [tokens.USDT, 500, tokens.BTCB]);
const amount = parseEther('100');
/** USDT for one BTCB; the pool asks 100,000. */
const maxPriceWad = parseEther('140000');
/** The evidence hash of a record. A zero hash would cost one slot less than the agent's records. */
const evidenceHash = keccak256(stringToBytes('evidence'));
const infinite = 2n ** 256n - 1n;
const batchSize = 20;
/** Outcomes of records, as on chain. */
const [executed, deferred] = [1, 2];

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
  /** One more run in a batch of 20 plans, each of an owner of its own, including its calldata. */
  readonly oneMoreRun: bigint;
  readonly deferral: Gas;
  readonly bareTransfer: Gas;
  readonly bareSwap: Gas;
  /** One more swap in a router's multicall of 20, including its calldata. */
  readonly oneMoreSwap: bigint;
}

/**
 * Every plan that runs is new; everything else (balances of owner and recipient, registry, executor) is already in use.
 */
export async function measurePlans(world: DeployedChain): Promise<PlanGas> {
  const { chain, book } = world;
  const { planRegistry, swapExecutor, venusPriceSource } = book.own;
  await give(chain, carol, 'USDT', '100000');
  await approve(chain, carol, 'USDT', planRegistry, infinite);
  await run(await createPlan(world));

  const create = await measureCreate();
  const limitRun = await run(
    await createPlan(world, { priceSource: zeroAddress, maxSlippageBps: 0, limitPriceWad: parseEther('110000') }),
  );
  const feedsRun = await run(await createPlan(world));
  const ticketRun = await runOnATicket();
  const oracleRun = await run(await createPlan(world, { priceSource: venusPriceSource }));
  const deferral = await defer(await createPlan(world));
  const owners = Array.from({ length: batchSize }, (_, at) =>
    getAddress(pad(toHex(0xb0b0n + BigInt(at)), { size: 20 })),
  );
  for (const owner of owners) await equip(owner);
  const oneMoreRun = await oneMore((count) => runTogether(count, (at) => owners[at] as Address));

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

  async function run(planId: bigint, signer?: PrivateKeyAccount): Promise<Gas> {
    const ticket = await ticketOf('GO');
    const signature = signer ? await createTicketSigner(signer, localChainId, planRegistry).sign(ticket) : '0x';
    const args = [planId, 1n, ticket, signature, path] as const;
    const gas = await measure(chain, alice, swapExecutor, { abi: swapExecutorAbi, functionName: 'execute', args });
    await checkRecord(planId, executed);
    return gas;
  }

  async function defer(planId: bigint): Promise<Gas> {
    const args = [planId, 1n, 16, await ticketOf('NO_GO'), '0x'] as const;
    const gas = await measure(chain, alice, swapExecutor, { abi: swapExecutorAbi, functionName: 'defer', args });
    await checkRecord(planId, deferred);
    return gas;
  }

  /** As the agent fills it in for every plan, and signs it for plans with a signer. */
  async function ticketOf(verdict: Verdict): Promise<Ticket> {
    const { timestamp } = await chain.getBlock();
    return {
      ...{ tokenIn: tokens.USDT, tokenOut: tokens.BTCB, verdict: verdictCodes[verdict], maxPriceWad },
      ...{ maxAmountIn: amount, issuedAt: timestamp, expiresAt: timestamp + 120n, evidenceHash },
    };
  }

  /** A batch succeeds whatever happens to its orders, so this checks that the record was written. */
  async function checkRecord(planId: bigint, outcome: number): Promise<void> {
    const page = [planId, 0n, 2n] as const;
    const records = await chain.readContract({
      address: planRegistry,
      abi: planRegistryAbi,
      functionName: 'runs',
      args: page,
    });
    const [record] = records;
    if (records.length !== 1 || record?.outcome !== outcome) throw new Error(`plan ${planId} has not the record`);
    if (BigInt(record.evidencePrefix) === 0n || !evidenceHash.startsWith(record.evidencePrefix)) {
      throw new Error(`plan ${planId} keeps ${record.evidencePrefix} of the evidence hash ${evidenceHash}`);
    }
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
    return run(await createPlan(world, { verdictSigner: signer.address }), signer);
  }

  /** An account with funds, an allowance and some of what its plan buys. */
  async function equip(owner: Address): Promise<void> {
    await chain.impersonateAccount({ address: owner });
    await chain.setBalance({ address: owner, value: parseEther('1') });
    await give(chain, owner, 'USDT', '1000');
    await give(chain, owner, 'BTCB', '1');
    await approve(chain, owner, 'USDT', planRegistry, infinite);
  }

  async function runTogether(count: number, ownerOf: (at: number) => Address): Promise<Gas> {
    const planIds: bigint[] = [];
    while (planIds.length < count) {
      const owner = ownerOf(planIds.length);
      planIds.push(await createPlan(world, { owner, recipient: owner }));
    }
    const ticket = await ticketOf('GO');
    const orders = planIds.map((planId) => ({ planId, expectedVersion: 1n, ticket, signature: '0x' as Hex, path }));
    const args = [orders, 0n] as const;
    const gas = await measure(chain, alice, swapExecutor, { abi: swapExecutorAbi, functionName: 'executeBatch', args });
    for (const planId of planIds) await checkRecord(planId, executed);
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
