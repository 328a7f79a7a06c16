import { type Address, pad, parseEther } from 'viem';
import { loanGuardAbi, venusMarketAbi } from '../../../abis/index.ts';
import { borrow, guardTerms } from '../../../agent/test/loans.ts';
import type { DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { alice, approve, bob, carol, give } from '../../../test/local/accounts.ts';
import { comptrollerAbi, oracleAbi, vTokenAbi } from '../../world/abis.ts';
import { tokens, venus } from '../../world/addresses.ts';
import { call } from '../../world/chain.ts';
import { setPrice } from '../../world/oracle.ts';
import { execution, type Gas, measure, measureTogether } from './measure.ts';

const { vUSDT } = venus.markets;

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
  for (const borrower of [bob, carol]) {
    // 80 % of the 100,000 USD that a BTCB is worth count: health 1.6.
    await borrow(chain, borrower, '50000');
    await approve(chain, borrower, 'USDT', loanGuard, parseEther('20000'));
  }
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
  const [, read] = await measureTogether(chain, alice, [
    call(vUSDT, vTokenAbi, 'accrueInterest', []),
    call(venusMarket, venusMarketAbi, 'accrueAndRead', [carol, pad(vUSDT)]),
  ]);
  const asked = { abi: oracleAbi, functionName: 'getPrice', args: [tokens.BTCB] } as const;
  const oracle = await chain.readContract({ address: venus.comptroller, abi: comptrollerAbi, functionName: 'oracle' });
  const oraclePrice = execution(await measure(chain, alice, oracle, asked));
  return { register: registered, rescue, bareRepay, read: execution(read as Gas), oraclePrice };
}

async function register(world: DeployedChain, borrower: Address): Promise<Gas> {
  const { chain, book } = world;
  const { timestamp } = await chain.getBlock();
  const amounts = { capPerRescue: parseEther('20000'), capPerDay: parseEther('20000'), minRepay: parseEther('1') };
  const args = [guardTerms(world, borrower, timestamp, amounts)] as const;
  return measure(chain, borrower, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'register', args });
}
