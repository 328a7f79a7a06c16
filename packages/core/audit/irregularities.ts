import { limitFloor, MAX_DEFERRALS_PER_SLOT } from '../domain/deferrals.ts';
import { type Guard, type Rescue, UNWIND_HEALTH_WAD } from '../domain/permissions.ts';
import { utcDay } from '../domain/units.ts';
import { verdictCodes } from '../domain/verdict.ts';
import { isRun } from './figures.ts';
import type { GuardHistory, PlanHistory } from './history.ts';

// Checks the records of a plan or a guard against its own terms. Does not trust the contract to have enforced them.

/** Tolerance of a rescue's health at its own block: one base unit and one billionth. */
const healthTolerance = 10n ** 9n;

/** One sentence for each record and rule that disagree. */
export function planIrregularities({ state, versions, runs }: PlanHistory): string[] {
  const found: string[] = [];
  let executions = 0;
  let lastSlot = -1;
  const deferrals = new Map<number, number>();
  if (runs.length !== state.records) found.push(`the plan counts ${state.records} records, but has ${runs.length}`);
  for (const [at, run] of runs.entries()) {
    const terms = versions[run.version - 1];
    const complain = (what: string) => found.push(`record ${at}: ${what}`);
    if (terms === undefined) {
      complain(`refers to version ${run.version}, which does not exist`);
      continue;
    }
    const intoGrid = (run.slotStart - terms.startAt) % terms.periodSeconds;
    if (intoGrid !== 0 || run.slotStart < terms.startAt)
      complain(`its slot ${run.slotStart} is not on the terms' time grid`);
    if (run.time < run.slotStart || run.time >= run.slotStart + terms.windowSeconds) complain('it is outside its slot');
    if (run.time >= terms.expiresAt) complain('it was made after the plan expired');
    if (!isRun(run)) {
      const before = deferrals.get(run.slotStart) ?? 0;
      deferrals.set(run.slotStart, before + 1);
      if (before === MAX_DEFERRALS_PER_SLOT) complain(`more than ${MAX_DEFERRALS_PER_SLOT} deferrals in one slot`);
      if (run.amountIn !== 0n || run.amountOut !== 0n) complain('the deferral moved funds');
      continue;
    }
    executions += 1;
    if (run.slotStart <= lastSlot) complain('its slot had already run');
    lastSlot = run.slotStart;
    if (run.verdict !== verdictCodes.GO) complain('it ran without a GO verdict');
    if (run.amountIn !== terms.amountPerRun) complain(`it took ${run.amountIn} instead of ${terms.amountPerRun}`);
    if (run.amountOut < run.floor) complain(`it delivered ${run.amountOut}, below its floor of ${run.floor}`);
    const least = limitFloor(run.amountIn, terms.limitPriceWad);
    // The floor may be higher, from a source or a ticket's price.
    if (run.floor < least) complain(`its floor ${run.floor} is below the limit price's, ${least}`);
    if (run.floor === 0n) complain('it had no floor');
    if (executions > terms.maxRuns) complain(`it is run ${executions}, above the maximum of ${terms.maxRuns}`);
  }
  if (executions !== state.runs) found.push(`the plan counts ${state.runs} runs, but has ${executions}`);
  return found;
}

/** What a guard allows each of its rescues. */
type Bounds = Pick<GuardHistory['terms'], 'triggerHealthWad' | 'targetHealthWad' | 'capPerRescue' | 'minRepay'> & {
  readonly expiresAt: bigint;
  readonly hasSource: boolean;
};

interface Rescued {
  readonly repaid: bigint;
  readonly time: bigint;
  readonly healthBeforeWad: bigint;
  /** Absent if no debt is left. */
  readonly healthAfterWad?: bigint | undefined;
  /** Whether it is recorded as having reached the target; absent if that is not known. */
  readonly isFull?: boolean;
}

/** What is wrong with one rescue by its own record, regardless of earlier ones. */
export function rescueIrregularities(
  { repaid, time, healthBeforeWad, healthAfterWad = healthBeforeWad + healthTolerance, isFull }: Rescued,
  { triggerHealthWad, targetHealthWad, capPerRescue, minRepay, expiresAt, hasSource }: Bounds,
): string[] {
  const found: string[] = [];
  // The guard's price source may have seen it below the trigger; the target uses only the protocol's prices.
  if (!hasSource && healthBeforeWad >= triggerHealthWad) found.push('health was not below the trigger');
  if (hasSource && healthBeforeWad >= targetHealthWad) found.push('health was not below the target');
  const isUnwind = targetHealthWad === UNWIND_HEALTH_WAD;
  if (isFull && !isUnwind && healthAfterWad + healthTolerance < targetHealthWad)
    found.push('it is recorded as full but missed the target');
  // A record stores health in billionths, so a tiny repayment may leave it unchanged.
  if (healthAfterWad < healthBeforeWad) found.push('health fell');
  if (repaid > capPerRescue) found.push(`it took ${repaid}, above the cap of ${capPerRescue}`);
  if (repaid < minRepay) found.push(`it took ${repaid}, below the minimum of ${minRepay}`);
  if (time >= expiresAt) found.push('it was made after the guard expired');
  return found;
}

/** The same check for a guard in the form that is read to act on it. */
export const wrongsOf = (
  { outcome, ...rescue }: Omit<Rescued, 'isFull'> & Partial<Pick<Rescue, 'outcome'>>,
  { priceSource, ...terms }: Guard,
): string[] =>
  rescueIrregularities(
    { ...rescue, ...(outcome && { isFull: outcome === 'full' }) },
    { ...terms, hasSource: priceSource !== undefined },
  );

export function guardIrregularities({ terms, state, rescues, sale }: GuardHistory): string[] {
  const found: string[] = [];
  const takenOfDay = new Map<bigint, bigint>();
  let before: number | undefined;
  let wasBySource = false;
  if (rescues.length !== state.rescues)
    found.push(`the guard counts ${state.rescues} rescues, but has ${rescues.length}`);
  const hasSource = BigInt(terms.priceSource) !== 0n;
  const bounds = { ...terms, expiresAt: BigInt(terms.expiresAt), hasSource };
  for (const [at, rescue] of rescues.entries()) {
    const { repaid, time, outcome, healthBeforeWad } = rescue;
    const complain = (what: string) => found.push(`rescue ${at}: ${what}`);
    const isFull = outcome === 1;
    rescueIrregularities({ ...rescue, time: BigInt(time), isFull }, bounds).forEach(complain);
    // A record rounds health down to billionths: a health within one of the trigger may have been on either side.
    const mayBeBySource = hasSource && healthBeforeWad + healthTolerance > terms.triggerHealthWad;
    const isByProtocol = healthBeforeWad < terms.triggerHealthWad;
    if (before !== undefined && time < before + terms.cooldownSeconds && !(wasBySource && isByProtocol))
      complain('it was made during the cooldown');
    wasBySource = mayBeBySource;
    // A sale that the pools cut short starts no cooldown, and a record does not say why a sale fell short.
    if (sale === undefined || isFull) before = time;
    const day = utcDay(time);
    const taken = (takenOfDay.get(day) ?? 0n) + repaid;
    takenOfDay.set(day, taken);
    if (taken > terms.capPerDay) complain(`${taken} taken in one day, above the cap of ${terms.capPerDay}`);
  }
  return found;
}
