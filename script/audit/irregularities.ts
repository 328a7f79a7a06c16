import type { GuardHistory, PlanHistory } from './read.ts';

// What the records of a plan or a guard say against its own terms. Nothing here trusts the contract to have checked it.

const WAD = 10n ** 18n;
const executed = 1;
const go = 3;
const maxDeferrals = 4;
/** Of a rescue's health, at its own block: one base unit and a billionth. */
const healthTolerance = 10n ** 9n;

/** Sentences, one for each record and rule that do not agree. */
export function planIrregularities({ state, versions, runs }: PlanHistory): string[] {
  const found: string[] = [];
  let executions = 0;
  let lastSlot = -1;
  const deferrals = new Map<number, number>();
  if (runs.length !== state.records) found.push(`${state.records} records are counted and ${runs.length} are there`);
  for (const [at, run] of runs.entries()) {
    const terms = versions[run.version - 1];
    const complain = (what: string) => found.push(`record ${at}: ${what}`);
    if (terms === undefined) {
      complain(`names version ${run.version}, of which there are no terms`);
      continue;
    }
    const intoGrid = (run.slotStart - terms.startAt) % terms.periodSeconds;
    if (intoGrid !== 0 || run.slotStart < terms.startAt) complain(`its slot ${run.slotStart} is not one of the terms'`);
    if (run.time < run.slotStart || run.time >= run.slotStart + terms.windowSeconds)
      complain('it lies outside its slot');
    if (run.time >= terms.expiresAt) complain('it came after the plan had expired');
    if (run.outcome !== executed) {
      const before = deferrals.get(run.slotStart) ?? 0;
      deferrals.set(run.slotStart, before + 1);
      if (before === maxDeferrals) complain(`more than ${maxDeferrals} deferrals in one slot`);
      if (run.amountIn !== 0n || run.amountOut !== 0n) complain('a deferral has moved something');
      continue;
    }
    executions += 1;
    if (run.slotStart <= lastSlot) complain('its slot had run before');
    lastSlot = run.slotStart;
    if (run.verdict !== go) complain('it ran against its verdict');
    if (run.amountIn !== terms.amountPerRun) complain(`it took ${run.amountIn} instead of ${terms.amountPerRun}`);
    if (run.amountOut < run.floor) complain(`it delivered ${run.amountOut}, below its floor of ${run.floor}`);
    const limitFloor = terms.limitPriceWad === 0n ? 0n : ceilDiv(run.amountIn * WAD, terms.limitPriceWad);
    // It may be higher: a source's, or by the price of the ticket.
    if (run.floor < limitFloor) complain(`its floor ${run.floor} is below the limit price's, ${limitFloor}`);
    if (run.floor === 0n) complain('it had no floor');
    if (executions > terms.maxRuns) complain(`it was run ${executions} of ${terms.maxRuns}`);
  }
  if (executions !== state.runs) found.push(`${state.runs} runs are counted and ${executions} are recorded`);
  return found;
}

export function guardIrregularities({ terms, state, rescues }: GuardHistory): string[] {
  const found: string[] = [];
  const takenOfDay = new Map<number, bigint>();
  let before: number | undefined;
  if (rescues.length !== state.rescues) found.push(`${state.rescues} rescues are counted, ${rescues.length} are there`);
  for (const [at, { repaid, time, outcome, healthBeforeWad, healthAfterWad }] of rescues.entries()) {
    const complain = (what: string) => found.push(`rescue ${at}: ${what}`);
    if (healthBeforeWad >= terms.triggerHealthWad) complain('health was not below the trigger');
    const isFull = outcome === 1;
    if (isFull && healthAfterWad + healthTolerance < terms.targetHealthWad)
      complain('it is called full and missed its target');
    if (healthAfterWad <= healthBeforeWad) complain('health did not rise');
    if (repaid > terms.capPerRescue) complain(`it took ${repaid}, above the cap of ${terms.capPerRescue}`);
    if (repaid < terms.minRepay) complain(`it took ${repaid}, below the least of ${terms.minRepay}`);
    if (before !== undefined && time < before + terms.cooldownSeconds) complain('it came within the cooldown');
    if (time >= terms.expiresAt) complain('it came after the guard had expired');
    before = time;
    const day = Math.floor(time / 86_400);
    const taken = (takenOfDay.get(day) ?? 0n) + repaid;
    takenOfDay.set(day, taken);
    if (taken > terms.capPerDay) complain(`${taken} were taken in a day, above the cap of ${terms.capPerDay}`);
  }
  return found;
}

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
