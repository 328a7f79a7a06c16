// Conditions that /ready may list, and the state of those that the process knows without asking anyone.

import {
  type Dependency,
  type Look,
  type LoopState,
  Unready,
  type UnreadyReason,
} from '@bowline/core/domain/readiness';
import { bnb, formatUnits, largest } from '@bowline/core/domain/units';
import { LOOP_MARGIN_SECONDS } from '@bowline/core/serving';
import type { Funds } from './vitals.ts';
import type { Watched } from './watched.ts';

/** Maximum distance between the newest block's time and the wall clock, in either direction. Verdicts use the same. */
const MAX_HEAD_SECONDS = 60;
/** Blocks come every half second. */
const MAX_LAG_SECONDS = 15;
/** An operation is normally included within a few blocks, and is sent again at each block until it is. */
const MAX_OPEN_MS = 30_000;
/** A restart of Redis is not worth reporting. */
const MAX_REDIS_MS = 30_000;

export type LoopName = 'executor' | 'loan-guard' | 'jobs';

interface Condition {
  /** Whether /ready is red without it. */
  readonly needed: boolean;
  /** The loops that do nothing without it. */
  readonly loops: readonly LoopName[];
  /** Returns one sentence or throws `Unready`. Absent: the answer comes from outside the process. */
  readonly state?: (watched: Watched) => string;
  /** Whether this process has the condition at all. Absent: it does. */
  readonly isHere?: (watched: Watched, loops: readonly LoopName[]) => boolean;
}

const all = ['executor', 'loan-guard', 'jobs'] as const;
const runs = (_: Watched, loops: readonly LoopName[]): boolean => loops.includes('executor');
const loop = (name: LoopName): Condition => ({
  needed: name !== 'jobs',
  loops: [name],
  state: ({ loops }) => stateOfLoop(loops().find((each) => each.name === name)),
  isHere: (_, loops) => loops.includes(name),
});
const bad = (reason: UnreadyReason, detail: string): never => {
  throw new Unready(reason, detail);
};

/** In the order in which their reasons count. */
const conditions: Readonly<Record<string, Condition>> = {
  stop_file: {
    needed: true,
    loops: all,
    state: ({ isStopped }) =>
      isStopped()
        ? bad('stop_file', 'The stop file exists: no run, rescue or delivery begins.')
        : 'The stop file does not exist.',
  },
  chain: { needed: true, loops: all, state: stateOfHead },
  operations: { needed: true, loops: all, state: stateOfOperations },
  gas: { needed: true, loops: ['executor', 'loan-guard'], state: stateOfGas },
  gas_day: { needed: true, loops: ['executor'], state: stateOfGasDay, isHere: runs },
  gas_price: { needed: true, loops: ['executor'], state: stateOfRunPrice, isHere: runs },
  relays: { needed: true, loops: ['executor'] },
  rescues: { needed: true, loops: ['loan-guard'] },
  executor: loop('executor'),
  'loan-guard': loop('loan-guard'),
  jobs: loop('jobs'),
  // Affects only plans that name another signer.
  verdict_key: {
    needed: false,
    loops: [],
    state: () => bad('verdict_key_unnamed', 'The deployment record does not name the verdict key: see /served.'),
    isHere: ({ isVerdictKeyUnnamed }) => isVerdictKeyUnnamed,
  },
  // Each rescue is still made once: the contract refuses the second.
  keys: {
    needed: false,
    loops: [],
    state: ({ isKeyShared }) =>
      isKeyShared()
        ? bad('key_shared', 'Another process sends with our key, so both pay for failed calls: give each its own.')
        : 'No other process has been seen to use our keys.',
  },
  // Without Redis every worker still serves everything.
  workers: { needed: false, loops: [], state: stateOfWorkers, isHere: ({ workers }) => workers !== undefined },
  node: { needed: true, loops: [] },
  nodes: { needed: true, loops: [] },
};

/** Looks at the conditions that the process itself knows. @param loops those that it runs. */
export const ownLooks = (watched: Watched, loops: readonly LoopName[]): Look[] =>
  Object.entries(conditions).flatMap(([name, { state, isHere }]) =>
    state === undefined || isHere?.(watched, loops) === false ? [] : [{ name, look: async () => state(watched) }],
  );

/** The look as /ready lists it. A look outside the table, such as one of several payers, is not needed on its own. */
export const listed = ({ name, look, signsCalls = false }: Look & { readonly signsCalls?: boolean }): Dependency => ({
  name,
  needed: conditions[name]?.needed === true || signsCalls,
  look,
});

/** The dependencies without which a loop does nothing. */
export const neededBy = (name: LoopName): string[] =>
  Object.keys(conditions).filter((each) => conditions[each]?.loops.includes(name));

