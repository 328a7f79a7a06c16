import type { Dependency } from '@bowline/core/domain/readiness';
import { newestBlock } from '../chain/chain-client.ts';
import { gasDependencies } from '../sending/gas-dependencies.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { Sources } from '../sources/propose.ts';
import type { Chain } from './chain.ts';
import { clock } from './time.ts';

/** Maximum age of the newest block. */
const MAX_BLOCK_AGE_SECONDS = 60n;

/** What this process depends on. Of these, only the chain is needed for everything; waiting rescues are added by main.ts. */
export function dependenciesOf({ client }: Chain, { assets, exchange, pyth }: Sources, keeper: Keeper): Dependency[] {
  const pair = assets.find(({ exchangePair }) => exchangePair !== undefined)?.exchangePair;
  const pythId = assets.find((asset) => asset.pythId !== undefined)?.pythId;
  const chain: Dependency = {
    name: 'chain',
    needed: true,
    look: async () => {
      const { number, timestamp } = await newestBlock(client);
      const seconds = clock() - timestamp;
      if (seconds > MAX_BLOCK_AGE_SECONDS) throw new Error('the newest block is old');
      return `block ${number}, ${seconds} s old`;
    },
  };
  const market = exchange &&
    pair !== undefined && {
      name: 'exchange',
      needed: false,
      look: async () => {
        await exchange.bookTicker(pair);
        return `${pair} has a price`;
      },
    };
  const oracle = pyth &&
    pythId !== undefined && {
      name: 'pyth',
      needed: false,
      look: async () => {
        await pyth.price(pythId);
        return `${pythId} has a price`;
      },
    };
  return [chain, ...gasDependencies(client, keeper), ...(market ? [market] : []), ...(oracle ? [oracle] : [])];
}
