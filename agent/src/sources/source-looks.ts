import type { Look } from '@bowline/core/domain/readiness';
import type { Sources } from './propose.ts';

/** Whether each price source off chain has a price. @param seen is called when one has. */
export function sourceLooks({ assets, exchange, pyth }: Sources, seen: (source: string) => void): Look[] {
  const pair = assets.find(({ exchangePair }) => exchangePair !== undefined)?.exchangePair;
  const pythId = assets.find((asset) => asset.pythId !== undefined)?.pythId;
  const source = (name: string, of: string, ask: () => Promise<unknown>): Look => {
    // Its age counts from the start, too.
    seen(name);
    const look = async () => {
      await ask();
      seen(name);
      return `${of} has a price`;
    };
    return { name, look };
  };
  return [
    ...(exchange && pair !== undefined ? [source('exchange', pair, () => exchange.bookTicker(pair))] : []),
    ...(pyth && pythId !== undefined ? [source('pyth', pythId, () => pyth.price(pythId))] : []),
  ];
}
