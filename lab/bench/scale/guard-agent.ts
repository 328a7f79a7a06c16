// The agent's loan guard as compose puts it together, with the keeper's key and rescue keys.

import { createBatchPreviewer } from '@bowline/chain/batch-previewer';
import { connectChain } from '@bowline/chain/chain-client';
import { createGuardReader } from '@bowline/chain/guard-reader';
import { watchHeads } from '@bowline/chain/head';
import { createHealthReader } from '@bowline/chain/health-reader';
import { lensesOf } from '@bowline/chain/lending/lenses';
import { createPenaltyReader } from '@bowline/chain/penalty-reader';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { createPriceReader } from '@bowline/chain/price-reader';
import { clock, timers } from '@bowline/http/clock';
import { parseEther, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createLoanGuard } from '../../../agent/src/loops/loan-guard/tick.ts';
import { startLoop, type Tick } from '../../../agent/src/loops/runner.ts';
import { createCalls, gasBoundsOf } from '../../../agent/src/sending/calls.ts';
import { openKeeper } from '../../../agent/src/sending/keeper.ts';
import { createBroadcast } from '../../../agent/src/sending/nodes.ts';
import { nodeOf } from '../../../agent/test/sending/sending.ts';
import type { DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { localChainId } from '../../world/fork.ts';

// Of anvil's second account, which everybody knows.
const keeperKey = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const serving = {
  maxTriggerHealthWad: parseEther('2'),
  minimumRepayUsdWad: parseEther('5'),
};
/** As the settings have them by default on a local chain. */
const gasBounds = gasBoundsOf(parseGwei('5'), parseEther('30'));

export interface GuardAgent {
  /** Milliseconds of each round so far. */
  readonly rounds: readonly number[];
  /** How often each warning, error or refusal was logged since the last call. */
  trouble(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Counts what needs attention. */
function countingLog() {
  const counts = new Map<string, number>();
  const count = (event: string, { error, rule, reason }: Record<string, unknown> = {}) => {
    const why = typeof error === 'string' ? error : (rule ?? reason);
    const name = why === undefined ? event : `${event} ${why}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const info = (event: string, fields?: object) => {
    if (event === 'call.would_revert') count(event, { ...fields });
  };
  const loud = (event: string, fields?: object) => count(event, { ...fields });
  return {
    log: { debug() {}, info, warn: loud, error: loud },
    take() {
      const taken = Object.fromEntries(counts);
      counts.clear();
      return taken;
    },
  };
}

export interface GuardSettings {
  readonly rescueKeys: number;
  /** Between two looks for a block. */
  readonly pollMs: number;
}

/** Starts the loan guard with all its guards read once. `url`: the node, or a line to it. */
export async function startGuardAgent(
  { chain, book }: DeployedChain,
  url: string,
  { rescueKeys, pollMs }: GuardSettings,
): Promise<GuardAgent> {
  const client = connectChain(url);
  const { log, take } = countingLog();
  const rescuers = Array.from({ length: rescueKeys }, () => privateKeyToAccount(generatePrivateKey()));
  for (const { address } of rescuers) await chain.setBalance({ address, value: parseEther('100') });
  const heads = watchHeads({ nodes: nodeOf(client), pollMs, clock, timers, log });
  const keeper = await openKeeper({
    client,
    book,
    account: keeperKey,
    rescuers,
    chainId: localChainId,
    gasBounds,
    broadcast: createBroadcast([client], log),
    heads,
    log,
    clock,
    timers,
  });
  const guard = createLoanGuard({
    reader: {
      ...createGuardReader(client, book, keeper.sender.address),
      balances: createPlanReader(client, book.own, book.assets).balances,
    },
    loans: createHealthReader(client, lensesOf(client, book.lending)),
    assets: book.assets,
    prices: createPriceReader(client, book),
    penalties: createPenaltyReader(client, book.lending),
    serving,
    calls: createCalls(book.own),
    previewer: createBatchPreviewer(client, keeper.sender.address),
    sender: keeper.sender,
    quietMs: pollMs,
    clock,
    log,
  });
  heads.restWhile(() => guard.isQuiet() && keeper.open().length === 0);
  const rounds: number[] = [];
  const first = Promise.withResolvers<void>();
  const tick: Tick = async (...args) => {
    const from = performance.now();
    const round = await guard.tick(...args);
    rounds.push(performance.now() - from);
    first.resolve();
    return round;
  };
  const loop = startLoop('loan-guard', tick, 300, timers, log);
  const unwatch = heads.onHead(({ number }) => guard.wants(number) && loop.trigger());
  await first.promise;
  return {
    rounds,
    trouble: take,
    async stop() {
      unwatch();
      heads.stop();
      await Promise.all([loop.stop(), keeper.stop()]);
      await guard.settled();
    },
  };
}
