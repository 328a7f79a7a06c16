import {
  type Address,
  decodeAbiParameters,
  decodeFunctionData,
  decodeFunctionResult,
  deploylessCallViaBytecodeBytecode,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  pad,
  toHex,
} from 'viem';
import { readLensAbi } from '../../../abis/index.ts';
import { thief } from '../mutants.ts';
import { flipped, type Random } from './seeded.ts';
import { type HostileWallet, receiptOf, transactionOf } from './wallet.ts';

// A node between the page and the real one. The chain's state stands still, so honest answers are cached; its time
// goes on. Hostile on demand, or frozen as uncompromised nodes can be.

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** One contract's answer, as the page was told. */
export interface Told {
  readonly target: Address;
  readonly data: Hex;
  readonly isOk: boolean;
  readonly answer: Hex;
}

interface Answer {
  readonly isOk: boolean;
  readonly data: Hex;
}

/** `behind`: by how many seconds blocks are too old; `stuck`: no new block; `shut`: refuses connections. */
export type Frozen = 'stuck' | 'shut' | { readonly behind: number };

export interface HostileNode {
  /** Sets how the node fails; undefined: it works. */
  freeze(frozen: Frozen | undefined): void;
  /** What it answers when it is honest. */
  honest(asked: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  /** The body of an answer, and its HTTP status; undefined: none at all. */
  answer(
    body: string,
    random: Random | undefined,
  ): Promise<{ readonly status: number; readonly text: string } | undefined>;
  /** Contracts' answers as told since the last call. */
  told(): readonly Told[];
  /** The fewest refusals that any one call has met since the node was frozen. */
  refusals(): number;
  /** How many answers were changed since the last call. */
  changes(): number;
}

/**
 * @param url of a node whose chain stands still, except for what the wallet makes.
 * @param clock returns the current time, unix seconds.
 */
export function hostileNode(
  url: string,
  wallet: Pick<HostileWallet, 'made' | 'mined'>,
  clock: () => number,
): HostileNode {
  let frozen: Frozen | undefined;
  /** Time of the newest block that the page has surely seen: a stuck node stays at a block that it has shown before. */
  let shown = clock();
  const kept = new Map<string, Promise<unknown>>();
  const heard: Told[] = [];
  const refused = new Map<string, number>();
  let count = 0;

  async function honest(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash') {
      const [hash] = params as [Hex];
      const mined = wallet.mined(hash);
      return mined ? (method === 'eth_getTransactionReceipt' ? receiptOf : transactionOf)(hash, mined) : null;
    }
    // The swap's trial succeeds once its approval is said to exist.
    const [call] = params as [{ readonly to?: Address }?];
    if (method === 'eth_call' && call?.to && isApprovedTo(call.to)) return '0x';
    const key = JSON.stringify([method, params]);
    const known = kept.get(key) ?? ask(url, method, params);
    kept.set(key, known);
    return known;
  }

  const isApprovedTo = (spender: Address) =>
    wallet.made().some(({ input }) => input.startsWith(`0x095ea7b3${pad(spender).slice(2)}`.toLowerCase()));

  return {
    freeze: (how) => {
      frozen = how;
      refused.clear();
    },
    honest: ({ method, params = [] }) => honest(method, params),
    async answer(body, random) {
      const { id, method, params } = JSON.parse(body) as Asked;
      if (frozen === 'shut') {
        const call = JSON.stringify([method, params]);
        refused.set(call, (refused.get(call) ?? 0) + 1);
        return undefined;
      }
      const time = frozen === 'stuck' ? shown : clock() - (frozen?.behind ?? 0);
      // The page's clock ignores the time of other answers.
      if (method === 'eth_call' && callsIn(params)?.kind === 'lens') shown = time;
      const isHit = random !== undefined && random.below(3) > 0;
      try {
        const result = later(method, params, await honest(method, params ?? []), time);
        if (!isHit || random === undefined) return sound(id, listened(method, params, result));
        count += 1;
        const [way] = [random.below(12)];
        if (way === 0) return { status: 503, text: 'no' };
        if (way === 1) return { status: 200, text: '<html>' };
        if (way === 2)
          return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'no' } }) };
        if (way === 3) return sound(id, random.pick([null, '0x', 7, {}, 'none']));
        return sound(id, listened(method, params, changedResult(random, method, params, result)));
      } catch (error) {
        return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, error }) };
      }
    },
    told: () => heard.splice(0),
    refusals: () => Math.min(...refused.values()),
    changes() {
      const since = count;
      count = 0;
      return since;
    },
  };

  /** Records what contracts are said to answer. */
  function listened(method: string, params: readonly unknown[], result: unknown): unknown {
    if (method !== 'eth_call' || typeof result !== 'string') return result;
    const calls = callsIn(params);
    try {
      const answers = calls && answersIn(calls.kind, result as Hex);
      for (const [at, { target, data }] of (calls?.asked ?? []).entries()) {
        const answer = answers?.answers[at];
        heard.push({ target, data, isOk: answer?.isOk ?? false, answer: answer?.data ?? '0x' });
      }
    } catch {
      for (const { target, data } of calls?.asked ?? []) heard.push({ target, data, isOk: false, answer: '0x' });
    }
    return result;
  }
}

