import { describe, expect, it } from 'vitest';
import type { DuePlan } from '../../../src/loops/executor/plan.ts';
import { createOrderLooks } from '../../../src/loops/executor/tries.ts';

const order = (id: number, owner: number, slotStart = 0n) =>
  ({ plan: { id: BigInt(id), owner: `0x${String(owner).padStart(40, '0')}` }, slotStart }) as unknown as DuePlan;

const strange = Array.from({ length: 500 }, (_, at) => order(at, at % 25));
const honest = order(1_000, 1_000);
const idsOf = (due: readonly DuePlan[]) => due.map(({ plan }) => Number(plan.id));

/** Rounds in which every order that has its turn misses its limit price. */
function rounds(count: number, due: readonly DuePlan[]) {
  const looks = createOrderLooks();
  return Array.from({ length: count }, () => {
    const turn = looks.turn(due);
    for (const each of turn.due) looks.missed(each);
    return turn;
  });
}

// AG-342
describe('orders a little below their price', () => {
  it('are all judged when their slot opens, and then twenty in a round', () => {
    const [first, second] = rounds(2, strange);
    expect(first).toEqual({ due: strange, later: 0 });
    expect([second?.due.length, second?.later]).toEqual([20, 480]);
  });

  it('of many owners, and many of one, leave every owner a turn within two rounds', () => {
    const all = rounds(20, [...strange, honest]).slice(1);
    const seen = all.map(({ due }) => idsOf(due).includes(1_000));
    for (let at = 0; at + 1 < seen.length; at++) expect(seen[at] || seen[at + 1], String(at)).toBe(true);
  });

  it('of one owner take turns, too', () => {
    const own = Array.from({ length: 50 }, (_, at) => order(at, 1));
    const looked = rounds(4, own).slice(1);
    expect(new Set(looked.flatMap(({ due }) => idsOf(due))).size).toBe(50);
  });

  it('are judged at once in their next slot', () => {
    const looks = createOrderLooks();
    for (const each of strange) looks.missed(each);
    expect(looks.turn(strange.map(({ plan }) => order(Number(plan.id), 1, 1n))).later).toBe(0);
  });

  it('hold up no other plan, which is judged in every round', () => {
    const looks = createOrderLooks();
    for (const each of strange) looks.missed(each);
    for (let round = 0; round < 3; round++) expect(idsOf(looks.turn([...strange, honest]).due)).toContain(1_000);
  });
});
