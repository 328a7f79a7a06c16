import { EQUAL_DEFERRALS, isDeferredToday } from '@bowline/core/domain/deferrals';
import type { Plan } from '@bowline/core/domain/permissions';
import type { PlanReader } from './readers.ts';

/** `isDeferredToday`, by the plan's newest records. @param now chain time, unix seconds. Throws `chain_unavailable`. */
export async function wasDeferredToday(
  reader: Pick<PlanReader, 'runs'>,
  { id, version, records, lastReason }: Plan,
  reasonCode: number,
  now: bigint,
): Promise<boolean> {
  if (records < EQUAL_DEFERRALS || lastReason !== reasonCode) return false;
  const newest = await reader.runs(id, records - EQUAL_DEFERRALS, records);
  return isDeferredToday(newest, { reasonCode, version, time: now });
}
