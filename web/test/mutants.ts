import {
  type Address,
  concat,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  maxUint256,
  pad,
  parseAbi,
  toHex,
} from 'viem';
import { pancake, tokens } from '../../lab/world/addresses.ts';
import type { BuyAnswer } from '../wire.ts';

// How a compromised agent, or a proxy in front of it, could change an honest draft.

export interface Mutant<Offer> {
  readonly name: string;
  readonly of: (honest: Offer) => Offer;
}

type Draft = BuyAnswer;
type Call = NonNullable<Draft['calls']>[number];

export const thief: Address = '0x000000000000000000000000000000000000bEEF';
/** A listed pair that was not ordered. */
const other = { asset: 'ETH', token: tokens.ETH } as const;

const abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function increaseAllowance(address spender, uint256 amount) returns (bool)',
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap swap) payable returns (uint256)',
  'struct SwapPath { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(SwapPath swap) payable returns (uint256)',
  'function exactOutput(SwapPath swap) payable returns (uint256)',
  'function multicall(bytes[] data) payable returns (bytes[])',
  'function sweepToken(address token, uint256 least, address recipient) payable',
]);

const big = BigInt;
const text = (value: bigint) => value.toString();
const never = (name: string): never => {
  throw new Error(`the honest offer has no ${name}`);
};

function callsOf(draft: Draft): { approve: Call; swap: Call } {
  const [approve, swap] = draft.calls ?? [];
  return approve && swap ? { approve, swap } : never('two calls');
}

function swapOf(draft: Draft) {
  const { args, functionName } = decodeFunctionData({ abi, data: callsOf(draft).swap.data });
  if (functionName !== 'exactInput') return never('exactInput');
  const { path, ...terms } = args[0];
  const hex = path.slice(2);
  const [tokenIn, tokenOut]: [Address, Address] = [`0x${hex.slice(0, 40)}`, `0x${hex.slice(-40)}`];
  return { ...terms, tokenIn, tokenOut, fee: Number.parseInt(hex.slice(40, 46), 16) };
}
type Swap = ReturnType<typeof swapOf>;

const withPath = ({ tokenIn, tokenOut, fee, ...terms }: Swap) => ({
  ...terms,
  path: concat([tokenIn, toHex(fee, { size: 3 }), tokenOut]),
});

const encodeSwap = (swap: Swap) => encodeFunctionData({ abi, functionName: 'exactInput', args: [withPath(swap)] });
const encodeApprove = (spender: Address, amount: bigint) =>
  encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] });

const withCalls = (draft: Draft, approve: Partial<Call>, swap: Partial<Call>): Draft => {
  const calls = callsOf(draft);
  return {
    ...draft,
    calls: [
      { ...calls.approve, ...approve },
      { ...calls.swap, ...swap },
    ],
  };
};

/** Another swap, with the rest of the answer changed to match: what is shown, approved and simulated. */
function consistent(draft: Draft, changes: Partial<Swap>, router = callsOf(draft).swap.to): Draft {
  const swap = { ...swapOf(draft), ...changes };
  const least = swap.amountOutMinimum;
  const claimed = big(draft.simulated?.token_out_delta ?? 0);
  return {
    ...withCalls(
      draft,
      { to: swap.tokenIn, data: encodeApprove(router, swap.amountIn) },
      { to: router, data: encodeSwap(swap) },
    ),
    token_in: swap.tokenIn,
    token_out: swap.tokenOut,
    amount_in: text(swap.amountIn),
    min_amount_out: text(least),
    expires_at: text(swap.deadline),
    simulated: { token_in_delta: text(-swap.amountIn), token_out_delta: text(claimed > least ? claimed : least) },
  };
}

const share = (amount: bigint, percent: bigint) => (amount * percent) / 100n;

