// The whole path of a rescue, composed as in main.ts, for tests on a real node behind a line that can be cut.

import { connectChain } from '@bowline/chain/chain-client';
import { createGuardReader } from '@bowline/chain/guard-reader';
import { createHealthReader } from '@bowline/chain/health-reader';
import { lensesOf } from '@bowline/chain/lending/lenses';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { createPriceReader } from '@bowline/chain/price-reader';
import { createBatchPreviewer } from '@bowline/chain/rescue-calls';
import { readinessOf } from '@bowline/core/domain/readiness';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { clock, timers } from '@bowline/http/clock';
import { parseEther, parseGwei } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { localChainId } from '../../../../lab/world/fork.ts';
import { createLoanGuard } from '../../../src/loops/loan-guard/tick.ts';
import { createWaitingRescues, rescuesLook } from '../../../src/loops/loan-guard/waiting.ts';
import { type Loop, startLoop } from '../../../src/loops/runner.ts';
import { listed } from '../../../src/process/conditions.ts';
import { createCalls } from '../../../src/sending/calls.ts';
import { openKeeper } from '../../../src/sending/keeper.ts';
import { headsOf, sendingOn } from '../../sending/sending.ts';
import { keepLog, type Logged } from '../world.ts';

// Alice's: anvil's second account. The key is public.
export const keeperKey = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const gasBounds = {
  maxGasPriceWei: parseGwei('5'),
  rescueMaxGasPriceWei: parseGwei('20'),
  maxDayWei: parseEther('1000'),
};

interface Rescuing {
  /** The node's. */
  readonly url: string;
  readonly book: AddressBook;
  readonly rescuers: readonly PrivateKeyAccount[];
  /** Receives the functions that end it, in order. */
  readonly stops: (() => unknown)[];
}

export async function startRescuing({ url, book, rescuers, stops }: Rescuing) {
  const client = connectChain(url);
  const log = keepLog();
  /** At warn and above, as an operator sees them first. */
  const warnings: Logged[] = [];
  const loud = (event: string, fields = {}) => {
    warnings.push({ event, ...fields });
    log.warn(event, fields);
  };
  const told = { ...log, warn: loud, error: loud };
  const chainId = localChainId;
  const heads = headsOf(client, told);
  const keys = { account: keeperKey, rescuers };
  const keeper = await openKeeper({ ...sendingOn(client, told), ...keys, book, heads, chainId, gasBounds });
  const { sender } = keeper;
  const waiting = createWaitingRescues(timers);
  const guards = createGuardReader(client, book, sender.address);
  const { tick, settled } = createLoanGuard({
    reader: { ...guards, balances: createPlanReader(client, book.own, book.assets).balances },
    loans: createHealthReader(client, lensesOf(client, book.lending)),
    assets: book.assets,
    prices: createPriceReader(client, book),
    serving: {
      maxTriggerHealthWad: parseEther('2'),
      minimumRepayUsdWad: parseEther('5'),
    },
    calls: createCalls(book.own),
    previewer: createBatchPreviewer(client, sender.address),
    sender,
    waiting,
    clock,
    log: told,
  });
  const loop: Loop = startLoop('loan-guard', tick, 300, timers, told);
  stops.push(heads.stop, heads.onHead(loop.trigger), async () => {
    await Promise.all([loop.stop(), keeper.stop()]);
    await settled();
  });
  await expect.poll(() => log.lines.some(({ event }) => event === 'tick.end')).toBe(true);
  return { log, warnings, sender, readiness: () => readinessOf([listed(rescuesLook(waiting))]) };
}
