import type { Address } from '@bowline/core/domain/units';
import { rankOf } from '../../src/workers/turns.ts';
import { keeperKey } from './addresses.ts';
import { type Agent, startAgent } from './agent.ts';
import { blockMs, createChain } from './chain.ts';
import { type Line, type Network, newNetwork } from './network.ts';
import { createPool } from './pool.ts';
import { createProcess, type Process } from './process.ts';
import { createRandom } from './random.ts';
import { createReaders } from './readers.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

// Several workers of one chain in virtual time, with a modelled Redis between them.

const startsAt = 1_800_000_000n;
/** As in redis.ts: the timeout of a command, and how long a worker's entry lasts. */
const [answerMs, goneMs] = [1_000, 5_000];

/** `gone`: the connection is refused. `frozen`: it answers nothing. */
export interface ModelRedis {
  down: 'gone' | 'frozen' | undefined;
  /** Entries of workers that do not exist. */
  lies: readonly string[];
  empty(): void;
  beat(process: Process): (own: string | undefined) => Promise<unknown>;
}

function createRedis(time: VirtualTime): ModelRedis {
  const said = new Map<string, number>();
  const redis: ModelRedis = {
    down: undefined,
    lies: [],
    empty: () => said.clear(),
    beat: (process) => async (own) => {
      await process.step();
      await time.wait(1);
      if (redis.down === 'frozen') await time.wait(answerMs);
      if (redis.down !== undefined) throw new Error(redis.down);
      if (own !== undefined) said.set(own, time.now());
      for (const [each, at] of said) if (time.now() - at > goneMs) said.delete(each);
      const live = [...said].toSorted(([, a], [, b]) => a - b).map(([each]) => each);
      await process.step();
      return [...redis.lies, ...live];
    },
  };
  return redis;
}

export interface OneWorker {
  readonly key: Address;
  readonly agent: Agent;
  readonly process: Process;
  /** Its own nodes. */
  readonly network: Network;
}

const keyOf = (at: number): Address => `0x${String(at + 1).repeat(40)}`;
const silent = () => {};

/** @param guards how many; each accepts rescues from anybody. */
export function startWorkers(guards: number, seed = 1) {
  const time = createVirtualTime(createRandom(seed));
  const random = createRandom(seed + 1);
  const [pool, refused] = [createPool(), new Set<Address>()];
  const submit: typeof pool.submit = (transaction, ...rest) =>
    refused.has(transaction.from) ? 'nonce too low' : pool.submit(transaction, ...rest);
  const chain = createChain({ operator: keeperKey, plans: [], startsAt, pool: { ...pool, submit } });
  chain.setMinGasPrice(10n ** 8n);
  const redis = createRedis(time);
  const guardIds = Array.from({ length: guards }, (_, at) => BigInt(2 * at + 1));
  const workers: OneWorker[] = [];
  const watchers: (() => void)[] = [];
  const dueSince = new Map<bigint, number>();
  /** Blocks that each rescue took since its loan fell. */
  const blocks: number[] = [];
  const rescuesOf = (id: bigint) => chain.head().state.rescues.get(id)?.length ?? 0;

  const block = () => {
    chain.mine(time.now());
    for (const [id, since] of dueSince) {
      if (rescuesOf(id) < falls(id)) continue;
      blocks.push(chain.head().number - since);
      dueSince.delete(id);
    }
    for (const watch of watchers) watch();
    time.after(blockMs, block);
  };
  function readersOf(line: Pick<Line, 'read'>, loadMs: number) {
    const { guards, loans } = createReaders(chain, line, guardIds, keeperKey);
    let waitMs = loadMs;
    const listed = async () => {
      await time.wait(waitMs);
      waitMs = 0;
      return guards.guards();
    };
    return { guards: { ...guards, guards: listed }, loans };
  }
  const falls = (id: bigint) => chain.around(chain.head()).falls(id);
  time.after(blockMs, block);

  return {
    ...{ time, chain, redis, workers, guardIds, blocks, rescuesOf, falls },
    /** @param loadMs until it has read all loans. */
    start(at = workers.length, loadMs = 0): OneWorker {
      const [process, network] = [createProcess(time), newNetwork()];
      const agent = startAgent(
        {
          ...{ chain, network, time, random, rttMs: 30, isWallet: false, knowsNodes: false, rescuers: 0 },
          ...{ bundler: undefined, guardIds, worker: { key: keyOf(at), beat: redis.beat(process) } },
          readersOf: (line) => readersOf(line, loadMs),
          clock: () => startsAt + BigInt(Math.floor(time.now() / 1000)),
        },
        process,
        { log: { debug: silent, info: silent, warn: silent, error: silent }, sending: silent, sent: silent },
      );
      const worker = { key: keyOf(at), agent, process, network };
      workers.push(worker);
      return worker;
    },
    onBlock: (watch: () => void) => void watchers.push(watch),
    fall(...ids: readonly bigint[]): void {
      for (const id of ids) {
        chain.fall(id);
        dueSince.set(id, chain.head().number);
      }
    },
    /** No node accepts anything from this key any longer. */
    refuses: (key: Address) => void refused.add(key),
    pass: (seconds: number) => time.run(time.now() + seconds * 1000),
    /** Guards for which this worker is the first. */
    guardsOf(key: Address): readonly bigint[] {
      const others = [...new Set(workers.map((each) => each.key))].filter((each) => each !== key);
      return guardIds.filter((id) => rankOf(Number(id), key, others) === 0);
    },
  };
}
