import type { Log } from '@bowline/core/domain/ports';
import { type AddressBook, withoutInvented } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import { asking, type ChainClient, connectChain } from '../chain/chain-client.ts';
import { checkAddressBook, checkChain, checkMaker } from '../chain/check-address-book.ts';
import { isSilent, untilAnswered } from '../chain/node-wait.ts';
import type { Config } from '../config.ts';
import { keeperAccount } from './keys.ts';

export interface Chain {
  readonly client: ChainClient;
  /** Verified: every address in it has code on this chain. */
  readonly book: AddressBook;
}

/**
 * Connects to the node and checks that it serves the configured chain with the recorded contracts. Waits while the node
 * does not answer.
 * @throws an error with a one-line message that says what is wrong.
 */
export async function openChain(config: Config, log: Log): Promise<Chain> {
  const client = connectChain(config.rpcUrl.reveal());
  await untilAnswered(log, () => checkChain(client, config.chainId), isSilent);
  const recorded = readAddressBook(config.chainId, config.deployments);
  const book = await untilAnswered(log, () => asking(() => withoutInvented(recorded, client)));
  await untilAnswered(log, () => checkAddressBook(client, book, config.chainId));
  const unlisted = config.servingPolicy.tokens.filter((token) => !book.assets.some(({ symbol }) => symbol === token));
  if (unlisted.length > 0) {
    throw new Error(`PLAN_TOKENS names assets that are not in the registry: ${unlisted.join(', ')}.`);
  }
  await untilAnswered(log, () => checkMaker(client, book, keeperAccount(config).address));
  return { client, book };
}
