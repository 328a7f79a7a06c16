import {
  type Abi,
  type Address,
  type BaseError,
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  getContractError,
  type Hex,
  numberToHex,
  RawContractError,
  size,
} from 'viem';

import { readLensCode } from '../../abis/read-lens.ts';
import { isSilence } from './errors.ts';
import type { Calls } from './reads.ts';
import { type Answer, type Call as Asking, answerOf, questionOf } from './try-as.ts';

/** A call that a reading has made. */
export interface Asked extends Asking {
  /** Size of its answer: a deployless call returns 24,576 bytes at most (EIP-170). */
  readonly bytes: number;
  /** Whether it changes what a later call of the same list would read. */
  readonly isChanging: boolean;
}

/** What a reading asks at one moment, and waits for together. */
interface Request {
  readonly calls: readonly Asked[];
  readonly resolve: (answers: readonly Answer[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A reading under way. */
export interface Reading<Client> {
  /** Reads through the one call: `readContract`, `multicall` without allowed failures, and `simulateContract`. */
  readonly client: Client;
  /** What it has asked, for the next reading. */
  readonly asked: () => readonly Asked[];
  /** The newest block's time that a call returned, unix seconds. */
  readonly time: () => bigint | undefined;
}

const MAX_BYTES = 24_000;
/** Bytes of an answer around its data: where it begins, success, where the data begins, and its length. */
const AROUND = 128;
/** Assumed bytes of an answer not seen before. A guard, the longest that is listed, takes 672. */
const UNSEEN = 700;
/** Keeps the question within 49,152 bytes (EIP-3860). */
const MAX_CALLS = 100;

/** Creation code that returns the lens. */
const creation = concat([
  '0x61',
  numberToHex(size(readLensCode), { size: 2 }),
  // DUP1 PUSH1 10 PUSH0 CODECOPY PUSH0 RETURN
  '0x80600a5f395ff3',
  readLensCode,
]);

/**
 * A reading that begins by repeating all calls of the previous one, in one eth_call at one block. Further calls go in
 * batches of whatever is requested at that moment. So a reading with the same questions as last
 * time takes one call, however many steps it has.
 * @param before what the last reading asked; empty for the first.
 */
export function beginReading<Client extends Calls>(client: Client, before: readonly Asked[]): Reading<Client> {
  const batches = new Batches(client, before);
  const one = async (call: Call, isChanging: boolean): Promise<unknown> => {
    const [answer] = await batches.ask([encoded(call, isChanging)]);
    return decoded(call, answer as Answer);
  };
  const reader = {
    readContract: (call: Call) => (call.code === undefined ? one(call, false) : client.readContract(call as never)),
    simulateContract: async (call: Call) => ({ result: await one(call, true) }),
    multicall: async ({ contracts }: { readonly contracts: readonly Call[] }) => {
      const answers = contracts.length === 0 ? [] : await batches.ask(contracts.map((each) => encoded(each, false)));
      return contracts.map((each, at) => decoded(each, answers[at] as Answer));
    },
  };
  return {
    client: reader as unknown as Client,
    asked: () => [...batches.asked.values()],
    time: () => batches.time,
  };
}

class Batches {
  readonly asked = new Map<string, Asked>();
  time: bigint | undefined;
  readonly #client: Pick<Calls, 'call'>;
  readonly #known = new Map<string, Answer>();
  readonly #repeated: Promise<unknown>;
  #waiting: Request[] = [];
  #silence: unknown;

  constructor(client: Pick<Calls, 'call'>, before: readonly Asked[]) {
    this.#client = client;
    this.#repeated = Promise.all(inParts(before.map((each) => [each])).map((part) => this.#repeat(part.flat())));
  }

  async ask(calls: readonly Asked[]): Promise<readonly Answer[]> {
    await this.#repeated;
    if (this.#silence !== undefined) throw this.#silence;
    const answers = calls.map((each) => this.#known.get(keyOf(each)));
    const isKnown = (all: typeof answers): all is Answer[] => !all.includes(undefined);
    const found = isKnown(answers)
      ? answers
      : await new Promise<readonly Answer[]>((resolve, reject) => {
          // Everything asked before the next task goes into one batch.
          // biome-ignore lint/style/noRestrictedGlobals: it waits for no time, only until all of this moment is asked.
          if (this.#waiting.length === 0) setTimeout(() => this.#flush(), 0);
          this.#waiting.push({ calls, resolve, reject });
        });
    for (const [at, each] of calls.entries()) {
      this.asked.set(keyOf(each), { ...each, bytes: size((found[at] as Answer).data) });
    }
    return found;
  }

  async #repeat(calls: readonly Asked[]): Promise<void> {
    try {
      for (const [key, answer] of await this.#call(calls)) this.#known.set(key, answer);
    } catch (error) {
      // A part that the node refuses is asked again request by request.
      if (isSilence(error)) this.#silence = error;
    }
  }

  #flush(): void {
    const requests = this.#waiting;
    this.#waiting = [];
    const byCalls = new Map(requests.map((each) => [each.calls, each]));
    for (const part of inParts(requests.map(({ calls }) => calls))) {
      void this.#send(part.map((calls) => byCalls.get(calls) as Request));
    }
  }

  async #send(requests: readonly Request[]): Promise<void> {
    try {
      const found = await this.#call(requests.flatMap((each) => each.calls));
      for (const { calls, resolve } of requests) resolve(calls.map((each) => found.get(keyOf(each)) as Answer));
    } catch (error) {
      // The node may refuse because of one request, so each is sent on its own.
      if (requests.length > 1 && !isSilence(error)) await Promise.all(requests.map((each) => this.#send([each])));
      else for (const { reject } of requests) reject(error);
    }
  }

  /** Answers by call. */
  async #call(asked: readonly Asked[]): Promise<ReadonlyMap<string, Answer>> {
    const calls = [...new Map(asked.map((each) => [keyOf(each), each])).values()].toSorted(changingLast);
    const { data = '0x' } = await this.#client.call({ code: creation, data: questionOf(calls) });
    const [blockTime, answers] = answerOf(calls, data);
    if (this.time === undefined || blockTime > this.time) this.time = blockTime;
    return new Map(calls.map((each, at) => [keyOf(each), answers[at] as Answer]));
  }
}

/** A call as viem's functions take it. */
interface Call {
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
  readonly code?: Hex;
}

const keyOf = ({ to, data }: Asked): string => `${to.toLowerCase()}${data}`;

const encoded = ({ address: to, abi, functionName, args = [] }: Call, isChanging: boolean): Asked => ({
  ...{ to, data: encodeFunctionData({ abi, functionName, args }), bytes: UNSEEN, isChanging },
});

/** @throws as viem does: the contract's own error, or that an address has no such function. */
function decoded(call: Call, { isOk, data }: Answer): unknown {
  const { address, abi, functionName, args = [] } = call;
  try {
    if (!isOk) throw new RawContractError({ data });
    return decodeFunctionResult({ abi, functionName, args, data });
  } catch (error) {
    throw getContractError(error as BaseError, { abi, address, args, functionName });
  }
}

const changingLast = (a: Asked, b: Asked): number => Number(a.isChanging) - Number(b.isChanging);

/** Combines lists of calls into parts that one answer can hold. */
function inParts(lists: readonly (readonly Asked[])[]): (readonly Asked[])[][] {
  const parts: (readonly Asked[])[][] = [];
  let [bytes, calls] = [0, 0];
  for (const list of lists) {
    const own = list.reduce((sum, each) => sum + AROUND + Math.ceil(each.bytes / 32) * 32, 0);
    if (parts.length === 0 || bytes + own > MAX_BYTES || calls + list.length > MAX_CALLS) {
      parts.push([]);
      [bytes, calls] = [0, 0];
    }
    parts.at(-1)?.push(list);
    bytes += own;
    calls += list.length;
  }
  return parts;
}
