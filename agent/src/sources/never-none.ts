import { BowlineError } from '@bowline/core/domain/result';
import type { OffChainSources } from './propose.ts';

const noAnswer = () =>
  Promise.reject(new BowlineError('market_unavailable', 'Neither an exchange nor Pyth is configured.'));

/**
 * The operator's sources; if there is none, sources that never answer. An operator may do without the exchange or without
 * Pyth, but not without both: nothing independent would stand beside Chainlink. With silent sources no verdict is GO: it is
 * NO_DATA, or NO_GO where a danger is known.
 */
export const neverNone = (configured: OffChainSources): OffChainSources =>
  configured.exchange === undefined && configured.pyth === undefined
    ? {
        exchange: { bookTicker: noAnswer, depth: noAnswer, candles: noAnswer },
        pyth: { price: noAnswer },
      }
    : configured;