const sound = (id: number, result: unknown) => ({ status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, result }) });

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
  if (error !== undefined) throw error;
  return result;
}

/** The same answer as of another time: only its block time changes. */
function later(method: string, params: readonly unknown[], result: unknown, seconds: number): unknown {
  if (method === 'eth_getBlockByNumber' && typeof result === 'object' && result !== null) {
    return { ...result, timestamp: toHex(seconds) };
  }
  const calls = method === 'eth_call' && typeof result === 'string' ? callsIn(params) : undefined;
  if (calls?.kind !== 'lens') return result;
  return encoded(calls.kind, BigInt(seconds), answersIn(calls.kind, result as Hex).answers);
}

interface Calls {
  readonly kind: 'lens' | 'multicall';
  readonly asked: readonly { readonly target: Address; readonly data: Hex }[];
}

/** The calls within a deployless call; undefined for any other call. */
function callsIn(params: readonly unknown[]): Calls | undefined {
  const [{ data = '0x' }] = params as [{ readonly data?: Hex }];
  if (!data.startsWith(deploylessCallViaBytecodeBytecode)) return undefined;
  const tail: Hex = `0x${data.slice(deploylessCallViaBytecodeBytecode.length)}`;
  const [, inner] = decodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], tail);
  try {
    const { args } = decodeFunctionData({ abi: readLensAbi, data: inner });
    return { kind: 'lens', asked: args[0] };
  } catch {}
  try {
    const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data: inner });
    if (functionName !== 'aggregate3') return undefined;
    return { kind: 'multicall', asked: args[0].map(({ target, callData }) => ({ target, data: callData })) };
  } catch {
    return undefined;
  }
}

function answersIn(kind: Calls['kind'], data: Hex): { readonly time: bigint; readonly answers: readonly Answer[] } {
  if (kind === 'lens') {
    const [time, answers] = decodeFunctionResult({ abi: readLensAbi, functionName: 'read', data });
    return { time, answers };
  }
  const answers = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
  return { time: 0n, answers: answers.map(({ success, returnData }) => ({ isOk: success, data: returnData })) };
}

function encoded(kind: Calls['kind'], time: bigint, answers: readonly Answer[]): Hex {
  if (kind === 'lens') return encodeFunctionResult({ abi: readLensAbi, functionName: 'read', result: [time, answers] });
  const result = answers.map(({ isOk, data }) => ({ success: isOk, returnData: data }));
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
}

function changedResult(random: Random, method: string, params: readonly unknown[], result: unknown): unknown {
  if (method === 'eth_getBlockByNumber' && typeof result === 'object') {
    const { timestamp } = result as { readonly timestamp: Hex };
    const by = random.pick([-86_400, -600, 600, 86_400, 10 ** 9]);
    return { ...result, timestamp: toHex(Math.max(0, Number(timestamp) + by)) };
  }
  if (typeof result !== 'string' || result.length < 4) return random.pick(['0x', '0x01', null]);
  const calls = method === 'eth_call' ? callsIn(params) : undefined;
  if (calls === undefined) return random.below(2) === 0 ? flipped(random, result) : wordChanged(random, result as Hex);
  const { time, answers } = answersIn(calls.kind, result as Hex);
  const all = [...answers];
  if (random.below(3) === 0) return encoded(calls.kind, time, funds(random, calls.asked, all));
  for (let times = 1 + random.below(3); times > 0 && all.length > 0; times--) {
    const at = random.below(all.length);
    const { isOk, data } = all[at] as Answer;
    all[at] = random.below(5) === 0 ? { isOk: !isOk, data: '0x' } : { isOk, data: wordChanged(random, data) };
  }
  if (random.below(20) === 0) all.pop();
  return encoded(calls.kind, random.below(20) === 0 ? 0n : time, all);
}

/** Sets all allowances, or all balances, to one amount: a guard may then take from nothing up to its full need. */
function funds(random: Random, asked: Calls['asked'], answers: readonly Answer[]): readonly Answer[] {
  const selector = random.pick(['0xdd62ed3e', '0x70a08231']);
  const amount = random.pick([0n, 1n, 50n, 300n, 800n]) * 10n ** 18n;
  return answers.map((answer, at) =>
    answer.isOk && asked[at]?.data.startsWith(selector) ? { ...answer, data: pad(toHex(amount)) } : answer,
  );
}

const values = [0n, 1n, 2n, 3n, 10n ** 6n, 10n ** 18n, 10n ** 24n, 2n ** 128n, 2n ** 256n - 1n, BigInt(thief)];

/** With one of its words changed or cut off. */
function wordChanged(random: Random, data: Hex): Hex {
  const words = (data.length - 2) / 64;
  if (words < 1) return '0x01';
  const at = 2 + 64 * random.below(Math.floor(words));
  const word = BigInt(`0x${data.slice(at, at + 64)}`);
  if (random.below(12) === 0) return data.slice(0, at) as Hex;
  const near = [word + 1n, word === 0n ? 1n : word - 1n, word / 10n, (word * 10n) % 2n ** 256n];
  const next = random.below(2) === 0 ? random.pick(near) : random.pick(values);
  return `${data.slice(0, at)}${pad(toHex(next), { size: 32 }).slice(2)}${data.slice(at + 64)}` as Hex;
}
