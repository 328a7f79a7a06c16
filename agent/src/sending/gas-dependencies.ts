import type { Dependency } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import type { ChainClient } from '../chain/chain-client.ts';
import type { Keeper } from './keeper.ts';

/** Checks that each gas payer has BNB, and enough for one call at the node's gas price if that is known. */
export function gasDependencies(
  client: ChainClient,
  { payers, minGas }: Pick<Keeper, 'payers' | 'minGas'>,
): Dependency[] {
  return Object.entries(payers).map(([name, address]) => ({
    name,
    needed: false,
    look: async () => {
      const [wei, gasPrice] = await Promise.all([client.getBalance({ address }), client.getGasPrice()]);
      const minWei = (minGas[name] ?? 0n) * gasPrice;
      const holds = `${address} holds ${formatUnits(wei, 18)} BNB`;
      if (wei > 0n && wei >= minWei) return holds;
      const needs = minWei > 0n ? `: one call may take ${formatUnits(minWei, 18)} BNB of gas` : '';
      throw new BowlineError('balance_too_low', `${holds}, too little to pay for gas${needs}.`);
    },
  }));
}
