import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  numberToHex,
  pad,
  parseAbi,
  toEventSelector,
  toHex,
} from 'viem';
import type { PageConfig } from '../../wire.ts';
import { thief } from '../mutants.ts';
import type { Random } from './seeded.ts';

// A wallet that is honest or hostile on demand: its answers, and the transactions that the chain then has.

export interface Call {
  readonly to: Address;
  readonly data: Hex;
  readonly value?: Hex;
}

interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A transaction that the chain has, as its node shows it. */
export interface Mined {
  readonly from: Address;
  readonly to: Address;
  readonly input: Hex;
  readonly value: bigint;
  readonly isSuccess: boolean;
  readonly logs: readonly Log[];
  readonly block: bigint;
  /** Whether it executes a list of calls that the wallet was asked to make as one. */
  readonly isList: boolean;
}

/**
 * `declines`: refuses everything and knows no lists. `looks`: reads a whole list, then declines it. `signs`: one call
 * after another. `lists`: all calls as one.
 */
type Manner = 'declines' | 'looks' | 'signs' | 'lists' | Random;

export interface HostileWallet {
  behave(manner: Manner): void;
  /** A provider's result, its error, or no answer at all. `isStuck`: the request then never ends. */
  answer(method: string, params: readonly unknown[]): Answer;
  /** Every call requested since this was last read, and methods that no page needs. */
  asked(): readonly Call[];
  /** Whether it was asked again, since `behave`, for a call of a list that it had accepted. */
  isRepeated(): boolean;
  /** Transactions that it made since `behave`. */
  made(): readonly Mined[];
  mined(hash: Hex): Mined | undefined;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly isSilent?: true;
  readonly isStuck?: true;
}

const abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'struct SwapPath { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(SwapPath swap) payable returns (uint256)',
]);

const transfer = toEventSelector('Transfer(address,address,uint256)');
const deposited = toEventSelector('Deposit(address,uint256)');
const pool: Address = '0x0000000000000000000000000000000000009001';
const no = (code: number): Answer => ({ error: { code, message: 'no' } });

/** Selector of WBNB's `deposit()`. */
export const DEPOSIT: Hex = '0xd0e30db0';

/** What a call does on the chain, in logs: deposits of BNB, approvals and swaps. */
function logsOf({ to, data, value }: Call, owner: Address): readonly Log[] {
  if (data === DEPOSIT) return [{ address: to, topics: [deposited, pad(owner)], data: pad(toHex(BigInt(value ?? 0))) }];
  const moved = (address: Address, from: Address, into: Address, amount: bigint): Log => ({
    address,
    topics: [transfer, pad(from), pad(into)],
    data: pad(toHex(amount)),
  });
  try {
    const { functionName, args } = decodeFunctionData({ abi, data });
    if (functionName === 'approve') {
      const topics = [toEventSelector('Approval(address,address,uint256)'), pad(owner), pad(args[0])];
      return [{ address: to, topics, data: pad(toHex(args[1])) }];
    }
    const { path, amountIn, amountOutMinimum } = args[0];
    return [
      moved(path.slice(0, 42) as Address, owner, pool, amountIn),
      moved(`0x${path.slice(-40)}`, pool, owner, amountOutMinimum),
    ];
  } catch {
    return [];
  }
}

/** What the chain has instead of the requested transaction, by name. */
const changes: Readonly<Record<string, (honest: Mined, owner: Address) => Mined>> = {
  'of a stranger': (honest, owner) => ({ ...honest, from: thief, logs: honest.logs.map((log) => ofOther(log, owner)) }),
  'a stranger’s, with the owner’s events': (honest) => ({ ...honest, from: thief }),
  'of another contract, with the same events': (honest) => ({ ...honest, to: thief }),
  'of another contract, with its own events': (honest) => ({
    ...{ ...honest, to: thief },
    logs: honest.logs.map((log) => ({ ...log, address: thief })),
  }),
  'other calldata': (honest) => ({ ...honest, input: `${honest.input}00` }),
  'other calldata, and nothing of it': (honest) => ({ ...honest, input: '0x', logs: [] }),
  'with BNB': (honest) => ({ ...honest, value: 1n }),
  undone: (honest) => ({ ...honest, isSuccess: false }),
  'without events': (honest) => ({ ...honest, logs: [] }),
  'events of other tokens': (honest) => ({ ...honest, logs: honest.logs.map((log) => ({ ...log, address: thief })) }),
  'events of another account': (honest, owner) => ({ ...honest, logs: honest.logs.map((log) => ofOther(log, owner)) }),
  'a unit of everything': (honest) => ({
    ...honest,
    logs: honest.logs.map((log) => (log.data.length === 66 ? { ...log, data: pad('0x01') } : log)),
  }),
  'twice as much paid': (honest) => ({ ...honest, logs: [...honest.logs.slice(0, 1), ...honest.logs] }),
  'the first event alone': (honest) => ({ ...honest, logs: honest.logs.slice(0, 1) }),
  'the last event alone': (honest) => ({ ...honest, logs: honest.logs.slice(-1) }),
  'from long before': (honest) => ({ ...honest, block: 1n }),
};

