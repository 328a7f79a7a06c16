import { type RequestHandler, Router } from 'express';
import listed from '../../../packages/core/registry/assets.json' with { type: 'json' };
import { usd8 } from './feeds.ts';
import { type PriceToSign, signUpdate } from './guardians.ts';
import { type Asset, assets, type Path } from './path.ts';

// Serves the price path as Pyth's service does: Hermes' path, decimals, signatures and refusals, for the latest prices
// only, and only as signed updates, which the agent requests (`parsed=false`).

/** Pyth's ids of the prices in US dollars, from the registry. */
export const pythIds = Object.fromEntries(listed.map(({ symbol, pythId }) => [symbol, pythId.slice(2)])) as Readonly<
  Record<Asset, string>
>;

export const hermesRoute = `GET /v2/updates/price/latest?ids[]=${pythIds.BTCB}`;

/** Confidence interval in 1/10,000 of the price: how far Pyth's publishers disagree. */
const confidenceBps = 3n;

/**
 * @param clock unix seconds, with a fraction.
 * @param key required in every request, as by Pyth's public endpoint; if omitted, requests need no key.
 */
export function hermes(path: Pick<Path, 'usd'>, clock: () => number, key?: string): Router {
  const latest: RequestHandler = async (request, response) => {
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
      response.status(401).send('Unauthorized');
      return;
    }
    const ids = [request.query['ids[]'] ?? []].flat().map((id) => `${id}`.replace(/^0x/, '').toLowerCase());
    if (ids.length === 0) {
      response.status(400).send('Failed to deserialize query string: missing field `ids`');
      return;
    }
    const now = clock();
    const prices = ids.map((id) => priceOf(path, id, now));
    const unknown = ids.filter((_, at) => prices[at] === undefined);
    if (unknown.length > 0) {
      response.status(404).send(`Price ids not found: ${unknown.map((id) => `0x${id}`).join(', ')}`);
      return;
    }
    const found = prices.filter((price) => price !== undefined);
    response.json({ binary: { encoding: 'hex', data: [await signUpdate(found)] } });
  };
  return Router({ caseSensitive: true }).get('/v2/updates/price/latest', latest);
}

function priceOf(path: Pick<Path, 'usd'>, id: string, now: number): PriceToSign | undefined {
  const asset = assets.find((each) => pythIds[each] === id);
  if (asset === undefined) return undefined;
  const publishTime = Math.floor(now);
  const price = usd8(path, asset, publishTime);
  return { id, price, conf: (price * confidenceBps) / 10_000n, expo: -8, publishTime };
}
