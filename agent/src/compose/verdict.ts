import { createMarketReader } from '@bowline/chain/market-reader';
import type { Log } from '@bowline/core/domain/log';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { pythSignersOf } from '@bowline/core/registry/pyth';
import { createMarketData } from '@bowline/exchange/exchange';
import { clock, timers } from '@bowline/http/clock';
import type { Config, Secret } from '../config.ts';
import { type Sources, sparing } from '../sources/propose.ts';
import { createPyth } from '../sources/pyth.ts';
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

/** Warns the operator that verdicts lack a source. */
export function warnOfVerdictSettings({ pythKeyMissing }: { readonly pythKeyMissing: boolean }, log: Log): void {
  if (!pythKeyMissing) return;
  const cause = 'Pyth requires an API key, and PYTH_API_KEY is not set: verdicts are made without Pyth.';
  log.warn('pyth.off', { cause, remedy: 'Set PYTH_API_KEY, or set PYTH_URL to off to do without Pyth.' });
}
