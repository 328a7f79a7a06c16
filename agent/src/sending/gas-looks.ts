import type { ChainClient } from '@bowline/chain/chain-client';
import type { Look } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import { bnb } from '@bowline/core/domain/units';
import type { Keeper } from './keeper.ts';

/**
 * Checks that each gas payer has BNB, and enough for one call at the node's gas price if that is known.
 * @param seen is told what was read.
 */
export function gasLooks(
  client: ChainClient,
  { payers, minGas }: Pick<Keeper, 'payers' | 'minGas'>,
  seen: (payer: string, funds: { wei: bigint; gasPriceWei: bigint }) => void = () => {},
): Look[] {
  return Object.entries(payers).map(([name, address]) => ({
    name,
    look: async () => {
      const [wei, gasPriceWei] = await Promise.all([client.getBalance({ address }), client.getGasPrice()]);
      seen(name, { wei, gasPriceWei });
      const minWei = (minGas[name] ?? 0n) * gasPriceWei;
      const holds = `${address} holds ${bnb(wei)}`;
      if (wei > 0n && wei >= minWei) return holds;
      const needs = minWei > 0n ? `: one call may take ${bnb(minWei)} of gas` : '';
      throw new BowlineError('balance_too_low', `${holds}, too little to pay for gas${needs}.`);
    },
  }));
}
