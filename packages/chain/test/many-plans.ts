import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseEther,
  toHex,
  zeroAddress,
} from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../../abis/index.ts';
import { venus } from '../../../lab/world/addresses.ts';
import type { Chain } from '../../../lab/world/chain.ts';
import { alice } from '../../../test/local/accounts.ts';
import { type DeployedChain, planTerms } from './deployed-chain.ts';

/** How many calls fit into one transaction of the chain's test client. */
const callsEach = 80;

/** Accounts that nobody owns. `repeat` gives them the code of a contract that repeats one call. */
export const stranger = (index: number): Address => toHex(2n ** 150n + BigInt(index), { size: 20 });

/**
 * Calls `target` with the calldata after the first word, as often as that word says. Reverts if a call does.
 * Anyone who makes junk would do it this way, because it is cheap.
 */
const repeater = (target: Address): Hex =>
  concat([
    '0x6020360380',
    '0x60205f37',
    '0x5f35',
    '0x5b',
    '0x5f5f835f5f73',
    target,
    '0x5af1',
    '0x15603557',
    '0x60019003',
    '0x80600b57',
    '0x00',
    '0x5b5f5ffd',
  ]);

/** Calls `target` `times` times from `from`, which gets the code for it. */
export async function repeat(
  chain: Chain,
  from: Address,
  target: Address,
  call: Hex,
  times: number,
  each = callsEach,
): Promise<void> {
  await chain.setCode({ address: from, bytecode: repeater(target) });
  for (let left = times; left > 0; left -= each) {
    await chain.sendRaw(alice, from, concat([numberToHex(Math.min(left, each), { size: 32 }), call]));
  }
}

/** Creates plans of one owner, live for a day and ordinary except for their tiny amounts. `changes` edits the terms. */
export async function makePlans({ chain, book }: DeployedChain, owner: Address, count: number, changes: object = {}) {
  const { timestamp } = await chain.getBlock();
  const terms = { ...planTerms(book.own, owner, Number(timestamp)), amountPerRun: 1n, ...changes };
  const call = encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] });
  await repeat(chain, owner, book.own.planRegistry, call, count);
}

/** Creates ordinary guards of one borrower, for a loan that does not exist. */
export async function makeGuards(
  { chain, book }: DeployedChain,
  borrower: Address,
  count: number,
  changes: object = {},
) {
  const { timestamp } = await chain.getBlock();
  const terms = {
    borrower,
    funder: borrower,
    adapter: book.own.venusMarket,
    market: pad(venus.markets.vUSDT),
    keeper: zeroAddress,
    priceSource: zeroAddress,
    triggerHealthWad: parseEther('1.1'),
    targetHealthWad: parseEther('1.25'),
    capPerRescue: parseEther('100'),
    capPerDay: parseEther('100'),
    minRepay: 1n,
    cooldownSeconds: 600,
    expiresAt: Number(timestamp) + 86_400,
    ...changes,
  };
  const call = encodeFunctionData({ abi: loanGuardAbi, functionName: 'register', args: [terms] });
  await repeat(chain, borrower, book.own.loanGuard, call, count);
}
