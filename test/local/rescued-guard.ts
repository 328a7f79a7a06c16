import { type Address, parseEther } from 'viem';
import { loanGuardAbi } from '../../abis/index.ts';
import { borrowNearTrigger, capped, setGuard } from '../../agent/test/loans.ts';
import type { Chain } from '../../lab/world/chain.ts';
import { give } from './accounts.ts';

/** A loan of USDT on ten ETH at a health of 1.15, with a guard that has rescued it once. Returns the guard's number. */
export async function rescuedGuard(
  chain: Chain,
  own: { readonly loanGuard: Address; readonly venusMarket: Address },
  borrower: Address,
): Promise<bigint> {
  await borrowNearTrigger(chain, borrower);
  await give(chain, borrower, 'USDT', '20000');
  await setGuard({ chain, book: { own } }, borrower, { ...capped(20_000), triggerHealthWad: parseEther('1.2') });
  const guards = { address: own.loanGuard, abi: loanGuardAbi } as const;
  const id = await chain.readContract({ ...guards, functionName: 'guardCount' });
  await chain.send(borrower, own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [id] });
  return id;
}
