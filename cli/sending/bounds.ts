import { chainIds } from '@bowline/http/common-settings';
import { type Environment, readEnvironment } from '@bowline/http/environment';
import { settings } from '../../agent/src/settings.ts';
import { chainIdOf } from '../check/record.ts';
import type { SendBounds } from './send.ts';

/**
 * By the agent's settings, and never as the node says: its answers decide what is signed.
 * @param chain as --chain names it; empty: CHAIN.
 * @throws one line for each wrong setting.
 */
export function boundsIn(environment: Environment, chain: string): SendBounds {
  const { CHAIN, MAX_GAS_PRICE_GWEI } = settings;
  const read = readEnvironment({ CHAIN, MAX_GAS_PRICE_GWEI }, environment);
  const chainId = chain === '' ? chainIds[read.CHAIN] : chainIdOf(chain, undefined);
  return { chainId, maxGasPriceWei: read.MAX_GAS_PRICE_GWEI };
}
