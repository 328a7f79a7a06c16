import { type Address, encodeFunctionData, maxUint256, parseEther } from 'viem';
import { erc20Abi, faucetAbi, wbnbAbi } from '../abis.ts';
import { pancake, tokens } from '../addresses.ts';
import type { Chain, EncodedCall } from '../chain.ts';
import { assets } from './path.ts';

/** Anvil's tenth account, which answers for the feeds and arbitrages the pools. Its key is public. */
export const maker: Address = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

const inventory = parseEther('1000000000');
const inventoryInWbnb = parseEther('1000000');

/** Gives the maker a large balance of every asset, and approves the router. */
export async function fundMaker(chain: Chain): Promise<void> {
  await chain.setBalance({ address: maker, value: inventoryInWbnb * 2n });
  const calls = assets.flatMap((asset): EncodedCall[] => {
    const to = tokens[asset];
    const allow = { abi: erc20Abi, functionName: 'approve', args: [pancake.router, maxUint256] } as const;
    const take =
      asset === 'WBNB'
        ? { to, data: encodeFunctionData({ abi: wbnbAbi, functionName: 'deposit' }), value: inventoryInWbnb }
        : { to, data: encodeFunctionData({ abi: faucetAbi, functionName: 'allocateTo', args: [maker, inventory] }) };
    return [take, { to, data: encodeFunctionData(allow) }];
  });
  const receipts = await chain.sendTogether(maker, calls);
  if (receipts.some(({ status }) => status !== 'success')) throw new Error('the market maker could not be funded');
}