/** One hostile change, with everything else consistent with it. */
const wholeSwaps: readonly Mutant<Draft>[] = [
  {
    name: 'the spender and the call of the review',
    of: (draft) =>
      withCalls(draft, { data: encodeApprove(thief, swapOf(draft).amountIn) }, { to: thief, data: '0x12345678' }),
  },
  { name: 'another router', of: (draft) => consistent(draft, {}, thief) },
  { name: 'the quoter as router', of: (draft) => consistent(draft, {}, pancake.quoter) },
  { name: 'another recipient', of: (draft) => consistent(draft, { recipient: thief }) },
  { name: 'the router as recipient', of: (draft) => consistent(draft, { recipient: pancake.router }) },
  {
    name: 'no recipient',
    of: (draft) => consistent(draft, { recipient: '0x0000000000000000000000000000000000000000' }),
  },
  ...[0n, 1n, 50n, 99n, 101n, 200n, 1_000n].map((percent) => ({
    name: `${percent} % of the amount`,
    of: (draft: Draft) => {
      const { amountIn, amountOutMinimum } = swapOf(draft);
      return consistent(draft, {
        amountIn: share(amountIn, percent),
        amountOutMinimum: share(amountOutMinimum, percent),
      });
    },
  })),
  { name: 'all that can be counted', of: (draft) => consistent(draft, { amountIn: maxUint256 }) },
  ...[0n, 1n, 50n, 90n, 98n, 102n, 1_000n].map((percent) => ({
    name: `${percent} % of the minimum`,
    of: (draft: Draft) => consistent(draft, { amountOutMinimum: share(swapOf(draft).amountOutMinimum, percent) }),
  })),
  { name: 'a minimum of one unit', of: (draft) => consistent(draft, { amountOutMinimum: 1n }) },
  ...[-100_000n, -400n, 400n, 3_600n, 86_400n].map((seconds) => ({
    name: `a deadline ${seconds} s later`,
    of: (draft: Draft) => consistent(draft, { deadline: swapOf(draft).deadline + seconds }),
  })),
  { name: 'no deadline', of: (draft) => consistent(draft, { deadline: maxUint256 }) },
  { name: 'another token to receive', of: (draft) => consistent(draft, { tokenOut: other.token }) },
  { name: 'a made-up token to receive', of: (draft) => consistent(draft, { tokenOut: thief }) },
  { name: 'another token to pay', of: (draft) => consistent(draft, { tokenIn: tokens.USDC }) },
  { name: 'another asset', of: (draft) => ({ ...consistent(draft, { tokenOut: other.token }), asset: other.asset }) },
  {
    name: 'the sides exchanged',
    of: (draft) => {
      const { tokenIn, tokenOut } = swapOf(draft);
      return { ...consistent(draft, { tokenIn: tokenOut, tokenOut: tokenIn }), side: 'sell' };
    },
  },
  ...[0, 1, 300, 3_000, 2 ** 24 - 1].map((fee) => ({
    name: `a pool with a fee of ${fee}`,
    of: (draft: Draft) => consistent(draft, { fee }),
  })),
];

