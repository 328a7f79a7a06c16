import type { PlanReader } from '@bowline/chain/readers';
import type { Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, startOfDay } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import { gasOfRecord, type PlanSkip, type ServingPolicy } from './plan.ts';

export type Ledger = ReturnType<typeof openLedger>;

/**
 * Remaining funds and daily gas of each owner within one tick. Accepts addresses in any case. Plans are read once per
 * tick, so funds that one plan spends must be subtracted from the owner's next plan. Funds are reserved only for a run
 * that is about to be sent: a deferred plan must not block another plan's run.
 * @param gasToday gas that today's records cost, by lower-case owner.
 */
export function openLedger(
  gasToday: ReadonlyMap<string, bigint>,
  { gasPerOwnerPerDay }: Pick<ServingPolicy, 'gasPerOwnerPerDay'>,
) {
  const gas = new Map(gasToday);
  const taken = new Map<string, bigint>();
  const ownerOf = (plan: Plan) => plan.owner.toLowerCase();
  const purseOf = (plan: Plan) => `${ownerOf(plan)} ${plan.tokenIn.toLowerCase()}`;
  const more = (sums: Map<string, bigint>, key: string, amount: bigint) =>
    void sums.set(key, (sums.get(key) ?? 0n) + amount);

  return {
    /** Why this plan cannot run any more; undefined while it can. */
    whyNot(plan: Plan): Extract<PlanSkip, 'not_served_gas' | 'balance_taken' | 'allowance_taken'> | undefined {
      if ((gas.get(ownerOf(plan)) ?? 0n) + gasOfRecord.executed > gasPerOwnerPerDay) return 'not_served_gas';
      const needed = (taken.get(purseOf(plan)) ?? 0n) + plan.amountPerRun;
      if (plan.ownerBalance < needed) return 'balance_taken';
      if (plan.ownerAllowance < needed) return 'allowance_taken';
      return undefined;
    },
    /** A reverted run cost gas and moved no funds. */
    record(plan: Plan, outcome: 'executed' | 'deferred' | 'reverted') {
      more(gas, ownerOf(plan), outcome === 'deferred' ? gasOfRecord.deferred : gasOfRecord.executed);
      if (outcome === 'executed') more(taken, purseOf(plan), plan.amountPerRun);
    },
    /** Reverts `record(plan, 'executed')` while its outcome is still open. */
    undo(plan: Plan) {
      more(gas, ownerOf(plan), -gasOfRecord.executed);
      more(taken, purseOf(plan), -plan.amountPerRun);
    },
  };
}

const pageSize = 50;
/** Plans whose records are read at the same time. */
const plansAtOnce = 8;

/**
 * Gas that the records of each owner's plans cost since midnight UTC, by lower-case owner. It is derived from the
 * records alone, so a restart loses nothing. Reverts leave no record: `Tries` adds their gas.
 */
export async function gasToday(
  reader: PlanReader,
  plans: readonly Plan[],
  executor: Address,
  owners: readonly Address[],
  now: bigint,
): Promise<Map<string, bigint>> {
  const midnight = startOfDay(now);
  const asked = new Set(owners.map((address) => address.toLowerCase()));
  const gas = new Map([...asked].map((owner) => [owner, 0n]));
  const own = plans.filter(
    (plan) =>
      asked.has(plan.owner.toLowerCase()) && sameAddress(plan.executor, executor) && !isQuietSince(plan, midnight),
  );
  await pLimit(plansAtOnce).map(own, async (plan) => {
    const spent = await gasSince(reader, plan, midnight);
    const owner = plan.owner.toLowerCase();
    gas.set(owner, (gas.get(owner) ?? 0n) + spent);
  });
  return gas;
}

/** Whether the plan has no record since that time, as far as its state shows. */
function isQuietSince({ records, deferrals, cursor, periodSeconds, windowSeconds, version }: Plan, time: bigint) {
  if (records === 0) return true;
  // The newest record is a deferral, or a run. A deferral sets the cursor to its slot's start, a run one period past it.
  const isRun = deferrals === 0;
  // An edit may have changed both lengths. No window is longer than its period.
  if (version > 1) return isRun && cursor <= time;
  return (isRun ? cursor - periodSeconds : cursor) + windowSeconds <= time;
}

async function gasSince(reader: PlanReader, plan: Plan, time: bigint): Promise<bigint> {
  let gas = 0n;
  for (let to = plan.records; to > 0; to -= pageSize) {
    const page = await reader.runs(plan.id, Math.max(0, to - pageSize), to);
    for (const record of page) if (record.time >= time) gas += gasOfRecord[record.outcome];
    const oldest = page[0];
    if (oldest === undefined || oldest.time < time) break;
  }
  return gas;
}
