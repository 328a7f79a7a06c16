import type { Noted } from '../domain/deferrals.ts';
import { isOver } from '../domain/slots.ts';
import type { GuardHistory, PlanHistory, Run } from './history.ts';

const executed = 1;

export const isRun = ({ outcome }: Pick<Run, 'outcome'>): boolean => outcome === executed;

/** A record in the form that the rule about equal deferrals takes. */
export const notedOf = (record: Run): Noted => ({ ...record, reasonCode: isRun(record) ? 0 : record.reason });

type Traded = Pick<Run, 'outcome' | 'amountIn' | 'amountOut' | 'floor'>;

/** What a plan's records add up to, in base units of its two tokens. */
export function sumsOf({ runs }: { readonly runs: readonly Traded[] }) {
  const done = runs.filter(isRun);
  return {
    executed: done.length,
    deferred: runs.length - done.length,
    paid: done.reduce((sum, { amountIn }) => sum + amountIn, 0n),
    received: done.reduce((sum, { amountOut }) => sum + amountOut, 0n),
    /** The least that those runs had to deliver. */
    floor: done.reduce((sum, { floor }) => sum + floor, 0n),
  };
}

const active = 1;
const paused = 2;

/**
 * Whether a plan can make no more buys although its state still says active or paused: no transaction ends it.
 * @param now unix seconds by the chain's clock.
 */
export function hasEnded({ state, versions }: Pick<PlanHistory, 'state' | 'versions'>, now: bigint): boolean {
  const terms = versions.at(-1);
  if (terms === undefined || (state.status !== active && state.status !== paused)) return false;
  return isOver({ runs: state.runs, maxRuns: terms.maxRuns, expiresAt: BigInt(terms.expiresAt) }, now);
}

/** Whether a guard is past its end, though its state still says active. @param now as above. */
export const hasExpired = ({ state, terms }: Pick<GuardHistory, 'state' | 'terms'>, now: bigint): boolean =>
  state.status === active && now >= BigInt(terms.expiresAt);
