import type { Log } from '@bowline/core/domain/ports';
import { untilAnswered } from '../chain/node-wait.ts';
import type { Config } from '../config.ts';
import { type Keeper, openKeeper } from '../sending/keeper.ts';
import type { Chain } from './chain.ts';
import { keeperAccount, rescueAccount } from './keys.ts';
import { clock } from './time.ts';

/** Signs and sends the loops' transactions with the keeper's key or through its ERC-4337 account. */
export function openSending(config: Config, { client, book }: Chain, log: Log): Promise<Keeper> {
  const { chainId, gasBounds } = config;
  const bundlerUrl = config.bundlerUrl?.reveal();
  const keys = { account: keeperAccount(config), rescuer: rescueAccount(config) };
  return untilAnswered(log, () => openKeeper({ client, book, ...keys, chainId, gasBounds, bundlerUrl, log, clock }));
}
