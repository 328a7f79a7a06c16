import { type Address, keccak256, parseEther, slice, stringToHex } from 'viem';
import { venus } from '../addresses.ts';
import type { Chain } from '../chain.ts';
import type { Contracts } from '../start/contracts.ts';
import { approve, borrowAndGuard, type Loan, take } from '../start/demo.ts';

/** The replica's liquidation threshold of a deposit, in percent. */
const threshold = 80n;

/**
 * Borrowers with a guarded loan each, on BTCB, of healths from 1.15 to 1.23: a crash of 12 % takes each below its trigger of
 * 1.1, and none below 1.
 */
export const crowdOf = (count: number, seed: string): Loan[] =>
  Array.from({ length: count }, (_, at) => ({
    borrower: slice(keccak256(stringToHex(`${seed} borrower ${at}`)), 12) as Address,
    collateral: 'BTCB',
    market: venus.markets.vBTC,
    deposit: '0.1',
    threshold,
    healthMilli: 1_150n + BigInt(Math.floor((at * 80) / count)),
  }));

/** Takes the loans and registers the guards. @throws a line if a transaction reverts. */
export async function setUpCrowd(chain: Chain, contracts: Contracts, loans: readonly Loan[]): Promise<void> {
  const { timestamp } = await chain.getBlock();
  await Promise.all(
    loans.map(async (loan) => {
      const { borrower } = loan;
      await chain.impersonateAccount({ address: borrower });
      await chain.setBalance({ address: borrower, value: parseEther('1') });
      const receipts = await chain.sendTogether(borrower, [
        take(borrower, 'USDT', '20000'),
        approve('USDT', contracts.loanGuard, '20000'),
        ...borrowAndGuard(loan, contracts, Number(timestamp)),
      ]);
      if (receipts.some(({ status }) => status !== 'success'))
        throw new Error(`The loan of ${borrower} could not be taken.`);
    }),
  );
}
