import { WAD } from '@bowline/core/domain/units';
import { type Address, encodeFunctionData, pad, parseEther, zeroAddress } from 'viem';
import { loanGuardAbi, venusMarketAbi } from '../../../abis/index.ts';
import type { DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { alice, approve, bob, carol, give } from '../../../test/local/accounts.ts';
import { comptrollerAbi, oracleAbi, vTokenAbi } from '../../world/abis.ts';
import { tokens, venus } from '../../world/addresses.ts';
import { setPrice } from '../../world/oracle.ts';
import { execution, type Gas, measure, measureTogether } from './measure.ts';

const { vBTC, vUSDT } = venus.markets;
export interface LoanGas {
  readonly register: Gas;
  readonly rescue: Gas;
  readonly bareRepay: Gas;
  /** Execution only: this is not a transaction of its own. */
  readonly read: bigint;
  /** One price from the ResilientOracle; execution only. */
  readonly oraclePrice: bigint;
}

/** Two equal loans: one is rescued, and for the other somebody repays the same part directly. */
export async function measureLoans(world: DeployedChain): Promise<LoanGas> {
  const { chain, book } = world;
  const { loanGuard, venusMarket } = book.own;
  for (const borrower of [bob, carol]) await borrow(world, borrower);
  await register(world, carol);
  const registered = await register(world, bob);
  await setPrice(chain, alice, 'BTCB', 65_000_00000000n);

  const repaid = parseEther('8400');
  await give(chain, alice, 'USDT', '20000');
  await approve(chain, alice, 'USDT', vUSDT, 2n * repaid);
  const repayment = { abi: vTokenAbi, functionName: 'repayBorrowBehalf', args: [carol, repaid] } as const;
  const bareRepay = await measure(chain, alice, vUSDT, repayment);
  const rescue = await measure(chain, alice, loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [2n] });

  // In a block that has already accrued interest: the bare repayment includes that, and it must not count twice.
  const reading = { abi: venusMarketAbi, functionName: 'accrueAndRead', args: [carol, pad(vUSDT)] } as const;
  const [, read] = await measureTogether(chain, alice, [
    { to: vUSDT, data: encodeFunctionData({ abi: vTokenAbi, functionName: 'accrueInterest' }) },
    { to: venusMarket, data: encodeFunctionData(reading) },
  ]);
  const asked = { abi: oracleAbi, functionName: 'getPrice', args: [tokens.BTCB] } as const;
  const oracle = await chain.readContract({ address: venus.comptroller, abi: comptrollerAbi, functionName: 'oracle' });
  const oraclePrice = execution(await measure(chain, alice, oracle, asked));
  return { register: registered, rescue, bareRepay, read: execution(read as Gas), oraclePrice };
}

/** Borrows 50,000 USDT against one BTCB. 80 % of its 100,000 USD count: health 1.6. */
async function borrow({ chain, book }: DeployedChain, borrower: Address): Promise<void> {
  const amount = await give(chain, borrower, 'BTCB', '1');
  await approve(chain, borrower, 'BTCB', vBTC, amount);
  await chain.send(borrower, vBTC, { abi: vTokenAbi, functionName: 'mint', args: [amount] });
  await chain.send(borrower, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBTC]] });
  await chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther('50000')] });
  await approve(chain, borrower, 'USDT', book.own.loanGuard, parseEther('20000'));
}

async function register({ chain, book }: DeployedChain, borrower: Address): Promise<Gas> {
  const { timestamp } = await chain.getBlock();
  const terms = {
    borrower,
    funder: borrower,
    adapter: book.own.venusMarket,
    market: pad(vUSDT),
    keeper: zeroAddress,
    priceSource: zeroAddress,
    triggerHealthWad: (WAD * 110n) / 100n,
    targetHealthWad: (WAD * 125n) / 100n,
    capPerRescue: parseEther('20000'),
    capPerDay: parseEther('20000'),
    minRepay: parseEther('1'),
    cooldownSeconds: 600,
    expiresAt: Number(timestamp) + 86_400,
  };
  return measure(chain, borrower, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [terms] });
}
