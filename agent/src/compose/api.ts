import { createDesk } from '@bowline/chain/desk';
import type { Desk } from '@bowline/core/domain/desk';
import { type Dependency, readinessOf } from '@bowline/core/domain/readiness';
import { formatUnits } from '@bowline/core/domain/units';
import { recordOf } from '@bowline/core/registry/address-book';
import { callerBehind, callerNow, type IsPage, pageRecogniser } from '@bowline/http/caller';
import { clock, timers } from '@bowline/http/clock';
import { limitedAnswer } from '@bowline/http/rate-limit';
import type { RequestHandler } from 'express';
import { createApi } from '../api/http/api.ts';
import { createDiscovery, description } from '../api/http/discovery.ts';
import { createEvidence } from '../api/http/documents.ts';
import { endpoints, type PriceShown } from '../api/http/endpoints.ts';
import { createLimits, type Limits } from '../api/http/limits.ts';
import { openApiOf } from '../api/http/openapi.ts';
import { createOperations } from '../api/http/operations.ts';
import { createIdentity } from '../api/http/registration.ts';
import { createApp } from '../api/http.ts';
import { type Contexts, createContexts } from '../ask/contexts.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../process/metrics.ts';
import { readRegistration } from '../process/registration.ts';
import { servingOf } from '../process/serving.ts';
import type { Watched } from '../process/watched.ts';
import { createDeskQuote, type DeskQuote } from '../selling/jobs/desk-quote.ts';
import { tools } from '../tools/index.ts';
import { pricedTools } from '../tools/priced.ts';
import type { Self } from '../tools/self.ts';
import { version } from './build.ts';
import type { Chain } from './chain.ts';
import { cardKey, keeperAccount } from './keys.ts';
import type { Parts } from './parts.ts';
import type { Sales } from './payments.ts';
import { onInternal } from './questions.ts';

interface Known {
  readonly watched: Watched;
  readonly dependencies: readonly Dependency[];
  readonly metrics: Metrics['expose'];
}

/** All public interfaces, MCP, A2A, /x402 and plain HTTP, on top of the same tools, and the payments behind them. */
export async function openApi(parts: Parts, { watched, dependencies, metrics }: Known) {
  const { config, chain, questions, selling, evidenceStore, telling, publicUrl, leftOut, log } = parts;
  const { call, judge, answer, shown } = questions;
  const evidence = async (hash: string) => shown.read(hash) ?? evidenceStore.read(hash);
  const isPage = pageRecogniser(config.pageSecret);
  const callers = { callerOf: callerBehind(config.trustedProxies), isPage };
  const limits = createLimits(config.requestLimits, callers, timers.now);
  const { quoteDesk } = chain.book.own;
  const desk = deskOf(config, chain);
  const deskQuote = desk && createDeskQuote(desk, judge, onInternal(log));
  const contexts = createContexts(chain.book.assets, () => callerNow()[0]?.key ?? '', timers.now);
  const sales = await salesOf(parts, isPage, deskQuote);
  const serving = { watched, dependencies, tickets: parts.tickets, desk: deskQuote && quoteDesk, clock };
  const now = {
    readiness: () => readinessOf(dependencies),
    serves: () => servingOf(config, chain.book, serving),
  };
  const price = sales?.answers.shown;
  questions.introduce({ ...selfOf(parts, price), ...now });
  const card = cardKey(config);
  const a2a = whenAsked(() => openA2a(parts, sales, limits, contexts));
  const mcp = whenAsked(async () => {
    const { createMcpRouter } = await import('../api/mcp.ts');
    const symbols = chain.book.assets.map(({ symbol }) => symbol);
    return createMcpRouter({ tools, call, log, version, evidence, symbols, ...(sales && { charge: sales.chargeMcp }) });
  });
  const app = createApp({
    ...{ answer, limits, contexts, publicUrl, log, allowedHosts: config.allowedHosts },
    ...(sales && { payment: sales.answers }),
    mcp: mcp((router) => router),
    a2a: { card: a2a((made) => made.card), rpc: a2a(({ rpc }) => rpc) },
    ...(selling && { deliverables: selling.routes }),
    routes: [
      createApi({
        ...{ call, assets: chain.book.assets, limit: limits.door },
        ...(deskQuote && { deskQuote }),
        ...(sales && { payment: sales.calls }),
      }),
      createIdentity({
        ...{ publicUrl, version, keys: card ? [card.key] : [], isPaid: sales !== undefined },
        registered: () => readRegistration(config.registration),
      }),
      createEvidence(evidence, limits.door('evidence')),
      ...(telling ? [telling.routes(limits.webhooks)] : []),
      createOperations({
        ...{ version, readiness: now.readiness, leftOut, limit: limits.door('served'), metrics },
        openApi: () => openApiOf(version, publicUrl, deskQuote !== undefined, price),
      }),
      createDiscovery({
        ...{ version, publicUrl, tools, hasDesk: deskQuote !== undefined, serves: now.serves },
        ...(price && { price }),
        deployment: recordOf(config.chainId, chain.book),
      }),
    ],
  });
  return { app, payments: sales?.payments };
}

