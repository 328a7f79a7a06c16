import { guardKey } from '@bowline/core/domain/guard-key';
import { protocolName } from '@bowline/core/domain/lending';
import { grouped } from '@bowline/core/domain/readable';
import { BPS, formatBps, mulDivDown, mulDivUp, WAD } from '@bowline/core/domain/units';
import { useState } from 'react';
import { Link } from 'wouter';
import { assetAt } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { LoanMarket } from '../chain/read-loan.ts';
import { useSettings } from '../settings.tsx';
import { moneyOf, usd } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';
import { readThen, type Then } from './read-then.ts';
import { type TimedRescue, usePenalty } from './use-loan.ts';

interface Props {
  readonly guard: Guard;
  readonly rescue: TimedRescue;
  /** The previous rescue; undefined for the first. */
  readonly before: TimedRescue | undefined;
  /** The rescue's number, from 0. */
  readonly number: number;
  readonly amount: (base: bigint) => string;
  /** The loan's markets, as they are now. */
  readonly markets: readonly LoanMarket[];
}

/** What a rescue did, at what cost, and what a liquidation would have cost. */
export function RescueReceipt({ guard, rescue, before, number, amount, markets }: Props) {
  const settings = useSettings();
  const { data: penaltyWad, isError } = usePenalty(guard);
  const protocol = protocolName(settings.lending, guard);
  const { repaid, sold, healthBeforeWad, healthAfterWad } = rescue;
  const after = healthAfterWad === undefined ? partWords.noDebtLeft : health(healthAfterWad);
  const asset = guard.sale && assetAt(settings, guard.sale.collateralToken);
  const cost = BigInt(guard.sale?.maxCostBps ?? 0);
  const heading = `receipt-${guardKey(guard)}`;
  return (
    <section className="summary stack small" aria-labelledby={heading}>
      <h3 id={heading}>{guardWords.receiptOf(when(rescue.time))}</h3>
      <ul className="stack">
        <li>{guardWords.fell(health(healthBeforeWad), health(guard.triggerHealthWad))}</li>
        <li>
          {guard.sale
            ? guardWords.soldFor(moneyOf(asset).amount(sold ?? 0n), amount(repaid), after)
            : guardWords.paidBy(amount(repaid), after)}
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
        <Looked key={number} {...{ guard, rescue, before, number, markets }} />
        <Link href={`/check/guard/${guardKey(guard)}`}>{guardWords.audit}</Link>
      </div>
    </section>
  );
}

/** Looked up on request: it takes a hundred reads of older blocks. */
function Looked({ guard, ...of }: Omit<Props, 'amount'>) {
  const client = useChain();
  const settings = useSettings();
  const [then, setThen] = useState<Then | 'looking'>();
  async function look(): Promise<void> {
    setThen('looking');
    setThen(await readThen(client, settings, guard, of));
  }
  if (then === undefined || then === 'looking') {
    return (
      <button type="button" className="button quiet compact" disabled={then === 'looking'} onClick={() => void look()}>
        {then === 'looking' ? guardWords.looking : guardWords.lookUp}
      </button>
    );
  }
  return (
    <div role="status">
      <p>{pricesThen(then, protocolName(settings.lending, guard))}</p>
      <p>
        {then.late === undefined ? guardWords.lateUnknown : guardWords.late(guardWords.lateBlocks(Number(then.late)))}
      </p>
    </div>
  );
}

function pricesThen({ block, prices }: Then, protocol: string): string {
  if (block === undefined || prices.length === 0) return guardWords.pricesUnread;
  const each = prices.map(({ symbol, usdWad }) => guardWords.priceOfOne(symbol, usd(usdWad)));
  return guardWords.pricesThen(protocol, grouped(block), each);
}
