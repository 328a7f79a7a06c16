import type { Log } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';
import { http, isHash } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import type { Operation } from './operation.ts';

/**
 * Somebody who puts operations into blocks. It can delay and refuse them and change nothing in them; what it says of their
 * fate is a hint of where to look, and no more.
 */
export interface Bundler {
  /** Whether it says that it has taken the operation. When false, it may have it all the same. Never rejects. */
  take(operation: Operation): Promise<boolean>;
  /** The transaction that it says has carried the operation; undefined when it names none. Never rejects. */
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
        // An answer that is lost may be a yes.
        return false;
      }
    },
    async carrierOf(hash) {
      try {
        const told = await client.getUserOperationReceipt({ hash });
        const carrier: unknown = told.receipt.transactionHash;
        return typeof carrier === 'string' && isHash(carrier) ? carrier : undefined;
      } catch (error) {
        log.debug('wallet.bundler_silent', { error });
        return undefined;
      }
    },
  };
}
