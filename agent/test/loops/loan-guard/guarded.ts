// Shared by the loan guard's tests: a chain of their own, loans and guards on it, and a guard whose rounds are awaited.

import type { BatchPreviewer, JudgedRescue } from '@bowline/chain/readers';
import type { Call } from '@bowline/core/domain/sending';
import type { Address, Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { bob } from '../../../../test/local/accounts.ts';
import { createLoanGuard, type LoanGuardDeps } from '../../../src/loops/loan-guard/tick.ts';
import type { Cause, Counts, Round } from '../../../src/loops/runner.ts';
import { borrow, rescuesOf, setGuard } from '../../loans.ts';
import { type DeployedChain, endSenders, loanGuardDeps, startDeployedChain } from '../world.ts';

export const going = new AbortController().signal;

/** Anvil's fifth account. */
export const dave: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

/** Starts a chain for the file and undoes each test's changes. */
export function guardedChain(prepare: (world: DeployedChain) => Promise<void> = async () => {}) {
  let world: DeployedChain;
  let clean: Hex;
  beforeAll(async () => {
    world = await startDeployedChain();
    await prepare(world);
  }, 180_000);
  afterAll(() => world?.stop());
  beforeEach(async () => {
    clean = await world.chain.snapshot();
  });
  afterEach(async () => {
    await endSenders();
    await world.chain.revert({ id: clean });
  });
  const deps = (changes: Partial<LoanGuardDeps> = {}) => loanGuardDeps(world, changes);
  return {
    world: () => world,
    deps,
    /** One BTCB of collateral, 80 % of whose 100,000 USD count; that many USDT of debt, which the borrower keeps. */
    borrow: (borrower: Address, usdt: string) => borrow(world.chain, borrower, usdt),
    /** Triggers below 1.1 and targets 1.25, at most every ten minutes. */
    setGuard: (borrower: Address, changes: object = {}) => setGuard(world, borrower, changes),
    fall: (usd: bigint) => setPrice(world.chain, bob, 'BTCB', usd * 10n ** 8n),
    rescuesOf: (guardId: bigint) => rescuesOf(world, guardId),
    /** One regular round of an agent that has just been started. */
    tick: async (changes: Partial<LoanGuardDeps> = {}) => (await guarding(deps(changes))()).counts,
    /** Simulates as the node does, unless `answer` says something else. */
    judging: (answer: (guardIds: readonly bigint[]) => Promise<readonly JudgedRescue[]> | undefined) => {
      const { previewer } = deps();
      const rescues = (call: Call) => answer(guardsIn(call)) ?? previewer.rescues(call);
      return { rescues } satisfies Pick<BatchPreviewer, 'rescues'>;
    },
  };
}

/** A loan guard whose rounds end when what they sent is settled, with its outcomes counted. */
export function guarding(deps: LoanGuardDeps) {
  const guard = createLoanGuard(deps);
  return async (cause: Cause = 'interval', stopping: AbortSignal = going): Promise<Round> => {
    const round = await guard.tick(stopping, cause);
    const { nextInSeconds: _, ...rest } = round;
    const counts = sumOf(round.counts, await guard.settled());
    return round.counts.chain_unavailable ? { ...round, counts } : { ...rest, counts };
  };
}

function sumOf(...all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

/** The numbers of the guards that a call rescues. */
export const guardsIn = ({ label }: Pick<Call, 'label'>): readonly bigint[] => (label.match(/\d+/g) ?? []).map(BigInt);

export const isList = (call: Pick<Call, 'label'>): boolean => guardsIn(call).length > 1;
