import type { Log } from '@bowline/core/domain/ports';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Address, BaseError, isAddressEqual } from 'viem';
import { swapExecutorAbi } from '../../../abis/index.ts';
import { asking, type ChainClient, contractErrorName, refusalOf } from '../chain/chain-client.ts';
import type { Keeper } from './keeper.ts';

/**
 * A keeper without a key: it simulates each call, logs it and refuses it as `not_allowed` by `dry_run`. It acts for
 * whichever operator the chain names.
 */
export async function openDryKeeper(
  client: ChainClient,
  book: AddressBook,
  key: Address | undefined,
  log: Log,
): Promise<Keeper> {
  const { swapExecutor: address } = book.own;
  const operator = await asking(() => client.readContract({ address, abi: swapExecutorAbi, functionName: 'operator' }));
  return {
    sender: {
      address: operator,
      async send({ to, data, value, gas, label }) {
        try {
          await client.call({ account: operator, to, data, value, gas });
        } catch (error) {
          if (!(error instanceof BaseError)) throw error;
          const refusal = refusalOf(error);
          return refusal === undefined
            ? { outcome: 'not_sent' }
            : { outcome: 'would_revert', error: contractErrorName(refusal.data) };
        }
        log.info('call.dry_run', { label, to, gas });
        return { outcome: 'not_allowed', rule: 'dry_run' };
      },
    },
    isOperator: true,
    payers: key === undefined ? {} : { ...(!isAddressEqual(operator, key) && { wallet: operator }), keeper: key },
    minGas: {},
    open: () => [],
    isGasDayUsed: () => false,
    stop: async () => {},
  };
}
