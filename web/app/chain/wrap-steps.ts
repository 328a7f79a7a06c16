import { type Address, encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import type { Asset } from '../api/settings.ts';
import { exactAmount } from '../words/amounts.ts';
import { bnbWords } from '../words/en/bnb.ts';
import { proofBy } from './proof.ts';
import type { Step } from './step.ts';

const wbnbAbi = parseAbi([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'event Deposit(address indexed account, uint256 amount)',
  'event Withdrawal(address indexed account, uint256 amount)',
]);

export const isWrapping = ({ data }: Step): boolean => data === toFunctionSelector('deposit()');

/** @param amount wei, each of which becomes one base unit of the token. */
export const wrapStep = ({ address: to, decimals }: Asset, account: Address, amount: bigint): Step => ({
  ...{ label: bnbWords.wrap(exactAmount(amount, decimals)), to, value: amount },
  data: encodeFunctionData({ abi: wbnbAbi, functionName: 'deposit' }),
  proof: proofBy(to, wbnbAbi, 'Deposit', { account, amount }),
});

export const unwrapStep = ({ address: to, decimals }: Asset, account: Address, amount: bigint): Step => ({
  ...{ label: bnbWords.unwrap(exactAmount(amount, decimals)), to },
  data: encodeFunctionData({ abi: wbnbAbi, functionName: 'withdraw', args: [amount] }),
  proof: proofBy(to, wbnbAbi, 'Withdrawal', { account, amount }),
});