async function openA2a(parts: Parts, sales: Sales | undefined, limits: Limits, contexts: Contexts) {
  const [{ createA2a }, { createCardSigner }] = await Promise.all([
    import('../api/a2a.ts'),
    import('../api/a2a/signature.ts'),
  ]);
  const { config, questions, selling, publicUrl, log } = parts;
  const { call, answer } = questions;
  const card = cardKey(config);
  return createA2a({
    ...{ tools, call, contexts, publicUrl, version, log },
    answer: sales ? limitedAnswer(sales.answers.answerFree, limits.free) : limitedAnswer(answer, limits.answers.others),
    ...(sales && { quote: sales.quoteA2a }),
    ...(selling && { seller: selling.seller, jobs: selling.jobs }),
    ...(card && { sign: createCardSigner({ ...card.key, d: card.d }, `${publicUrl}${endpoints.jwks.path}`) }),
  });
}

/** Makes handlers on the first request: a protocol's SDK takes as long to load as all of start-up. */
function whenAsked<Made>(make: () => Promise<Made>): (handler: (made: Made) => RequestHandler) => RequestHandler {
  let made: Promise<Made> | undefined;
  return (handler) =>
    async (...asked) => {
      made ??= make();
      return handler(await made)(...asked);
    };
}

/** The desk, if its offers are signed here. */
function deskOf(config: Config, { client, book }: Chain): Desk | undefined {
  const { quoteDesk } = book.own;
  const maker = keeperAccount(config);
  return quoteDesk && maker && createDesk(client, maker, config.chainId, quoteDesk);
}

/** Charges for answers. Not even loaded if they are free. */
async function salesOf(parts: Parts, isPage: IsPage, deskQuote?: DeskQuote): Promise<Sales | undefined> {
  const { payment } = parts.config;
  if (payment === undefined) return undefined;
  const { openSales } = await import('./payments.ts');
  return openSales(parts, payment, isPage, deskQuote);
}

/** The content of the tool `about`, from the documents that state it at their own addresses. @param price absent: answers are free. */
function selfOf(parts: Parts, price: PriceShown | undefined): Omit<Self, 'serves' | 'readiness'> {
  const { config, chain, selling, publicUrl } = parts;
  const { escrow } = chain.book;
  const { card, openApi: openapi, llms, terms, deployment, ready, problems } = endpoints;
  const documents = { card, openapi, llms, terms, deployment, ready, problems };
  const jobPrice =
    selling && config.seller && escrow
      ? { amount: formatUnits(config.seller.priceWad, 18), token: escrow.token.name }
      : undefined;
  return {
    ...{ version, description },
    price: price ?? { price_usd: 0 },
    priced: price === undefined ? [] : pricedTools,
    ...(jobPrice && { jobPrice }),
    links: Object.fromEntries(Object.entries(documents).map(([name, { path }]) => [name, `${publicUrl}${path}`])),
  };
}
