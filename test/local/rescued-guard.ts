import { type Address, pad, parseEther, zeroAddress } from 'viem';
import { loanGuardAbi } from '../../abis/index.ts';
import { comptrollerAbi, erc20Abi, faucetAbi, vTokenAbi } from '../../lab/world/abis.ts';
import { type TokenSymbol, tokens, venus } from '../../lab/world/addresses.ts';
import type { Chain } from '../../lab/world/chain.ts';

/** A loan of USDT on ten ETH at a health of 1.15, with a guard that has rescued it once. Answers the guard's number. */
export async function rescuedGuard(
  chain: Chain,
  own: { readonly loanGuard: Address; readonly venusMarket: Address },
  borrower: Address,
): Promise<bigint> {
  const { vETH, vUSDT } = venus.markets;
  const take = (symbol: TokenSymbol, amount: bigint) =>
    chain.send(borrower, tokens[symbol], { abi: faucetAbi, functionName: 'allocateTo', args: [borrower, amount] });
  const approve = (symbol: TokenSymbol, spender: Address, amount: bigint) =>
    chain.send(borrower, tokens[symbol], { abi: erc20Abi, functionName: 'approve', args: [spender, amount] });
  await take('ETH', parseEther('10'));
  await approve('ETH', vETH, parseEther('10'));
  await chain.send(borrower, vETH, { abi: vTokenAbi, functionName: 'mint', args: [parseEther('10')] });
  await chain.send(borrower, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vETH]] });
  const liquidity = { address: venus.comptroller, abi: comptrollerAbi, functionName: 'getAccountLiquidity' } as const;
  const [, worth = 0n] = (await chain.readContract({ ...liquidity, args: [borrower] })) as readonly bigint[];
  await chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [(worth * 100n) / 115n] });
  await take('USDT', parseEther('20000'));
  await approve('USDT', own.loanGuard, parseEther('20000'));
  const terms = {
    ...{ borrower, funder: borrower, adapter: own.venusMarket, market: pad(vUSDT) },
    ...{ keeper: zeroAddress, priceSource: zeroAddress },
    ...{ triggerHealthWad: parseEther('1.2'), targetHealthWad: parseEther('1.25') },
    ...{ capPerRescue: parseEther('20000'), capPerDay: parseEther('20000'), minRepay: parseEther('10') },
    ...{ cooldownSeconds: 600, expiresAt: Number((await chain.getBlock()).timestamp) + 86_400 },
  };
  await chain.send(borrower, own.loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [terms] });
  const count = { address: own.loanGuard, abi: loanGuardAbi, functionName: 'guardCount' } as const;
  const id = await chain.readContract(count);
  await chain.send(borrower, own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [id] });
  return id;
}