const ofOther = (log: Log, owner: Address): Log => ({
  ...log,
  topics: log.topics.map((topic) => (topic.toLowerCase() === pad(owner).toLowerCase() ? pad(thief) : topic)),
});

const capabilities = ['supported', 'ready', 'unsupported', 'yes', null, 7];
const statuses = [100, 200, 200, 200, 201, 400, 500, 600, 700, 'CONFIRMED', null, 0];

/** @param next number of the block that includes its transactions. */
export function hostileWallet(owner: Address, { chainId }: Pick<PageConfig, 'chainId'>, next: bigint): HostileWallet {
  let manner: Manner = 'declines';
  const asked: Call[] = [];
  let made: Mined[] = [];
  let count = 0;
  const chain = new Map<Hex, Mined>();
  const lists = new Map<string, readonly Hex[]>();
  let taken: string[] = [];
  let isRepeated = false;

  function mine(mined: Mined): Hex {
    const hash = pad(toHex(++count + 2 ** 40));
    chain.set(hash, mined);
    made.push(mined);
    return hash;
  }

  const asIs = (call: Call): Mined => ({
    ...{ from: owner, to: call.to, input: call.data, value: BigInt(call.value ?? 0), isSuccess: true },
    ...{ logs: logsOf(call, owner), block: next, isList: false },
  });
  const asList = (calls: readonly Call[]): Mined => ({
    ...{ from: owner, to: owner, input: '0x34fcd5be', value: 0n, isSuccess: true, block: next, isList: true },
    logs: calls.flatMap((call) => logsOf(call, owner)),
  });
  /** An approval often stays unchanged, so that the page requests the next step. */
  const changed = (random: Random, honest: Mined): Mined => {
    const isLeft = random.below(10) < (honest.logs.length === 1 ? 7 : 3);
    return isLeft ? honest : random.pick(Object.values(changes))(honest, owner);
  };

  function send(call: Call): Answer {
    asked.push(call);
    if (taken.includes(call.to + call.data)) isRepeated = true;
    if (manner === 'declines' || manner === 'looks') return no(4001);
    if (manner === 'signs' || manner === 'lists') return { result: mine(asIs(call)) };
    switch (manner.below(10)) {
      case 0:
        return no(4001);
      case 1:
        return { ...no(-32_603), isStuck: true };
      case 2:
        return { result: manner.pick([pad('0x0bad'), '0x', null, 7]), isStuck: true };
      default:
        return { result: mine(changed(manner, asIs(call))) };
    }
  }

  function sendList(list: { readonly calls?: readonly Call[]; readonly id?: string }): Answer {
    const { calls = [], id = '' } = list;
    asked.push(...calls);
    if (manner === 'declines' || manner === 'signs') return no(4200);
    if (manner === 'looks') return no(4001);
    if (manner === 'lists') {
      lists.set(id, [mine(asList(calls))]);
      return { result: { id } };
    }
    const way = manner.below(8);
    if (way === 0) return no(4001);
    if (way === 1) return no(5760);
    taken.push(...calls.map(({ to, data }) => to + data));
    if (way === 2) return { ...no(-32_603), isStuck: true };
    if (way === 3) lists.set(id, [mine(changed(manner, asList(calls.slice(0, 1))))]);
    else if (way === 4) lists.set(id, [mine(changed(manner, asList(calls.slice(1))))]);
    else if (way === 5) lists.set(id, [mine(asList(calls.slice(0, 1))), mine(changed(manner, asList(calls.slice(1))))]);
    else lists.set(id, [mine(changed(manner, asList(calls)))]);
    return { result: manner.pick([{ id }, { id }, { id }, { id: '0x00' }, id, null, {}]) };
  }

  function statusOf(id: string): Answer {
    const hashes = lists.get(id);
    if (hashes === undefined) return { ...no(5730), isStuck: true };
    const all = { version: '2.0.0', id, chainId: numberToHex(chainId), atomic: true };
    const receipts = hashes.map((hash) => receiptOf(hash, chain.get(hash) as Mined));
    if (typeof manner === 'string') return { result: { ...all, status: 200, receipts } };
    const told = manner.pick([receipts, receipts, receipts, [], [{ ...receipts[0], transactionHash: pad('0x0bad') }]]);
    return { result: { ...all, status: manner.pick(statuses), receipts: told }, isStuck: true };
  }

  return {
    behave(next) {
      manner = next;
      made = [];
      taken = [];
      isRepeated = false;
    },
    answer(method, params) {
      switch (method) {
        case 'eth_sendTransaction':
          return send(params[0] as Call);
        case 'wallet_sendCalls':
          return sendList(params[0] as { readonly calls?: readonly Call[]; readonly id?: string });
        case 'wallet_getCallsStatus':
          return statusOf(params[0] as string);
        case 'wallet_getCapabilities': {
          const of = (status: unknown) => ({ result: { [numberToHex(chainId)]: { atomic: { status } } } });
          if (manner === 'lists' || manner === 'looks') return of('supported');
          if (typeof manner === 'string') return no(-32_601);
          const way = manner.below(6);
          if (way === 0) return { isSilent: true };
          return way === 1 ? { result: manner.pick([null, {}, [], 'yes']) } : of(manner.pick(capabilities));
        }
        default:
          asked.push({ to: method as Address, data: JSON.stringify(params) as Hex });
          return no(4200);
      }
    },
    asked: () => asked.splice(0),
    isRepeated: () => isRepeated,
    made: () => made,
    mined: (hash) => chain.get(hash),
  };
}

