import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanHistory, Run } from '@bowline/core/audit/history';
import { planIrregularities } from '@bowline/core/audit/irregularities';
import { reasonOf } from '@bowline/core/domain/reasons';
import { formatUnits } from 'viem';
import { revocationsAbi } from '../../abis/index.ts';
import { openChain } from '../../cli/audit/read.ts';
import { awaited, must, mustBeRegular } from './requests.ts';
import { type Stack, told } from './stack.ts';

/** More than the local chain has mined since its start. */
const blocksBack = 2_000n;
/** The executor checks when a slot opens; then the run takes a few blocks. */
const SERVED_WITHIN_SECONDS = 5;
const LOOK_MS = 500;

export const planOf = async ({ world, contracts }: Stack, id: bigint): Promise<PlanHistory> =>
  (await openChain(world.rpcUrl, contracts)).plan(id);

const isRun = ({ outcome }: Run) => outcome === 1;

/** Waits for a plan's first run, and compares every record with the signed terms. */
export async function runOf(stack: Stack, id: bigint): Promise<string> {
  const plan = await awaited(async () => {
    const found = await planOf(stack, id);
    return found.runs.some(isRun) ? found : undefined;
  }, `plan ${id} does not run`);
  mustBeRegular(planIrregularities(plan));
  const run = plan.runs.findLast(isRun);
  must(run !== undefined && run.amountOut >= run.floor, `plan ${id} received less than its floor`);
  await told(stack, `run of plan ${id}`);
  return `plan ${id} paid ${formatUnits(run.amountIn, 18)} USDT, received ${formatUnits(run.amountOut, 18)} BTCB`;
}

/** Waits until a slot has opened after its owner stopped the plan, and until the executor could have run it. */
export async function haltOf(stack: Stack, id: bigint): Promise<string> {
  const { chain, contracts } = stack;
  const [terms] = (await planOf(stack, id)).versions;
  must(terms, `plan ${id} has no terms`);
  const { owner, startAt, periodSeconds } = terms;
  const filter = { address: contracts.revocations, abi: revocationsAbi, eventName: 'AllRevoked' } as const;
  const [stop] = await chain.getContractEvents({ ...filter, args: { owner }, fromBlock: await oldBlock(stack) });
  must(stop, `${owner} has stopped nothing`);
  const stoppedAt = Number((await chain.getBlock({ blockNumber: stop.blockNumber })).timestamp);
  const next = stoppedAt + periodSeconds - ((stoppedAt - startAt) % periodSeconds);
  while (Number((await chain.getBlock()).timestamp) < next + SERVED_WITHIN_SECONDS) await sleep(LOOK_MS);
  const after = (await planOf(stack, id)).runs.filter(({ time }) => time > stoppedAt);
  must(after.length === 0, `plan ${id} has ${after.length} records after its owner stopped it`);
  return `plan ${id} has not run in its next slot, stopped by ${stop.transactionHash}`;
}

/** The first run must be yet to come, so that it can be measured. */
export async function firstRunOf(stack: Stack, id: bigint): Promise<string> {
  must((await planOf(stack, id)).runs.length === 0, `plan ${id} has run before it could be measured: try again`);
  return runOf(stack, id);
}

/** Waits until an unfair market defers a plan, with the reason on chain. */
export async function deferralOf(stack: Stack, id: bigint, expected: string): Promise<string> {
  const deferral = await awaited(
    async () => (await planOf(stack, id)).runs.find((run) => !isRun(run)),
    `plan ${id} is not deferred`,
  );
  const reason = reasonOf(deferral.reason);
  must(reason === expected, `is deferred for ${reason}, not ${expected}`);
  await told(stack, `plan ${id} deferred`);
  return `plan ${id}, ${reason}`;
}

const oldBlock = async ({ chain }: Stack) => {
  const newest = await chain.getBlockNumber();
  return newest > blocksBack ? newest - blocksBack : 0n;
};
