import type { ChainClient } from '@bowline/chain/chain-client';
import { createHealthReader } from '@bowline/chain/health-reader';
import type { LendingLens, Rates } from '@bowline/chain/lending/lens';
import type { Head } from '@bowline/core/domain/heads';
import type { Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { USDT } from '@bowline/core/test/verdict/proposals';
import { type Hex, padHex, toHex, zeroHash } from 'viem';
import { book, keeperKey, wallet } from '../../../agent/test/sim/addresses.ts';
import { startAgent } from '../../../agent/test/sim/agent.ts';
import { type Block, blockMs, createChain } from '../../../agent/test/sim/chain.ts';
import { type Line, type NextSend, newNetwork } from '../../../agent/test/sim/network.ts';
import { createProcess } from '../../../agent/test/sim/process.ts';
import { createRandom } from '../../../agent/test/sim/random.ts';
import { createReaders } from '../../../agent/test/sim/readers.ts';
import { createVirtualTime } from '../../../agent/test/sim/virtual-time.ts';
import { type Crash, fallenWad } from './crash.ts';
import { cooldownSeconds, type GuardedLoan, judge, minRepay, type Prices, valuesOf } from './loans.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** How the agent hears of a block: by a WebSocket, or by asking again after so many milliseconds. */
export type HeadsBy = 'websocket' | { readonly pollMs: number };

export interface GapOptions {
  readonly headsBy: HeadsBy;
  /** A break: the agent does not know of any guard's price source. */
  readonly ignoresSources?: boolean;
}

/** Unix seconds at the start. */
const startsAt = 1_800_000_000n;
/** What reaches the validator later than this before its block waits for the next one. */
const closesMs = 50;
/** More than the agent sends. */
const maxSends = 1_000;
/** As on BNB Chain. */
const guardInterval = 300;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Runs the agent through a crash in virtual time, up to the block of the protocol's new price. Liquidators stand first in
 * that block: what counts is the state before it.
 */
export async function simulateGap(crash: Crash, options: GapOptions): Promise<readonly Outcome[]> {
  const { seed, rttMs, rescuers, feedBlock, lead, loans } = crash;
  const random = createRandom(seed ^ 0x2545f491);
  const time = createVirtualTime(createRandom(seed ^ 0x5bd1e995));
  const byId = new Map(loans.map((loan) => [loan.id, loan]));
  const chain = createChain({
    operator: keeperKey,
    plans: [],
    startsAt,
    judgeRescue: ({ rescues }, around, guardId) =>
      judge(byId.get(guardId) as GuardedLoan, rescues.get(guardId) ?? [], pricesAt(crash, around.number), around.time),
  });
  chain.setMinGasPrice(10n ** 8n);
  const network = newNetwork();
  network.nextSends.push(...Array.from({ length: maxSends }, (): NextSend => ({ heldMs: closesMs })));
  const listeners = new Set<(head: Head) => void>();
  const process = createProcess(time);
  let outcomes: readonly Outcome[] = [];

  function block(): void {
    if (chain.head().number + 1 === feedBlock + lead) {
      const { state } = chain.head();
      const prices = (number: number) => pricesAt(crash, number);
      outcomes = loans.flatMap((loan) => outcomeOf(crash, loan, state.rescues.get(loan.id) ?? [], prices) ?? []);
    }
    const { number, hash, timestamp } = chain.mine(time.now());
    const head = { number: BigInt(number), hash, timestamp };
    for (const listen of listeners) time.after((rttMs / 2) * (0.5 + random.unit()), () => listen(head));
    time.after(blockMs, block);
  }

  time.after(blockMs, block);
  time.after(crash.startMs, () => {
    startAgent(
      {
        ...{
          chain,
          network,
          time,
          random,
          rttMs,
          isWallet: false,
          knowsNodes: false,
          rescuers,
          bundler: undefined,
          guardInterval,
        },
        guardIds: [...byId.keys()],
        clock: () => startsAt + BigInt(Math.floor(time.now() / 1000)),
        ...(options.headsBy !== 'websocket' && { blockPollMs: options.headsBy.pollMs }),
        ...(options.headsBy === 'websocket' && {
          subscriptions: [
            (listen) => {
              listeners.add(listen);
              return () => void listeners.delete(listen);
            },
          ],
        }),
        readersOf: (line, client) => readersOf(crash, line, client, options),
      },
      process,
      { log: silent, sending() {}, sent() {} },
    );
  });
  await time.run((feedBlock + lead) * blockMs + 1);
  process.kill();
  return outcomes;

  function readersOf(at: Crash, line: Pick<Line, 'read'>, client: ChainClient, { ignoresSources = false }: GapOptions) {
    const { guards: others } = createReaders(chain, line, [], keeperKey);
    const guards = loans.map((loan) => guardOf(loan, ignoresSources));
    const loanOf = new Map(guards.map(({ id, borrower }) => [borrower, byId.get(id) as GuardedLoan]));
    const values: LendingLens['read'] = (accounts) =>
      line.read(({ number, state }) =>
        accounts.map(({ borrower, priceSource }) => {
          const loan = loanOf.get(borrower) as GuardedLoan;
          const { weightedBySource, ...own } = valuesOf(loan, state.rescues.get(loan.id) ?? [], pricesAt(at, number));
          return { ...own, ...(priceSource && weightedBySource !== undefined && { weightedBySource }) };
        }),
      );
    const rates: LendingLens['rates'] = async (accounts) => {
      const read = await values(accounts);
      const byAccount = new Map(accounts.map((account, each) => [account, read[each]]));
      const now: Rates = {
        markets: [],
        worths: () => undefined,
        valued: (account) => byAccount.get(account),
        moved: () => now,
      };
      return now;
    };
    return {
      guards: {
        ...others,
        guards: () =>
          line.read((now) => ({
            block: { number: BigInt(now.number), timestamp: now.timestamp },
            guards: guards.map((guard) => withState(guard, now)),
            unread: 0,
          })),
      },
      loans: createHealthReader(client, new Map([[wallet, { read: values, rates, shapeOf: () => undefined }]])),
    };
  }
}

/** After the block of this number. */
function pricesAt({ fallBps, feedOffBps, feedBlock, lead }: Crash, number: number): Prices {
  const fallen = fallenWad(fallBps);
  return {
    protocolWad: number >= feedBlock + lead ? fallen : WAD,
    feedWad: number >= feedBlock ? (fallen * BigInt(10_000 + feedOffBps)) / 10_000n : WAD,
  };
}

function guardOf(loan: GuardedLoan, ignoresSources: boolean): Guard {
  const account: Hex = padHex(toHex(0xb0_0000n + loan.id), { size: 20 });
  const { id, triggerHealthWad, targetHealthWad, capPerRescue } = loan;
  return {
    ...{ id, triggerHealthWad, targetHealthWad, capPerRescue, minRepay, cooldownSeconds },
    ...{ borrower: account, funder: account, adapter: wallet, market: zeroHash, repayToken: USDT.address },
    ...(loan.isKeepers && { keeper: keeperKey }),
    ...(loan.namesFeed && !ignoresSources && { priceSource: book.own.chainlinkPriceSource }),
    capPerDay: capPerRescue,
    expiresAt: startsAt * 2n,
    status: 'active',
    lastRescueAt: 0n,
    day: 0n,
    takenInDay: 0n,
    rescues: 0,
  };
}

function withState(guard: Guard, { state }: Block): Guard {
  const records = state.rescues.get(guard.id) ?? [];
  const last = records.at(-1);
  if (last === undefined) return guard;
  const { isBySource } = last;
  return { ...guard, lastRescueAt: last.time, rescues: records.length, ...(isBySource && { isBySource }) };
}
