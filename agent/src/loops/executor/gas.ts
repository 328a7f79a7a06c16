import type { Plan } from '@bowline/core/domain/permissions';
import type { PlanReader } from '@bowline/core/domain/ports';
import type { Address } from '@bowline/core/domain/units';
import { gasOfRecord } from './plan.ts';

const secondsPerDay = 86_400n;
const pageSize = 50;

/**
 * Gas that the records of each owner's plans have cost since midnight UTC, by lower-case owner. Worked out from the
 * records and nothing else, so that a restart forgets nothing. Reverts leave no record: their gas is added from `Tries`.
 */
export async function gasToday(
  reader: PlanReader,
  plans: readonly Plan[],
  executor: Address,
  owners: readonly Address[],
  now: bigint,
): Promise<Map<string, bigint>> {
  const midnight = now - (now % secondsPerDay);
  const gas = new Map<string, bigint>();
  for (const owner of new Set(owners.map((address) => address.toLowerCase()))) {
    let spent = 0n;
    for (const plan of plans) {
      if (plan.owner.toLowerCase() !== owner || plan.executor.toLowerCase() !== executor.toLowerCase()) continue;
      if (quietSince(plan, midnight)) continue;
      spent += await gasSince(reader, plan, midnight);
    }
    gas.set(owner, spent);
  }
  return gas;
}

// A run leaves the cursor a period past its slot's start, a deferral at the start: either way its record was made before
// the window that begins at the cursor closed.
const quietSince = (plan: Plan, time: bigint): boolean =>
  plan.records === 0 || plan.cursor + plan.windowSeconds <= time;

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
