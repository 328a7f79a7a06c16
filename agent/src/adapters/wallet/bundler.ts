import { BaseError, http } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import type { Log } from '../../domain/ports.ts';
import type { Address } from '../../domain/units.ts';
import type { Operation } from './operation.ts';

/**
 * Somebody who puts operations into blocks. It can delay and refuse them and change nothing in them; what it says of their
 * fate is not asked for.
 */
export interface Bundler {
  /** Whether it may have the operation now: false only when it has said that it does not take it. */
  take(operation: Operation): Promise<boolean>;
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
        if (!(error instanceof BaseError)) throw error;
        log.warn('wallet.bundler_failed', { error });
        // An answer that is lost may be a yes.
        return false;
      }
    },
  };
}
