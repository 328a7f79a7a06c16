import { expect, test } from 'vitest';
import { createPayerLines, type Turn } from '../../src/payments/payer-lines.ts';

function joined(turn: Turn | undefined): Turn {
  if (turn === undefined) throw new Error('the line is full');
  return turn;
}

test('PY-13: a line lets one after the other go, in order, also when one leaves from the middle', async () => {
  const join = createPayerLines(4, 60_000);
  const turns = ['a', 'a', 'a', 'a'].map((payer) => joined(join(payer)));
  expect(turns.map(({ first }) => first)).toEqual([true, false, false, false]);
  const came: number[] = [];
  const coming = turns.map(async (turn, at) => (await turn.comes()) && came.push(at));
  await coming[0];
  turns[1]?.leave();
  expect(came).toEqual([0]);
  turns[0]?.leave();
  await coming[2];
  expect(came).toContain(2);
  expect(came).not.toContain(3);
  turns[2]?.leave();
  await coming[3];
  expect(came.filter((at) => at !== 1)).toEqual([0, 2, 3]);
});

test('PY-13: a full line takes nobody until somebody leaves; another payer has a line of their own', () => {
  const join = createPayerLines(2, 60_000);
  const one = joined(join('a'));
  const two = joined(join('a'));
  expect(join('a')).toBeUndefined();
  expect(joined(join('b')).first).toBe(true);
  one.leave();
  expect(joined(join('a')).first).toBe(false);
  expect(join('a')).toBeUndefined();
  two.leave();
  expect(joined(join('a')).first).toBe(false);
});

test('PY-13: who waits too long is told so, and who comes after everybody has left is the first again', async () => {
  const join = createPayerLines(2, 50);
  const one = joined(join('a'));
  const two = joined(join('a'));
  expect(await one.comes()).toBe(true);
  expect(await two.comes()).toBe(false);
  two.leave();
  one.leave();
  const three = joined(join('a'));
  expect(three.first).toBe(true);
  expect(await three.comes()).toBe(true);
});
