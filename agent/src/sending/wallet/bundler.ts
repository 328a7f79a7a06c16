import { overHttp } from '@bowline/chain/chain-client';
import type { Log } from '@bowline/core/domain/log';
import type { Address, Hex } from '@bowline/core/domain/units';
import { isHash, type Transport } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import type { Operation } from './account.ts';

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

/** @param at JSON-RPC over HTTP, or a connection of another kind. */
export function connectBundler(at: string | Transport, entryPointAddress: Address, log: Log): Bundler {
  const transport = typeof at === 'string' ? overHttp(at) : at;
  const client = createBundlerClient({ transport });
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

/** Several bundlers as one: each gets every operation; the first that takes it or names its carrier is believed. */
export function connectBundlers(urls: readonly (string | Transport)[], entryPointAddress: Address, log: Log): Bundler {
  const bundlers = urls.map((url) => connectBundler(url, entryPointAddress, log));
  const firstOf = <Answer>(answers: readonly Promise<Answer>[], isOne: (answer: Answer) => boolean) =>
    Promise.any(
      answers.map(async (each) => {
        const answer = await each;
        if (!isOne(answer)) throw new Error('not this one');
        return answer;
      }),
    ).catch(() => undefined);
  return {
    take: async (operation) => {
      const taken = bundlers.map((bundler) => bundler.take(operation));
      return (await firstOf(taken, (isTaken) => isTaken)) === true;
    },
    carrierOf: (hash) =>
      firstOf(
        bundlers.map(async (bundler) => bundler.carrierOf?.(hash)),
        (by) => by !== undefined,
      ),
  };
}
