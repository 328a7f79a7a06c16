import { type Asset, assetClasses } from '@bowline/core/domain/assets';
import type { Log } from '@bowline/core/domain/ports';
import { readTradingCalendars } from '@bowline/core/registry/calendars';
import { looserLimits } from '@bowline/core/verdict/looser';
import { createMarketData } from '@bowline/exchange/exchange';
import { connectChain } from '../chain/chain-client.ts';
import { createMarketReader } from '../chain/market-reader.ts';
import type { Config, Secret } from '../config.ts';
import type { Sources } from '../sources/propose.ts';
import { createPyth } from '../sources/pyth.ts';
import { sparing } from '../sources/sparing.ts';
import type { Chain } from './chain.ts';
import { clock } from './time.ts';

/** Where verdicts get their facts: the chain, the exchange and Pyth. */
export function openSources(config: Config, { book }: Chain, log: Log): Sources {
  const offChain = {
    ...(config.marketDataUrl && { exchange: createMarketData(config.marketDataUrl.reveal(), clock) }),
    ...(config.pythUrl && { pyth: openPyth(config.pythUrl, config, log) }),
  };
  return {
    assets: book.assets,
    limitsOf: (asset: Asset) => config.limits[asset.class],
    chain: createMarketReader(connectChain(config.rpcUrl.reveal(), true), book),
    calendars: readTradingCalendars(),
    clock,
    ...sparing(offChain, clock),
  };
}

function openPyth(url: Secret, { pythApiKey }: Config, log: Log) {
  return createPyth(url.reveal(), clock, { log, ...(pythApiKey && { apiKey: pythApiKey.reveal() }) });
}

/** What an operator should know of the settings that verdicts are reached by. */
export function warnOfVerdictSettings(config: Config, log: Log): void {
  warnOfLooserLimits(config, log);
  warnOfPythOff(config, log);
}

/** Readers of a verdict must be able to see that it was held to less than the project holds it to. */
function warnOfLooserLimits({ limits }: Config, log: Log): void {
  const looser = assetClasses.flatMap((kind) =>
    looserLimits(kind, limits[kind]).map(({ limit, ...values }) => ({ limit: `${kind}.${limit}`, ...values })),
  );
  if (looser.length > 0) log.warn('limits.own', { looser });
}

/** Readers of a verdict without Pyth should find out why a source is missing. */
function warnOfPythOff({ pythKeyMissing }: Config, log: Log): void {
  if (!pythKeyMissing) return;
  const cause = 'Pyth wants a key, and PYTH_API_KEY is not set: verdicts are reached without Pyth.';
  log.warn('pyth.off', { cause, remedy: 'Set PYTH_API_KEY, or PYTH_URL to off where that is wanted.' });
}
