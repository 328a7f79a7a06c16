import type { Log } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';
import { http, isHash } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import type { Operation } from './operation.ts';

/**
 * A service that puts operations into blocks. It can delay and drop them but change nothing; its report of an outcome
 * is only a hint of where to look.
 */
export interface Bundler {
  /** Whether the bundler confirms that it accepted the operation. If false, it may have it anyway. Never rejects. */
  take(operation: Operation): Promise<boolean>;
  /** The transaction that the bundler reports as the operation's carrier; undefined if it names none. Never rejects. */
  carrierOf?(operationHash: Hex): Promise<Hex | undefined>;
}

/** @param url JSON-RPC over HTTP. */
export function connectBundler(url: string, entryPointAddress: Address, log: Log): Bundler {
  const client = createBundlerClient({ transport: http(url, { timeout: 3_000, retryCount: 0 }) });
  return {
    async take(operation) {
      try {
        await client.sendUserOperation({ ...operation, entryPointAddress });
        return true;
      } catch (error) {
        log.warn('wallet.bundler_failed', { error });
        // A lost response may have been an acceptance.
        return false;
      }
    },
    async carrierOf(hash) {
      try {
        const receipt = await client.getUserOperationReceipt({ hash });
        const carrier: unknown = receipt.receipt.transactionHash;
        return typeof carrier === 'string' && isHash(carrier) ? carrier : undefined;
      } catch (error) {
        log.debug('wallet.bundler_silent', { error });
        return undefined;
      }
    },
  };
}
