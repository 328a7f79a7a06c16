import type { Asset } from '@bowline/core/domain/assets';
import type { Funds } from '@bowline/core/domain/permissions';
import type { Address } from '@bowline/core/domain/units';
import { erc20Abi } from './chain-abis.ts';
import { asking, type ChainClient, inOneCall } from './chain-client.ts';
import { readInPages } from './in-pages.ts';
import type { GuardFundsReader } from './readers.ts';

const PAGE = 50;

/** Reads what guards have to repay with. Only listed tokens are read: a stranger's could use up the gas of a page. */
export function createGuardFunds(client: ChainClient, loanGuard: Address, assets: readonly Asset[]): GuardFundsReader {
  const listed = new Set(assets.map(({ address }) => address.toLowerCase()));
  return {
    guardFunds: (guards) =>
      asking(async () => {
        const indexes = [...guards.keys()].filter((at) => listed.has(guards[at]?.repayToken.toLowerCase() ?? ''));
        const { items, silence } = await readInPages(indexes.map(BigInt), PAGE, async (page) => {
          const contracts = page.flatMap((at) => {
            const { repayToken: address, funder } = guards[Number(at)] as (typeof guards)[number];
            return [
              { address, abi: erc20Abi, functionName: 'balanceOf', args: [funder] } as const,
              { address, abi: erc20Abi, functionName: 'allowance', args: [funder, loanGuard] } as const,
            ];
          });
          const amounts = await client.multicall({ ...inOneCall, allowFailure: false, contracts });
          return page.map((_, at): Funds => {
            return { balance: amounts[2 * at] ?? 0n, allowance: amounts[2 * at + 1] ?? 0n };
          });
        });
        if (silence) throw silence;
        return guards.map((_, at) => items.get(BigInt(at)));
      }),
  };
}
