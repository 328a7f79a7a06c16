import { createMarketReader } from '@bowline/chain/market-reader';
import type { Log } from '@bowline/core/domain/log';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { pythSignersOf } from '@bowline/core/registry/pyth';
import { createMarketData } from '@bowline/exchange/exchange';
import { clock, timers } from '@bowline/http/clock';
import type { Config, Secret } from '../config.ts';
import type { Sources } from '../sources/propose.ts';
import { createPyth } from '../sources/pyth.ts';
import { sparing } from '../sources/sparing.ts';
import type { Chain } from './chain.ts';

/** Exchange and Pyth, where they are on. */
export const openOffChain = (config: Config, log: Log) => ({
  ...(config.marketDataUrl && { exchange: createMarketData(config.marketDataUrl.reveal(), clock, { log }) }),
  ...(config.pythUrl && { pyth: openPyth(config.pythUrl, config, log) }),
});

/** The sources of verdict facts: chain, exchange and Pyth. */
export function openSources(config: Config, { connect, book }: Chain, log: Log): Sources {
  const offChain = openOffChain(config, log);
  return {
    assets: book.assets,
    limitsOf: limitsOfAsset,
    chain: createMarketReader(connect(true), book, timers),
    clock,
    ...sparing(offChain, clock),
  };
}

function openPyth(url: Secret, { pythApiKey, chainId }: Config, log: Log) {
  const signers = pythSignersOf(chainId);
  return createPyth(url.reveal(), clock, { signers, log, ...(pythApiKey && { apiKey: pythApiKey.reveal() }) });
}