/** Another function, or more than one call. */
const otherCalls: readonly Mutant<Draft>[] = [
  {
    name: 'multicall around the swap',
    of: (draft) => {
      const data = encodeFunctionData({ abi, functionName: 'multicall', args: [[callsOf(draft).swap.data]] });
      return withCalls(draft, {}, { data });
    },
  },
  {
    name: 'multicall with a sweep behind the swap',
    of: (draft) => {
      const { tokenOut } = swapOf(draft);
      const swap = encodeSwap({ ...swapOf(draft), recipient: pancake.router });
      const sweep = encodeFunctionData({ abi, functionName: 'sweepToken', args: [tokenOut, 0n, thief] });
      return withCalls(
        draft,
        {},
        { data: encodeFunctionData({ abi, functionName: 'multicall', args: [[swap, sweep]] }) },
      );
    },
  },
  {
    name: 'exactOutput',
    of: (draft) => {
      const args = [withPath(swapOf(draft))] as const;
      return withCalls(draft, {}, { data: encodeFunctionData({ abi, functionName: 'exactOutput', args }) });
    },
  },
  ...(['0x', '0x12345678', '0x414bf3'] as const).map((data) => ({
    name: `calldata ${data}`,
    of: (draft: Draft) => withCalls(draft, {}, { data }),
  })),
  ...[1, 31, 32, 64].flatMap((bytes) => [
    {
      name: `${bytes} bytes behind the swap`,
      of: (draft: Draft) => withCalls(draft, {}, { data: longer(callsOf(draft).swap.data, bytes) }),
    },
    {
      name: `${bytes} bytes behind the approval`,
      of: (draft: Draft) => withCalls(draft, { data: longer(callsOf(draft).approve.data, bytes) }, {}),
    },
  ]),
  {
    name: 'half a byte behind the swap',
    of: (draft) => withCalls(draft, {}, { data: `${callsOf(draft).swap.data}0` }),
  },
  {
    name: 'transfer for approve',
    of: (draft) => {
      const args = [thief, swapOf(draft).amountIn] as const;
      return withCalls(draft, { data: encodeFunctionData({ abi, functionName: 'transfer', args }) }, {});
    },
  },
  {
    name: 'increaseAllowance for approve',
    of: (draft) => {
      const args = [pancake.router, swapOf(draft).amountIn] as const;
      return withCalls(draft, { data: encodeFunctionData({ abi, functionName: 'increaseAllowance', args }) }, {});
    },
  },
  {
    name: 'another spender',
    of: (draft) => withCalls(draft, { data: encodeApprove(thief, swapOf(draft).amountIn) }, {}),
  },
  {
    name: 'an approval without end',
    of: (draft) => withCalls(draft, { data: encodeApprove(pancake.router, maxUint256) }, {}),
  },
  {
    name: 'an approval of one unit more',
    of: (draft) => withCalls(draft, { data: encodeApprove(pancake.router, swapOf(draft).amountIn + 1n) }, {}),
  },
  { name: 'an approval of another token', of: (draft) => withCalls(draft, { to: tokens.USDC }, {}) },
  { name: 'an approval of what is received', of: (draft) => withCalls(draft, { to: swapOf(draft).tokenOut }, {}) },
  ...[0, 1].flatMap((at) =>
    ['1', '1000000000000000000', '-1'].map((value) => ({
      name: `${value} wei with call ${at}`,
      of: (draft: Draft) => withCalls(draft, at === 0 ? { value } : {}, at === 1 ? { value } : {}),
    })),
  ),
  { name: 'the calls exchanged', of: (draft) => ({ ...draft, calls: [...(draft.calls ?? [])].reverse() }) },
  { name: 'no swap', of: (draft) => ({ ...draft, calls: [callsOf(draft).approve] }) },
  { name: 'no calls', of: (draft) => ({ ...draft, calls: [] }) },
  { name: 'two approvals', of: (draft) => ({ ...draft, calls: [callsOf(draft).approve, ...(draft.calls ?? [])] }) },
  { name: 'two swaps', of: (draft) => ({ ...draft, calls: [callsOf(draft).swap, callsOf(draft).swap] }) },
  {
    name: 'a swap behind the swap',
    of: (draft) => ({ ...draft, calls: [...(draft.calls ?? []), callsOf(draft).swap] }),
  },
  {
    name: 'an approval for the thief before all',
    of: (draft) => {
      const { approve } = callsOf(draft);
      return { ...draft, calls: [{ ...approve, data: encodeApprove(thief, maxUint256) }, ...(draft.calls ?? [])] };
    },
  },
  { name: 'the approval called a swap', of: (draft) => withCalls(draft, { kind: 'swap' }, {}) },
  { name: 'the swap called an approval', of: (draft) => withCalls(draft, {}, { kind: 'approve' }) },
];

const longer = (data: Hex, bytes: number): Hex => concat([data, pad('0x', { size: bytes })]);

const numbers: readonly { readonly name: string; readonly to: (from: string) => string }[] = [
  { name: 'one more', to: (from) => text(big(from) + 1n) },
  { name: 'one less', to: (from) => text(big(from) - 1n) },
  { name: 'tenfold', to: (from) => text(big(from) * 10n) },
  { name: 'a tenth', to: (from) => text(big(from) / 10n) },
  { name: 'zero', to: () => '0' },
  { name: 'negative', to: (from) => text(-big(from) - 1n) },
  { name: 'beyond 256 bits', to: () => text(maxUint256 + 1n) },
];

