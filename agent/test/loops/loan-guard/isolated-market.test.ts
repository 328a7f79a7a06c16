import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { borrowInMoolah, moolahMarketOf } from '../../../../lab/world/moolah.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { bob, carol, give } from '../../../../test/local/accounts.ts';
import { guardedChain } from './guarded.ts';

const { world, borrow, setGuard, rescuesOf, tick } = guardedChain();
const market = moolahMarketOf('BTCB');

/** The same loan as `borrow` takes in Venus. */
async function borrowThere(usdt: string): Promise<void> {
  const { chain } = world();
  const deposit = await give(chain, carol, 'BTCB', '1');
  await chain.sendTogether(carol, borrowInMoolah(market, carol, deposit, parseEther(usdt)));
}

test('LG-5: one round rescues a loan of each protocol, to the same health', async () => {
  const { chain, book } = world();
  await borrow(bob, '70000');
  await setGuard(bob);
  await borrowThere('70000');
  await setGuard(carol, { adapter: book.own.moolahMarket, market: market.id });
  await setPrice(chain, bob, 'BTCB', 94_000n * 10n ** 8n);

  expect(await tick()).toMatchObject({ guards: 2, due: 2, rescued: 2 });

  const [[venus], [moolah]] = await Promise.all([rescuesOf(1n), rescuesOf(2n)]);
  for (const rescue of [venus, moolah]) {
    expect(Number(rescue?.healthBeforeWad) / 1e18).toBeCloseTo((94 * 0.8) / 70, 4);
    expect(Math.abs(Number(rescue?.healthAfterWad) / 1.25e18 - 1)).toBeLessThan(1e-6);
  }
});

test('LG-22: no rescue leaves less than the market takes: the whole debt is repaid', async () => {
  const { chain, book } = world();
  await borrowThere('20');
  // The debt grows every second, so the whole debt exceeds what was borrowed.
  await give(chain, carol, 'USDT', '1');
  await setGuard(carol, { adapter: book.own.moolahMarket, market: market.id, minRepay: parseEther('5') });
  // A debt of 20 at a health of 0.8 needs 7.2 to be repaid, which leaves less than 15.
  await setPrice(chain, bob, 'BTCB', 20n * 10n ** 8n);

  expect(await tick()).toMatchObject({ guards: 1, due: 1, rescued: 1 });

  const [rescue] = await rescuesOf(1n);
  expect(rescue?.repaid).toBeGreaterThanOrEqual(parseEther('20'));
});
