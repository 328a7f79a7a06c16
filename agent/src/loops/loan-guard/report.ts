import type { Asset } from '@bowline/core/domain/assets';
import type { Guard } from '@bowline/core/domain/permissions';
import type { BalanceReader, Log, RescueReader } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import type { Confirmed } from '../dispatch.ts';
import { repayAssetOf } from './plan.ts';

/** Rescues that others may have made since the guard was read. */
const maxOthers = 50;

/** Told after the fact and apart from it: a report that cannot be made does not undo the rescue. Never throws. */
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

/** What the funder has of what is repaid, by its symbol; nothing where that is not listed. */
async function held(reader: BalanceReader, { funder }: Guard, token: Asset | undefined, block: bigint) {
  if (token === undefined) return {};
  const [amount = 0n] = await reader.balances(funder, [token.address], block);
  return { [token.symbol]: formatUnits(amount, token.decimals) };
}
