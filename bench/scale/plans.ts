// Thousands of plans whose owners hold what they pay with.

import { type Address, encodeFunctionData, parseEther, toHex, zeroAddress } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';
import type { DeployedChain } from '../../agent/test/chain/deployed-chain.ts';
import { erc20Abi } from '../../script/local/abis.ts';
import { tokens } from '../../script/local/addresses.ts';
import type { EncodedCall } from '../../script/local/chain.ts';
import { give } from '../../test/local/accounts.ts';
import { equip, script, sendMany } from './scripts.ts';

export interface Slots {
  readonly count: number;
  /** Unix seconds, of the first slot. */
  readonly startAt: number;
}

/** An account that `makePlans` equips. */
const ownerAt = (at: number): Address => toHex(2n ** 152n + BigInt(at), { size: 20 });
/** Of one run. Together they move the pool by little. */
const amountPerRun = parseEther('10');
const day = 86_400;
/** A plan takes 151,000 gas (`npm run gas`). */
const perTransaction = 80;

/**
 * Makes plans that pay 10 USDT for BTCB once a day, `slots` after `slots`, spread over the owners. On a chain that mines at
 * once.
 */
export async function makePlans(world: DeployedChain, owners: number, slots: readonly Slots[]): Promise<void> {
  const { chain, book } = world;
  const accounts = Array.from({ length: owners }, (_, at) => ownerAt(at));
  await equip(chain, accounts);
  const approval = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [book.own.planRegistry, parseEther('1000000')],
  });
  for (const owner of accounts) await give(chain, owner, 'USDT', '10000');
  const calls: EncodedCall[] = accounts.map((to) => ({ to, data: script([{ to: tokens.USDT, data: approval }]) }));
  for (const { count, startAt } of slots) {
    for (const [at, owner] of accounts.entries()) {
      const own = Math.floor(count / owners) + (at < count % owners ? 1 : 0);
      const terms = {
        owner,
        recipient: owner,
        executor: book.own.swapExecutor,
        verdictSigner: zeroAddress,
        tokenIn: tokens.USDT,
        tokenOut: tokens.BTCB,
        amountPerRun,
        startAt,
        periodSeconds: day,
        windowSeconds: 1_800,
        maxRuns: 10,
        expiresAt: startAt + 10 * day,
        priceSource: book.own.chainlinkPriceSource,
        limitPriceWad: 0n,
        maxSlippageBps: 100,
      };
      const create = encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] });
      const each = { to: book.own.planRegistry, data: create };
      for (let left = own; left > 0; left -= perTransaction) {
        calls.push({ to: owner, data: script(Array.from({ length: Math.min(left, perTransaction) }, () => each)) });
      }
    }
  }
  await sendMany(chain, calls);
}
