import { type Address, parseEther } from 'viem';
import { erc20Abi, vTokenAbi } from '../../lab/world/abis.ts';
import { type TokenSymbol, tokens } from '../../lab/world/addresses.ts';
import type { Chain } from '../../lab/world/chain.ts';
import { treasurer } from '../../lab/world/replica.ts';

// Anvil's second to fourth accounts: the node signs for them, and they hold only BNB.
export const alice: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const bob: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const carol: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

/** Gives `to` an amount in whole tokens and returns it in base units. */
export async function give(chain: Chain, to: Address, symbol: TokenSymbol, amount: string): Promise<bigint> {
  const value = parseEther(amount);
  await chain.send(treasurer, tokens[symbol], { abi: erc20Abi, functionName: 'transfer', args: [to, value] });
  return value;
}

export async function approve(chain: Chain, owner: Address, symbol: TokenSymbol, spender: Address, amount: bigint) {
  await chain.send(owner, tokens[symbol], { abi: erc20Abi, functionName: 'approve', args: [spender, amount] });
}

export function balance(chain: Chain, owner: Address, token: Address): Promise<bigint> {
  return chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
}

/** The market's debt at its stored index, as the health check sees it. */
export function debt(chain: Chain, market: Address, borrower: Address): Promise<bigint> {
  const functionName = 'borrowBalanceStored';
  return chain.readContract({ address: market, abi: vTokenAbi, functionName, args: [borrower] });
}
