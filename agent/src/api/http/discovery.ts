import type { Serving } from '@bowline/core/serving';
import { problemCodes, problems, titles } from '@bowline/http/problems';
import { Router } from 'express';
import type { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';
import { endpoints, offeredWith, type PriceShown } from './endpoints.ts';

// Documents through which programs, registries and models discover this service.

export interface DiscoveryParts {
  readonly version: string;
  /** Public base URL of this service, without a trailing slash. */
  readonly publicUrl: string;
  readonly tools: readonly Tool[];
  /** Absent: answers are free. */
  readonly price?: PriceShown;
  /** Whether `/desk-quote` signs offers. */
  readonly hasDesk: boolean;
  /** The record of the deployment that the agent serves. */
  readonly deployment: Omit<z.input<typeof endpoints.deployment.answer>, 'serves'>;
  /** What the agent serves now. */
  readonly serves: () => Promise<Serving>;
}

const title = 'Bowline';
/** At most 100 characters, by the registry's schema. */
export const description = 'Fair-price verdicts, swap drafts, standing plans and loan guards on BNB Chain.';

export function createDiscovery(parts: DiscoveryParts): Router {
  const router = Router();
  const serve = (path: string, type: string, body: string) =>
    router.get(path, (_request, response) => {
      response.set('Cache-Control', 'public, max-age=3600').type(type).send(body);
    });
  const server = serverOf(parts);
  serve(endpoints.problems.path, 'text/html', problemsPage());
  serve(endpoints.llms.path, 'text/plain', llmsText(parts));
  serve(endpoints.serverJson.path, 'application/json', JSON.stringify(server));
  serve(endpoints.mcpCard.path, 'application/json', JSON.stringify(cardOf(server, parts)));
  router.get(endpoints.deployment.path, async (_request, response) => {
    const serves = await parts.serves();
    response.set('Cache-Control', 'no-store').json({ ...parts.deployment, serves });
  });
  serve(endpoints.x402Resources.path, 'application/json', JSON.stringify(paidResources(parts)));
  return router;
}

/** A server.json for the MCP registry. Names there begin with a domain that the publisher proves to hold. */
function serverOf({ version, publicUrl }: DiscoveryParts): z.input<typeof endpoints.serverJson.answer> {
  const { hostname } = new URL(publicUrl);
  const isName = /[a-z]$/i.test(hostname);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${isName ? hostname.split('.').toReversed().join('.') : hostname.replace(/[^\d.]+/g, '-')}/bowline`,
    title,
    description,
    version,
    remotes: [{ type: 'streamable-http', url: `${publicUrl}/mcp` }],
  };
}

/** The same as a server card, with both drafts' fields: there is no final standard yet (SEP-1649, SEP-2127). */
function cardOf(
  server: z.input<typeof endpoints.serverJson.answer>,
  { version }: DiscoveryParts,
): z.input<typeof endpoints.mcpCard.answer> {
  const { $schema: _, ...known } = server;
  return {
    ...known,
    serverInfo: { name: 'bowline', title, version },
    transport: { type: 'streamable-http', endpoint: '/mcp' },
    capabilities: { tools: {}, resources: {}, prompts: {} },
  };
}

/** The discovery document that indexes of x402 read. */
function paidResources({ publicUrl, price, hasDesk }: DiscoveryParts): z.input<typeof endpoints.x402Resources.answer> {
  const priced = Object.values(offeredWith({ hasDesk })).filter(({ isPriced }) => isPriced);
  return {
    version: 1,
    resources: price === undefined ? [] : priced.map(({ path }) => `${publicUrl}${path}`),
    instructions:
      price === undefined
        ? `Answers are free. POST {"prompt": "…"} to ${publicUrl}/x402.`
        : `POST {"prompt": "…"} to ${publicUrl}/x402. ${costOf(price)} GET ${publicUrl}/x402 gives the price, the token and the limits.`,
  };
}

const costOf = ({ price_usd }: NonNullable<DiscoveryParts['price']>): string =>
  `A verdict, a draft of a swap or a question that only a language model understands costs ${price_usd} USD, with x402 v2, ` +
  'over every API; everything else is free.';

/** For models, in the format of llmstxt.org. */
function llmsText({ publicUrl, tools, price }: DiscoveryParts): string {
  const cost = price === undefined ? 'Answers are free.' : costOf(price);
  return `# ${title}

> ${description} A verdict says whether an asset is fairly priced to trade now, at a size, with every check, its
> measured value and its limit.

Everything here only reads. Drafts are unsigned: the owner signs and sends them. A verdict is GO, CAUTION, NO_GO or NO_DATA; report it
as it is. ${cost} Errors are problem details (RFC 9457) with a stable \`code\`; after a 429 wait for \`Retry-After\`.

## Interfaces

- [MCP](${publicUrl}/mcp): streamable HTTP, without sessions
- [A2A](${publicUrl}/.well-known/agent-card.json): the agent card; JSON-RPC at ${publicUrl}/a2a
- [Questions in words](${publicUrl}/x402): GET gives price and limits; POST {"prompt": "Is BTCB fairly priced right now?"}
- [HTTP](${publicUrl}/openapi.json): OpenAPI 3.1 of every route, for example ${publicUrl}/verdict?asset=BTCB&amount_usd=1000

## Tools

${tools.map(({ name, description: does }) => `- ${name}: ${does}`).join('\n')}

## Optional

- [Registry entry](${publicUrl}/server.json): server.json of the MCP registry
- [Paid resources](${publicUrl}/.well-known/x402): for indexes of x402
- [Contracts](${publicUrl}${endpoints.deployment.path}): addresses on chain, who signs tickets, and what runs now
- [State](${publicUrl}/ready): whether the agent and what it depends on are ready
`;
}

/** docs/problems.md alone, as plain text under a heading for each code. The page's server has the other docs. */
function problemsPage(): string {
  const sections = problemCodes.map((code) => {
    const { status, meaning, remedy } = problems[code];
    return `<h2 id="${code}">${code}</h2>
<p>${status} ${titles[status]}. ${html(meaning)}</p>
<p>What to do: ${html(remedy)}</p>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Problems – Bowline</title>
<h1>Problems</h1>
${sections.join('\n')}
</html>
`;
}

/** HTML of our own text, which may have Markdown's backticks. */
const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>');
