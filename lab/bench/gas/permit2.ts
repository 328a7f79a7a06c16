import { PERMIT2_ADDRESS as permit2 } from '@x402/evm';
import { type Address, maxUint160, parseAbi, parseEther } from 'viem';
import { alice, approve, carol, give } from '../../../test/local/accounts.ts';
import { tokens } from '../../world/addresses.ts';
import type { Chain } from '../../world/chain.ts';
import { placePermit2 } from '../../world/permit2.ts';
import { type Gas, measure } from './measure.ts';

const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
]);

const amount = parseEther('100');

export interface Permit2Gas {
  /** A standing permission for one spender and token, with an end. It has neither a rhythm nor a floor. */
  readonly approve: Gas;
  /** A pull under it that is not the first. It delivers and records nothing. */
  readonly pull: Gas;
}

/** The second action of each kind: the very first costs more. */
export async function measurePermit2(chain: Chain): Promise<Permit2Gas> {
  await placePermit2(chain);
  await give(chain, carol, 'USDT', '1000');
  await approve(chain, carol, 'USDT', permit2, 2n ** 256n - 1n);
  const { timestamp } = await chain.getBlock();
  const expiration = Number(timestamp) + 86_400;
  const allow = (spender: Address, most: bigint) =>
    measure(chain, carol, permit2, {
      abi: permit2Abi,
      functionName: 'approve',
      args: [tokens.USDT, spender, most, expiration],
    });
  await allow(alice, parseEther('10000'));
  const pull = () =>
    measure(chain, alice, permit2, {
      abi: permit2Abi,
      functionName: 'transferFrom',
      args: [carol, alice, amount, tokens.USDT],
    });
  await pull();
  return { approve: await allow(carol, maxUint160), pull: await pull() };
}
