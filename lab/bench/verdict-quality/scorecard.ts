import type { Verdict } from '@bowline/core/domain/verdict';

// What waiting for GO has gained and cost, by the same measure. Floats are fine: this is a report, and nothing is paid
// with it.

/** One slot of a plan that buys for the same dollars each time. */
export interface Slot {
  readonly verdict: Verdict;
  readonly reason?: string;
  /** The true price: USD of one whole asset. */
  readonly price: number;
  /** How much less a purchase in this slot returns than it costs: 0.02 is 2 %. */
  readonly loss: number;
}

export interface Row {
  readonly reason: string;
  readonly deferrals: number;
  /** USD gained, and lost, by waiting; over all deferrals with this reason. */
  readonly saved: number;
  readonly lost: number;
}

/**
 * Per reason of each deferral: the slot's dollars buy in the next GO slot instead. Their value is compared with that of
 * an immediate purchase, both at the later price. Deferrals after the last GO are left out.
 */
export function scorecard(
  slots: readonly Slot[],
  usdPerSlot: number,
): { readonly bought: number; readonly rows: Row[] } {
  const rows = new Map<string, { deferrals: number; saved: number; lost: number }>();
  let waiting: Slot[] = [];
  let bought = 0;
  for (const slot of slots) {
    if (slot.verdict !== 'GO') {
      waiting.push(slot);
      continue;
    }
    bought += 1;
    for (const { reason = 'none', price, loss } of waiting) {
      const atOnce = ((usdPerSlot * (1 - loss)) / price) * slot.price;
      const now = usdPerSlot * (1 - slot.loss);
      const row = rows.get(reason) ?? { deferrals: 0, saved: 0, lost: 0 };
      row.deferrals += 1;
      if (now > atOnce) row.saved += now - atOnce;
      else row.lost += atOnce - now;
      rows.set(reason, row);
    }
    waiting = [];
  }
  const named = [...rows].map(([reason, row]) => ({ reason, ...row }));
  return { bought, rows: named.toSorted((a, b) => b.deferrals - a.deferrals) };
}