function stateOfHead({ vitals }: Watched): string {
  const { head } = vitals.read();
  if (head === undefined) return bad('no_answer', 'No block has been read.');
  const { number, ageSeconds, lagSeconds } = head;
  const block = `block ${number}, ${ageSeconds} s old`;
  if (lagSeconds > MAX_LAG_SECONDS) bad('head_silent', `No new block for ${Math.floor(lagSeconds)} s: ${block}.`);
  if (ageSeconds > MAX_HEAD_SECONDS) bad('head_old', `The newest block is old: ${block}.`);
  if (ageSeconds < -MAX_HEAD_SECONDS)
    bad('head_in_future', `The newest block is in the future, or this clock is slow: ${block}.`);
  return block;
}

function stateOfLoop(state: LoopState | undefined): string {
  if (state === undefined) return 'It has not started yet.';
  const { goodMs, goodDurationMs, intervalSeconds } = state;
  const ago = `${Math.floor(goodMs / 1000)} s`;
  if (goodMs > (intervalSeconds + LOOP_MARGIN_SECONDS) * 1000)
    bad('loop_late', `No good round for ${ago}; the interval is ${intervalSeconds} s.`);
  return goodDurationMs === undefined ? 'Its first round is running.' : `A good round ended ${ago} ago.`;
}

function stateOfOperations({ open }: Watched): string {
  const operations = open();
  const [oldest] = operations.toSorted((a, b) => b.openMs - a.openMs);
  if (oldest === undefined) return 'No operation is open.';
  const { label, queue, openMs } = oldest;
  const state = `${operations.length} open, the oldest for ${Math.floor(openMs / 1000)} s: ${label} (${queue})`;
  return openMs > MAX_OPEN_MS ? bad('operation_open', `${state}.`) : state;
}

/**
 * Whether some account can pay for a rescue; undefined while no balance is known. A rescuer pays for its own calls. The
 * keeper's key sends rescues that the wallet, if there is one, pays for. Without that key, as with several workers, the
 * wallet cannot rescue.
 */
export function isRescuePayable(payers: ReadonlyMap<string, Funds>, rescueGas: bigint): boolean | undefined {
  const held = [...payers];
  if (held.length === 0) return undefined;
  const canPay = ([, { wei, gasPriceWei }]: [string, Funds]) => wei >= largest([1n, rescueGas * gasPriceWei]);
  const through = held.filter(([payer]) => payer === 'wallet' || payer === 'keeper');
  const rescuers = held.filter((each) => !through.includes(each));
  return rescuers.some(canPay) || (payers.has('keeper') && through.every(canPay));
}

function stateOfGas({ vitals, bounds }: Watched): string {
  const { payers } = vitals.read();
  const held = [...payers];
  const isPayable = isRescuePayable(payers, bounds.rescueGas);
  if (isPayable === undefined) bad('no_answer', 'No balance has been read.');
  if (!isPayable) {
    const all = held.map(([payer, { wei }]) => `${payer} ${bnb(wei)}`).join(', ');
    bad('rescue_unpayable', `No account can pay for a rescue: ${all}.`);
  }
  checkPrice(held, 'forty times MAX_GAS_PRICE_GWEI', bounds.rescueMaxGasPriceWei, 'rescue');
  return 'A rescue can be paid for.';
}

function stateOfRunPrice({ vitals, bounds }: Watched): string {
  checkPrice([...vitals.read().payers], 'MAX_GAS_PRICE_GWEI', bounds.maxGasPriceWei, 'run');
  return 'Gas is cheap enough for runs.';
}

/** Each payer was read together with the node's gas price at that time. */
function checkPrice(payers: readonly [string, Funds][], setting: string, maxWei: bigint, call: string): void {
  const askedWei = largest(payers.map(([, { gasPriceWei }]) => gasPriceWei));
  if (askedWei <= maxWei) return;
  const [asked, max] = [askedWei, maxWei].map((wei) => formatUnits(wei, 9));
  bad('gas_price_capped', `No ${call} is made: gas costs ${asked} gwei, and ${setting} is ${max}.`);
}

function stateOfGasDay({ isGasDayUsed, bounds }: Watched): string {
  if (!isGasDayUsed()) return "The day's gas limit allows runs.";
  return bad(
    'gas_day_used',
    `Runs and deferrals have used ${bnb(bounds.maxDayWei / 2n)} today, half of MAX_GAS_BNB_PER_DAY: none is made until midnight UTC.`,
  );
}

function stateOfWorkers({ workers }: Watched): string {
  const { count = 1, redisMs = 0, isKeyShared = false } = workers?.() ?? {};
  if (isKeyShared)
    bad('key_shared', 'Another worker has the same first key in RESCUE_PRIVATE_KEYS, so both lose time: change one.');
  if (redisMs > MAX_REDIS_MS) bad('redis_silent', `Redis has not answered for ${Math.floor(redisMs / 1000)} s.`);
  return `${count} workers, this one included.`;
}