const addresses: readonly Address[] = [
  thief,
  '0x0000000000000000000000000000000000000000',
  tokens.ETH,
  tokens.WBNB,
  pancake.quoter,
];

/** A single rewritten field. */
const fields: readonly Mutant<Draft>[] = [
  ...numbers.flatMap(({ name, to }) => [
    { name: `amount_in: ${name}`, of: (draft: Draft) => ({ ...draft, amount_in: to(draft.amount_in ?? '') }) },
    {
      name: `min_amount_out: ${name}`,
      of: (draft: Draft) => ({ ...draft, min_amount_out: to(draft.min_amount_out ?? '') }),
    },
    { name: `expires_at: ${name}`, of: (draft: Draft) => ({ ...draft, expires_at: to(draft.expires_at) }) },
    {
      name: `token_in_delta: ${name}`,
      of: (draft: Draft) => withSimulated(draft, { token_in_delta: to(draft.simulated?.token_in_delta ?? '') }),
    },
  ]),
  ...['0', '-1', '1000000000000000000000'].map((token_out_delta) => ({
    name: `token_out_delta: ${token_out_delta}`,
    of: (draft: Draft) => withSimulated(draft, { token_out_delta }),
  })),
  ...addresses.flatMap((address) => [
    { name: `token_in: ${address}`, of: (draft: Draft) => ({ ...draft, token_in: address }) },
    { name: `token_out: ${address}`, of: (draft: Draft) => ({ ...draft, token_out: address }) },
    { name: `approval to: ${address}`, of: (draft: Draft) => withCalls(draft, { to: address }, {}) },
    { name: `swap to: ${address}`, of: (draft: Draft) => withCalls(draft, {}, { to: address }) },
  ]),
  { name: 'asset: another', of: (draft) => ({ ...draft, asset: other.asset }) },
  { name: 'side: sell', of: (draft) => ({ ...draft, side: 'sell' }) },
  { name: 'verdict: CAUTION, which nobody accepted', of: (draft) => ({ ...draft, verdict: 'CAUTION' }) },
  { name: 'withheld: with calls', of: (draft) => ({ ...draft, withheld: 'swap_would_revert' }) },
  { name: 'token_in: null', of: (draft) => ({ ...draft, token_in: null }) },
  { name: 'token_out: null', of: (draft) => ({ ...draft, token_out: null }) },
  { name: 'amount_in: null', of: (draft) => ({ ...draft, amount_in: null }) },
  { name: 'min_amount_out: null', of: (draft) => ({ ...draft, min_amount_out: null }) },
  { name: 'simulated: null', of: (draft) => ({ ...draft, simulated: null }) },
];

const withSimulated = (draft: Draft, changes: Partial<NonNullable<Draft['simulated']>>): Draft => ({
  ...draft,
  simulated: { token_in_delta: '0', token_out_delta: '0', ...draft.simulated, ...changes },
});

/** Every byte of the calldata, one at a time. */
export const bytesOf = (draft: Draft): Mutant<Draft>[] =>
  (['approve', 'swap'] as const).flatMap((kind) =>
    Array.from({ length: callsOf(draft)[kind].data.length / 2 - 1 }, (_, at) => ({
      name: `byte ${at} of the ${kind}`,
      of: (honest: Draft) => {
        const data = flipped(callsOf(honest)[kind].data, at);
        return withCalls(honest, kind === 'approve' ? { data } : {}, kind === 'swap' ? { data } : {});
      },
    })),
  );

function flipped(data: Hex, at: number): Hex {
  const bytes = Buffer.from(data.slice(2), 'hex');
  bytes[at] = (bytes[at] ?? 0) ^ 0x01;
  return `0x${bytes.toString('hex')}`;
}

export const draftMutants: readonly Mutant<Draft>[] = [...wholeSwaps, ...otherCalls, ...fields];