const place = (block: bigint) => ({
  ...{ blockHash: pad('0xb10c'), blockNumber: numberToHex(block), transactionIndex: '0x0' },
});

/** As a node returns them. */
export const transactionOf = (hash: Hex, { from, to, input, value, block }: Mined) => ({
  ...{ ...place(block), hash, from, to, input, value: numberToHex(value), nonce: '0x1', gas: '0x1', gasPrice: '0x1' },
  ...{ type: '0x0', v: '0x1b', r: '0x1', s: '0x1' },
});

export const receiptOf = (hash: Hex, { from, to, isSuccess, logs, block }: Mined) => ({
  ...{ ...place(block), transactionHash: hash, from, to, cumulativeGasUsed: '0x1', gasUsed: '0x1' },
  ...{ contractAddress: null, logsBloom: pad('0x', { size: 256 }), effectiveGasPrice: '0x1', type: '0x0' },
  status: isSuccess ? '0x1' : '0x0',
  logs: (isSuccess ? logs : []).map((log, at) => ({
    ...{ ...place(block), ...log, transactionHash: hash, logIndex: numberToHex(at), removed: false },
  })),
});

/**
 * Whether something was bought, decided independently of the page's code: some requested swap is on the chain, as
 * requested or within a list, and the two tokens' own events say that its owner paid no more and got no less.
 */
export function isBought(made: readonly Mined[], asked: readonly Call[], owner: Address): boolean {
  const isAsked = ({ from, to, input, value, isList }: Mined, call: Call) =>
    isList || (from === owner && to === call.to && value === 0n && input.toLowerCase() === call.data.toLowerCase());
  const sum = (logs: readonly Log[], token: Address, at: 1 | 2) =>
    logs
      .filter(({ address, topics }) => isAddressEqual(address, token) && topics[0] === transfer)
      .filter(({ topics }) => topics[at]?.toLowerCase() === pad(owner).toLowerCase())
      .reduce((all, { data }) => all + BigInt(data), 0n);
  return asked.some((call) => {
    const [paid, got] = logsOf(call, owner);
    if (paid === undefined || got === undefined) return false;
    return made.some(
      (each) =>
        each.isSuccess &&
        each.block > 1n &&
        isAsked(each, call) &&
        sum(each.logs, got.address, 2) >= BigInt(got.data) &&
        sum(each.logs, paid.address, 1) <= BigInt(paid.data),
    );
  });
}
