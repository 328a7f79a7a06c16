import { type Address, maxUint256, parseEther } from 'viem';
import { erc20Abi, faucetAbi, wbnbAbi } from '../abis.ts';
import { pancake, tokens } from '../addresses.ts';
import { type Chain, call, type EncodedCall } from '../chain.ts';
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
    return [
      asset === 'WBNB'
        ? { ...call(to, wbnbAbi, 'deposit', []), value: inventoryInWbnb }
        : call(to, faucetAbi, 'allocateTo', [maker, inventory]),
      call(to, erc20Abi, 'approve', [pancake.router, maxUint256]),
    ];
  });
  await chain.sendAll(maker, calls);
}
