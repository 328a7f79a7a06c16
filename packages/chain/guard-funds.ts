import type { Asset } from '@bowline/core/domain/assets';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { asking, type ChainClient } from './chain-client.ts';
import { isSilence } from './errors.ts';
import { readMeans } from './guard-means.ts';
import { beginReading } from './one-call.ts';
import type { GuardFundsReader } from './readers.ts';

/**
 * Reads what rescues by guards would find, all at one block. Only listed tokens are read: a stranger's could use up the gas
 * of the call.
 */
export function createGuardFunds(
  client: ChainClient,
  {
    own: { loanGuard, collateralGuard },
    lending,
    assets,
  }: { readonly assets: readonly Asset[] } & Pick<AddressBook, 'own' | 'lending'>,
): GuardFundsReader {
  const places = { loanGuard, lending, ...(collateralGuard && { collateralGuard }) };
  const listed = new Set(assets.map(({ address }) => address.toLowerCase()));
  return {
    guardFunds: (guards) =>
      asking(async () => {
        const reading = beginReading(client, []);
        return Promise.all(
          guards.map(async (guard) => {
            if (!listed.has(guard.repayToken.toLowerCase())) return undefined;
            return readMeans(reading.client, places, guard).catch(unlessSilent);
          }),
        );
      }),
  };
}

function unlessSilent(error: unknown): undefined {
  if (isSilence(error)) throw error;
}
