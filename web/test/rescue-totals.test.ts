import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import type { Guard } from '../app/chain/read-guards.ts';
import { csvOfRescues, type Told, totalsOf } from '../app/guard/rescue-totals.ts';

const rescue = (repaid: string, time: bigint) => ({
  ...{ repaid: parseEther(repaid), outcome: 'full', time },
  ...{ healthBeforeWad: parseEther('1.07'), healthAfterWad: parseEther('1.25') },
});
const told = (id: bigint, changes: object = {}): Told =>
  ({
    ...{ guard: { id, repayToken: '0xAa' } as unknown as Guard, protocol: 'Venus', symbol: 'USDT', decimals: 18 },
    ...{ rescues: [rescue('100', 1_800_000_060n), rescue('50', 1_800_000_120n)], penaltyWad: parseEther('0.1') },
    ...changes,
  }) as Told;

test('WB-314: rescues have totals by token, and no sum of penalties of which one is not known', () => {
  const sale = { funding: 'collateral', collateralToken: '0xBb', collateralMarket: '0xCc', maxCostBps: 200 };
  const guard = { id: 1n, repayToken: '0xaa', sale } as unknown as Guard;
  const all = [told(1n), told(1n, { guard, penaltyWad: parseEther('0.05') })];
  expect(totalsOf(all)).toEqual([
    { symbol: 'USDT', decimals: 18, rescues: 4, repaid: parseEther('300'), saved: parseEther('22.5') },
  ]);
  expect(totalsOf([...all, told(2n, { penaltyWad: undefined })])).toMatchObject([{ rescues: 6, saved: undefined }]);
  const other = told(3n, { guard: { id: 3n, repayToken: '0xDd' }, symbol: 'a,b' });
  expect(totalsOf([...all, other])).toHaveLength(2);
  const lines = csvOfRescues([told(1n, { guard }), other]).split('\r\n');
  expect(lines).toHaveLength(6);
  // Oldest first, whichever guard they belong to.
  expect(lines[1]).toBe('collateral-1,Venus,2027-01-15T08:01:00.000Z,100,USDT,collateral,,0xBb,1.07,1.25,yes,10');
  expect(lines[2]).toContain('3,Venus,2027-01-15T08:01:00.000Z,100,"a,b",wallet');
});
