import { createMarketReader } from '@bowline/chain/market-reader';
import { assetClasses } from '@bowline/core/domain/assets';
import type { Log } from '@bowline/core/domain/log';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { pythSignersOf } from '@bowline/core/registry/pyth';
import { limitsOf } from '@bowline/core/verdict/limits';
import { looserLimits } from '@bowline/core/verdict/looser';
import { createMarketData } from '@bowline/exchange/exchange';
import type { Config, Secret } from '../config.ts';
import { keccak256 } from '../process/hashing.ts';
import { neverNone } from '../sources/never-none.ts';
import type { Sources } from '../sources/propose.ts';
import { createPyth } from '../sources/pyth.ts';
import { sparing } from '../sources/sparing.ts';
import type { Chain } from './chain.ts';
import { clock, timers } from './time.ts';

/** The sources of verdict facts: chain, exchange and Pyth. */
export function openSources(config: Config, { connect, book }: Chain, log: Log): Sources {
  const offChain = {
    ...(config.marketDataUrl && { exchange: createMarketData(config.marketDataUrl.reveal(), clock) }),
    ...(config.pythUrl && { pyth: openPyth(config.pythUrl, config, log) }),
  };
  return {
    assets: book.assets,
    limitsOf: (asset) => limitsOfAsset(asset, config.limits),
    chain: createMarketReader(connect(true), book, timers, keccak256),
    clock,
    ...sparing(neverNone(offChain), clock),
  };
}

function openPyth(url: Secret, { pythApiKey, chainId }: Config, log: Log) {
  const signers = pythSignersOf(chainId);
  return createPyth(url.reveal(), clock, { signers, log, ...(pythApiKey && { apiKey: pythApiKey.reveal() }) });
}

/** Warns the operator about settings that weaken verdicts. */
export function warnOfVerdictSettings(config: Config, log: Log): void {
  warnOfLooserLimits(config, log);
  warnOfPythOff(config, log);
  warnOfNoSource(config, log);
}

/** A verdict's readers must be able to see that its limits are looser than the project's. */
function warnOfLooserLimits({ limits }: Config, log: Log): void {
  const looser = assetClasses.flatMap((kind) =>
    looserLimits(limitsOf[kind], limits[kind]).map(({ limit, ...values }) => ({
      limit: `${kind}.${limit}`,
      ...values,
    })),
  );
  if (looser.length > 0) log.warn('limits.own', { looser });
}

/** A verdict's readers must be able to find out why Pyth is missing. */
function warnOfPythOff({ pythKeyMissing }: Config, log: Log): void {
  if (!pythKeyMissing) return;
  const cause = 'Pyth requires an API key, and PYTH_API_KEY is not set: verdicts are made without Pyth.';
  log.warn('pyth.off', { cause, remedy: 'Set PYTH_API_KEY, or set PYTH_URL to off to do without Pyth.' });
}

/** A verdict's readers must be able to find out why no verdict is GO. */
function warnOfNoSource({ marketDataUrl, pythUrl }: Config, log: Log): void {
  if (marketDataUrl !== undefined || pythUrl !== undefined) return;
  const cause = 'Neither an exchange nor Pyth is configured: Chainlink alone proves no price, and no verdict is GO.';
  log.warn('sources.none', { cause, remedy: 'Set MARKET_DATA_URL or PYTH_URL to an address.' });
}
