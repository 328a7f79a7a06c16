import { pathOf } from '@bowline/core/domain/route';
import type { DraftCall, SwapDraft, SwapDrafter, SwapOrder } from '@bowline/core/domain/swap-draft';
import type { Address } from '@bowline/core/domain/units';
import { encodeFunctionData, parseAbi } from 'viem';
import { asking, type ChainClient } from '../chain-client.ts';
import { erc20Abi } from '../erc20-abi.ts';
import { isAnswer } from '../errors.ts';

const approveAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);
const routerAbi = parseAbi([
  'struct Order { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(Order order) payable returns (uint256 amountOut)',
]);
const wbnbAbi = parseAbi(['function deposit() payable']);

/** Drafts swaps over up to three PancakeSwap v3 pools and simulates them in the node before anyone signs. */
export function createSwapDrafter(client: ChainClient, router: Address): SwapDrafter {
  return {
    draft: (order) =>
      asking(async () => {
        const { owner, tokenIn, amountIn, isInBnb } = order;
        const token = { address: tokenIn, abi: erc20Abi } as const;
        const [balance, allowance] = await Promise.all([
          isInBnb
            ? client.getBalance({ address: owner })
            : client.readContract({ ...token, functionName: 'balanceOf', args: [owner] }),
          client.readContract({ ...token, functionName: 'allowance', args: [owner, router] }),
        ]);
        if (balance < amountIn) return { state: 'refused', reason: 'balance_too_low' };
        const calls = callsOf(order, router, allowance);
        return await simulated(client, order, calls);
      }),
  };
}

/** Approves only the missing allowance, up to the amount paid. */
function callsOf(order: SwapOrder, router: Address, allowance: bigint): DraftCall[] {
  const { owner, tokenIn, route, amountIn, minAmountOut, deadline } = order;
  const approve: DraftCall = {
    kind: 'approve',
    to: tokenIn,
    data: encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [router, amountIn] }),
    value: 0n,
  };
  const swap: DraftCall = {
    kind: 'swap',
    to: router,
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: 'exactInput',
      args: [{ path: pathOf(tokenIn, route), recipient: owner, deadline, amountIn, amountOutMinimum: minAmountOut }],
    }),
    value: 0n,
  };
  return allowance < amountIn ? [approve, swap] : [swap];
}

async function simulated(client: ChainClient, order: SwapOrder, calls: readonly DraftCall[]): Promise<SwapDraft> {
  const { owner, tokenIn, tokenOut, amountIn, isInBnb } = order;
  const deposit = { to: tokenIn, data: encodeFunctionData({ abi: wbnbAbi }), value: amountIn };
  const before = isInBnb ? [deposit] : [];
  const balances = [tokenIn, tokenOut].map((to) => ({
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
  }));
  const steps = [...before, ...balances, ...calls.map(({ to, data, value }) => ({ to, data, value })), ...balances];
  let results: readonly { readonly status: 'success' | 'failure'; readonly data: `0x${string}` }[];
  try {
    ({ results } = await client.simulateCalls({ account: owner, calls: steps }));
  } catch (error) {
    // Not every node can simulate several calls in sequence. If not, the effect of the calls is unknown.
    if (isAnswer(error)) return { state: 'refused', reason: 'simulation_unavailable' };
    throw error;
  }
  if (results.some(({ status }) => status === 'failure')) return { state: 'refused', reason: 'swap_would_revert' };
  const held = (at: number) => BigInt(results.at(at)?.data ?? '0x0');
  return {
    state: 'drafted',
    calls,
    tokenInDelta: held(-2) - held(before.length),
    tokenOutDelta: held(-1) - held(before.length + 1),
  };
}
