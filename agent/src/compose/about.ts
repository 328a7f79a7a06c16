import { formatUnits } from '@bowline/core/domain/units';
import { description } from '../api/http/discovery.ts';
import { endpoints, type PriceShown } from '../api/http/endpoints.ts';
import type { Config } from '../config.ts';
import { pricedTools } from '../tools/priced.ts';
import type { Self } from '../tools/self.ts';
import { version } from './build.ts';
import type { Chain } from './chain.ts';

interface Parts extends Pick<Self, 'serves' | 'readiness'> {
  readonly publicUrl: string;
  /** Absent: answers are free. */
  readonly price: PriceShown | undefined;
  readonly isSelling: boolean;
}

/** The content of the tool `about`, from the documents that state it at their own addresses. */
export function selfOf({ seller }: Config, { book }: Chain, parts: Parts): Self {
  const { publicUrl, price, isSelling, serves, readiness } = parts;
  const { card, openApi, llms, terms, deployment, ready, problems } = endpoints;
  const documents = { card, openapi: openApi, llms, terms, deployment, ready, problems };
  const jobPrice =
    isSelling && seller && book.escrow
      ? { amount: formatUnits(seller.priceWad, 18), token: book.escrow.token.name }
      : undefined;
  return {
    ...{ version, description, serves, readiness },
    price: price ?? { price_usd: 0 },
    priced: price === undefined ? [] : pricedTools,
    ...(jobPrice && { jobPrice }),
    links: {
      ...Object.fromEntries(Object.entries(documents).map(([name, { path }]) => [name, `${publicUrl}${path}`])),
    },
  };
}
