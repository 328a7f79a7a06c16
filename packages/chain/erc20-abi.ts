import { parseAbi } from 'viem';

export const erc20Abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** @throws if above a uint8: a node may answer any 256 bits, and computing 10 to that power hangs the page. */
export function soundDecimals(answered: number): number {
  if (answered > 255) throw new Error('The node gave a token impossible decimals.');
  return answered;
}
