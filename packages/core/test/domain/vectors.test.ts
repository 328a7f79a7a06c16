// Compares the agent's arithmetic with the answers of the contracts' libraries to the same inputs. Where the agent asks
// the chain instead of calculating (floors, rescues), its roundings are checked against the library's formula.
import { expect, test } from 'vitest';
import vectors from '../../../../test/vectors/vectors.json' with { type: 'json' };
import { slotStartOf } from '../../domain/slots.ts';
import { BPS, mulDivDown, mulDivUp, smallest, WAD } from '../../domain/units.ts';

const NO_DEBT_HEALTH = 2n ** 128n - 1n;

/** The agent's own arithmetic, by the library's function. The last number of a row is what Solidity answered. */
const sums: Record<keyof typeof vectors, (...inputs: bigint[]) => bigint> = {
  'Slots.indexAt': (time = 0n, startAt = 0n, periodSeconds = 0n) => mulDivDown(time - startAt, 1n, periodSeconds),
  'Slots.startOf': (time = 0n, startAt = 0n, periodSeconds = 0n) => slotStartOf({ startAt, periodSeconds }, time),
  'Floor.fromLimitUp': (amount = 0n, limit = 0n) => mulDivUp(amount, WAD, limit),
  'Floor.fromPricesUp': (amount = 0n, priceIn = 0n, priceOut = 0n, slippage = 0n) =>
    mulDivUp(amount * priceIn, BPS - slippage, priceOut * BPS),
  'Repayment.healthDown': (weighted = 0n, debt = 0n) =>
    debt === 0n ? NO_DEBT_HEALTH : smallest([mulDivDown(weighted, WAD, debt), NO_DEBT_HEALTH]),
  'Repayment.debtAtDown': (weighted = 0n, target = 0n) => mulDivDown(weighted, WAD, target),
  'Repayment.neededUp': (debt = 0n, atTarget = 0n, price = 0n) =>
    debt <= atTarget ? 0n : mulDivUp(debt - atTarget, WAD, price),
  'Repayment.leftOfDay': (cap = 0n, taken = 0n) => (taken < cap ? cap - taken : 0n),
  'Repayment.clamp': (...bounds) => smallest(bounds),
  'Repayment.debtAfter': (debt = 0n, before = 0n, afterwards = 0n, price = 0n) =>
    debt - mulDivDown(before, price, WAD) + mulDivDown(afterwards, price, WAD),
};

// SD-2
test.each(Object.entries(sums))('%s and the agent agree', (name, sum) => {
  const rows = vectors[name as keyof typeof vectors];
  expect(rows.length).toBeGreaterThanOrEqual(40);
  const agents = rows.map((row) => sum(...row.slice(0, -1).map(BigInt)).toString());
  expect(agents).toEqual(rows.map((row) => row.at(-1)));
});
