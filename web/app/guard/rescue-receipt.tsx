import { blocksLate } from '@bowline/chain/rescue-lateness';
import { contractOf, guardKey } from '@bowline/core/domain/guard-key';
import { protocolName } from '@bowline/core/domain/lending';
import { BPS, formatBps, mulDivDown, mulDivUp, WAD } from '@bowline/core/domain/units';
import { useState } from 'react';
import { Link } from 'wouter';
import { assetAt } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import type { Guard } from '../chain/read-guards.ts';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';
import { type TimedRescue, usePenalty } from './use-loan.ts';

interface Props {
  readonly guard: Guard;
  readonly rescue: TimedRescue;
  /** The one before it; undefined of the first. */
  readonly before: TimedRescue | undefined;
  /** Its number, from 0 on. */
  readonly number: number;
  readonly amount: (base: bigint) => string;
}

/** What a rescue did, at what cost, and what a liquidation would have cost. */
export function RescueReceipt({ guard, rescue, before, number, amount }: Props) {
  const settings = useSettings();
  const { data: penaltyWad, isError } = usePenalty(guard);
  const protocol = protocolName(settings.lending, guard);
  const { repaid, sold, healthBeforeWad, healthAfterWad } = rescue;
  const after = healthAfterWad === undefined ? partWords.noDebtLeft : health(healthAfterWad);
  const asset = guard.sale && assetAt(settings, guard.sale.collateralToken);
  const soldWords =
    sold && asset ? `${shortAmount(sold, asset.decimals)} ${asset.symbol}` : partWords.units(sold ?? 0n);
  const cost = BigInt(guard.sale?.maxCostBps ?? 0);
  const heading = `receipt-${guardKey(guard)}`;
  return (
    <section className="summary stack small" aria-labelledby={heading}>
      <h3 id={heading}>{guardWords.receiptOf(when(rescue.time))}</h3>
      <ul className="stack">
        <li>{guardWords.fell(health(healthBeforeWad), health(guard.triggerHealthWad))}</li>
        <li>
          {guard.sale ? guardWords.soldFor(soldWords, amount(repaid), after) : guardWords.paidBy(amount(repaid), after)}
        </li>
        <li>
          {guard.sale ? guardWords.soldAtCost(amount(mulDivUp(repaid, cost, BPS)), formatBps(cost)) : guardWords.noFee}
        </li>
        {penaltyWad !== undefined && (
          <li>
            {guardWords.liquidationCost(
              ...[amount(mulDivDown(repaid, penaltyWad, WAD)), protocol],
              formatBps(mulDivDown(penaltyWad, BPS, WAD)),
            )}
          </li>
        )}
        {isError && penaltyWad === undefined && <li>{guardWords.penaltyUnread(protocol)}</li>}
      </ul>
      <div className="spread">
        <Lateness key={number} {...{ guard, rescue, before, number }} />
        <Link href={`/check/guard/${guardKey(guard)}`}>{guardWords.audit}</Link>
      </div>
    </section>
  );
}

/** Measured on request: it takes a hundred reads of older blocks. */
function Lateness({ guard, rescue, before, number }: Omit<Props, 'amount'>) {
  const client = useChain();
  const { contracts } = useSettings();
  const [found, setFound] = useState<bigint | 'measuring' | 'unknown'>();
  async function measure(): Promise<void> {
    setFound('measuring');
    const { id, sale, adapter, borrower, market, triggerHealthWad } = guard;
    const terms = { adapter, borrower, market, triggerHealthWad };
    // The previous rescue ended an earlier fall. Others are not needed.
    const rescues = Array.from({ length: number + 1 }, (_, at) => (at < number ? before : rescue) ?? rescue).map(
      ({ time, healthBeforeWad }) => ({ time: Number(time), healthBeforeWad }),
    );
    const history = { id, ...(sale && { sale }), terms, rescues };
    setFound((await blocksLate(client, contractOf(contracts, guard), history, number)) ?? 'unknown');
  }
  if (found === undefined || found === 'measuring') {
    return (
      <button
        type="button"
        className="button quiet compact"
        disabled={found === 'measuring'}
        onClick={() => void measure()}
      >
        {found === 'measuring' ? guardWords.measuring : guardWords.measureLate}
      </button>
    );
  }
  return (
    <p role="status">
      {found === 'unknown' ? guardWords.lateUnknown : guardWords.late(guardWords.lateBlocks(Number(found)))}
    </p>
  );
}
