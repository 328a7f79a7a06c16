import { createBatchPreviewer } from '@bowline/chain/batch-previewer';
import { connectChain } from '@bowline/chain/chain-client';
import { contractErrorName } from '@bowline/chain/contract-error';
import { WAD } from '@bowline/core/domain/units';
import { formatEther } from 'viem';
import { expect, test } from 'vitest';
import { loanGuardAbi } from '../../abis/index.ts';
import { borrow, introduce, setGuard, stranger } from '../../agent/test/loans.ts';
import { guardedChain } from '../../agent/test/loops/loan-guard/guarded.ts';
import { keeper } from '../../agent/test/loops/world.ts';
import type { RescueRecord } from '../../agent/test/sim/contracts.ts';
import { crashOf, fallenWad } from '../../lab/bench/gap/crash.ts';
import {
  cooldownSeconds,
  type GuardedLoan,
  isLiquidatable,
  judge,
  minRepay,
  type Prices,
} from '../../lab/bench/gap/loans.ts';
import { comptrollerAbi } from '../../lab/world/abis.ts';
import { feeds, venus } from '../../lab/world/addresses.ts';
import { setAnswer, setPrice } from '../../lab/world/oracle.ts';
import { approve, bob, give } from '../local/accounts.ts';

// The model of `npm run lab -- bench:gap` must say of a loan what LoanGuard and Venus say of it.

const { world, deps } = guardedChain();
const btcUsd8 = 100_000n * 10n ** 8n;
/** Of one BTCB; the liquidation threshold is 0.8. */
const weightedEach = 80_000n;

interface Case {
  readonly loan: GuardedLoan;
  readonly fallBps: number;
}

/**
 * Loans that the fall makes liquidatable, two of each kind of answer that the first rescue gets. Venus lends up to a
 * health of 1.
 */
function cases(): readonly Case[] {
  const byKind = new Map<string, Case[]>();
  for (let seed = 1; seed <= 150; seed += 1) {
    const { fallBps, loans } = crashOf(seed);
    for (const loan of loans.filter(({ namesFeed }) => namesFeed)) {
      if (!isLiquidatable(loan, [], pricesOf(fallBps))) continue;
      const judged = judge(loan, [], pricesOf(fallBps, false), 0n);
      byKind.set(kindOf(judged), [...(byKind.get(kindOf(judged)) ?? []), { loan, fallBps }]);
    }
  }
  return [...byKind.values()].flatMap((of) => of.slice(0, 2));
}

const kindOf = (judged: ReturnType<typeof judge>): string =>
  'refusal' in judged ? contractErrorName(judged.refusal) : judged.repaid < judged.needed ? 'partial' : 'full';

function pricesOf(fallBps: number, isFollowed = true): Prices {
  const fallen = fallenWad(fallBps);
  return { protocolWad: isFollowed ? fallen : WAD, feedWad: fallen };
}
const usd8Of = (priceWad: bigint): bigint => (btcUsd8 * priceWad) / WAD;

/** To a hundred-thousandth: interest accrues meanwhile. */
const near = (actual: bigint, expected: bigint): boolean =>
  (actual > expected ? actual - expected : expected - actual) * 100_000n <= expected;

test('AG-87: the modelled guard decides as LoanGuard does on Venus', async () => {
  const { chain, url, book } = world();
  const previewer = createBatchPreviewer(connectChain(url), keeper);
  const seen = new Set<string>();
  for (const [at, { loan, fallBps }] of cases().entries()) {
    const before = await chain.snapshot();
    const account = stranger(at);
    await introduce(chain, account);
    await give(chain, account, 'USDT', '1');
    const collateral = formatEther(loan.weightedCollateral / weightedEach);
    await borrow(chain, account, formatEther(loan.debt), { BTCB: collateral });
    await setGuard(world(), account, {
      priceSource: book.own.chainlinkPriceSource,
      triggerHealthWad: loan.triggerHealthWad,
      targetHealthWad: loan.targetHealthWad,
      capPerRescue: loan.capPerRescue,
      capPerDay: loan.capPerRescue,
      minRepay,
      cooldownSeconds: Number(cooldownSeconds),
    });
    await approve(chain, account, 'USDT', book.own.loanGuard, loan.funds);
    const guard = await deps().reader.guard(1n);
    const records: RescueRecord[] = [];

    for (const isFollowed of [false, true]) {
      const prices = pricesOf(fallBps, isFollowed);
      if (isFollowed) await setPrice(chain, bob, 'BTCB', usd8Of(prices.protocolWad));
      else await setAnswer(chain, bob, feeds.BTCB, usd8Of(prices.feedWad));
      const [, , shortfall] = await chain.readContract({
        address: venus.comptroller,
        abi: comptrollerAbi,
        functionName: 'getAccountLiquidity',
        args: [account],
      });
      expect({ at, isFollowed, is: shortfall > 0n }).toEqual({
        ...{ at, isFollowed },
        is: isLiquidatable(loan, records, prices),
      });
      const { timestamp } = await chain.getBlock();
      const expected = judge(loan, records, prices, timestamp);
      seen.add(kindOf(expected));
      const [judged] = await previewer.rescues(deps().calls.rescue(guard));
      if ('refusal' in expected) {
        expect(judged).toEqual({ error: contractErrorName(expected.refusal) });
        continue;
      }
      expect({ at, judged }).toEqual({ at, judged: { repay: expect.any(BigInt) } });
      const { repay } = judged as { repay: bigint };
      expect(near(repay, expected.repaid)).toBe(true);
      await chain.send(keeper, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [1n] });
      records.push({ ...expected, repaid: repay, time: timestamp, hash: '0x' });
    }
    await chain.revert({ id: before });
  }
  expect([...seen]).toEqual(expect.arrayContaining(['full', 'partial', 'health_at_target', 'cooling_down']));
});
