import type { Asset } from '@bowline/core/domain/assets';
import type { Guard } from '@bowline/core/domain/permissions';
import type { BalanceReader, Call, Log, RescueReader, Sender } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import type { Confirmed } from '../dispatch.ts';
import { createDispatch, type Dispatch } from '../dispatch.ts';
import type { Tally } from '../runner.ts';
import { repayAssetOf } from './plan.ts';

/** Maximum number of rescues by other keepers since the guard was read. */
const maxOthers = 50;

/** Logs a rescue. Runs after the fact and never throws: a failed report does not undo the rescue. */
export async function reportRescue(
  reader: RescueReader & BalanceReader,
  log: Log,
  assets: readonly Asset[],
  guard: Guard,
  { hash, block }: Confirmed,
): Promise<void> {
  const known = { guardId: guard.id, borrower: guard.borrower, hash };
  try {
    const record = (await reader.rescues(guard.id, guard.rescues, guard.rescues + maxOthers)).at(-1);
    if (record === undefined) throw new BowlineError('internal', `Guard ${guard.id} has no record of its rescue.`);
    const token = repayAssetOf(guard, assets);
    const at = (number: bigint) => held(reader, guard, token, number);
    const [funderBefore, funderAfter] = await Promise.all([at(block - 1n), at(block)]);
    log.info('rescue.done', {
      ...known,
      repaid: token === undefined ? record.repaid : `${formatUnits(record.repaid, token.decimals)} ${token.symbol}`,
      outcome: record.outcome,
      healthBefore: formatUnits(record.healthBeforeWad, 18),
      healthAfter: record.healthAfterWad === undefined ? 'no debt left' : formatUnits(record.healthAfterWad, 18),
      funderBefore,
      funderAfter,
    });
  } catch (error) {
    log.info('rescue.done', known);
    log.warn('report.failed', { guardId: guard.id, error });
  }
}

/** The funder's holdings of the repaid token, keyed by its symbol; empty if the token is not listed. */
async function held(reader: BalanceReader, { funder }: Guard, token: Asset | undefined, block: bigint) {
  if (token === undefined) return {};
  const [amount = 0n] = await reader.balances(funder, [token.address], block);
  return { [token.symbol]: formatUnits(amount, token.decimals) };
}

/** One way of sending. A slow or lost call on it does not hold up other lines. */
export interface Line {
  readonly dispatch: Dispatch;
  isBusy(): boolean;
  /** Starts the work if the line is idle. */
  start(work: () => Promise<unknown>): void;
}

/** One line for each way of a sender; a single line if the sender has one way. */
export interface Lines {
  of(call: Call): Line;
  /** Checks each idle line for the outcome of its lost call. */
  findLost(tally: Tally): void;
  areBusy(): boolean;
  hasLost(): boolean;
  /** Resolves when no line is busy, or after a moment if other ways may be free. */
  pause(): Promise<void>;
  /** Resolves when no line is busy. Throws what the work threw. */
  end(): Promise<void>;
}

/** About one block. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 500));

export function createLines(sender: Sender, log: Log): Lines {
  const lines = new Map<unknown, Line>();
  const works = new Set<Promise<void>>();
  let failures: unknown[] = [];

  function newLine(): Line {
    let busy = false;
    return {
      dispatch: createDispatch(sender, log),
      isBusy: () => busy,
      start(work) {
        busy = true;
        const run = async () => {
          try {
            await work();
          } catch (error) {
            failures.push(error);
          }
          busy = false;
        };
        const running: Promise<void> = run().finally(() => works.delete(running));
        works.add(running);
      },
    };
  }

  const whenAll = async () => void (await Promise.all(works));
  return {
    of(call) {
      const way = sender.wayOf?.(call);
      const line = lines.get(way) ?? newLine();
      lines.set(way, line);
      return line;
    },
    findLost(tally) {
      for (const line of lines.values()) {
        if (!line.isBusy() && line.dispatch.hasLost()) line.start(() => line.dispatch.findLost(tally));
      }
    },
    areBusy: () => works.size > 0,
    hasLost: () => [...lines.values()].some(({ dispatch }) => dispatch.hasLost()),
    async pause() {
      if (works.size === 0) return;
      await (sender.wayOf === undefined ? whenAll() : Promise.race([whenAll(), moment()]));
    },
    async end() {
      await whenAll();
      const [failure] = failures;
      const hasFailed = failures.length > 0;
      failures = [];
      if (hasFailed) throw failure;
    },
  };
}
