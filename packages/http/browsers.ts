import type { Request, RequestHandler } from 'express';
import { sendProblem } from './problem.ts';

// What browsers are told about every answer: who may read it, and that it is not a page.

/** The answers are data: browsers must not run or frame them, or guess their type. */
const securityHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

const secondsPerYear = 31_536_000;

/** Only for answers over https: browsers then keep using https. */
export const strictTransport = { 'Strict-Transport-Security': `max-age=${secondsPerYear}` } as const;

const secondsPerDay = 86_400;

/** Headers of answers that pages may read: payments (x402), sessions and versions of protocols, limits. */
const exposed = [
  ...['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
  ...['Mcp-Session-Id', 'MCP-Protocol-Version', 'A2A-Version', 'A2A-Extensions', 'X-A2A-Extensions'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'ETag', 'Allow', 'Location'],
].join(', ');

/** Headers of every answer of the server at this address. If it is https, they tell browsers to keep using https. */
export const browserHeadersOf = (publicUrl: string): Readonly<Record<string, string>> => ({
  ...securityHeaders,
  ...(publicUrl.startsWith('https:') && strictTransport),
  // Whether pages may read it depends on their origin.
  Vary: 'Origin',
});

/** Sets the headers of every answer, before anything is refused. Uses Node's method: Express's inspects each value. */
export function alwaysWith(headers: Readonly<Record<string, string>>): RequestHandler {
  const entries = Object.entries(headers);
  return (_request, response, next) => {
    for (const [name, value] of entries) response.setHeader(name, value);
    next();
  };
}

/**
 * Lets pages of allowed origins call every route (CORS), and answers their preflights. Origins that are not allowed have
 * been refused before. No cookies are read, so a page can send only what any other caller could.
 * @param isOpen whether pages of every origin may send this request.
 */
export function forPages(isOpen: (request: Request) => boolean = () => false): RequestHandler {
  return (request, response, next) => {
    const origin = isOpen(request) ? '*' : request.headers.origin;
    if (origin === undefined) return next();
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed });
    if (request.method !== 'OPTIONS' || request.get('access-control-request-method') === undefined) return next();
    const headers = request.get('access-control-request-headers');
    response
      .set({
        // A route refuses other methods itself, with an answer that the page can read.
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, DELETE',
        ...(headers !== undefined && { 'Access-Control-Allow-Headers': headers }),
        'Access-Control-Max-Age': String(secondsPerDay),
      })
      .vary('Access-Control-Request-Headers')
      .status(204)
      .end();
  };
}

const isAmong = (allowed: readonly string[], url: string): boolean => {
  const host = URL.parse(url)?.hostname;
  return host !== undefined && allowed.includes(host);
};

/**
 * Accepts only requests to these host names, and from web pages only those served under one of them. Otherwise any web
 * page could read the answers of an agent on a visitor's own machine through DNS rebinding. Clients that are not
 * browsers send no Origin and pass.
 * @param allowed host names in lower case without port, IPv6 in brackets; `*` accepts all.
 * @param setting name of the setting that adds to them, for the error.
 * @param isOpen whether pages of every origin may send this request.
 */
export function onlyHosts(
  allowed: readonly string[],
  setting = 'ALLOWED_HOSTS',
  isOpen: (request: Request) => boolean = () => false,
): RequestHandler {
  return (request, response, next) => {
    if (allowed.includes('*')) return next();
    const { host = '', origin } = request.headers;
    if (!isAmong(allowed, `http://${host}`)) {
      return sendProblem(response, 'host_not_allowed', `This host name is not allowed. Add it to ${setting}.`);
    }
    if (origin !== undefined && !isAmong(allowed, origin) && !isOpen(request)) {
      return sendProblem(
        response,
        'host_not_allowed',
        `Pages of this origin are not allowed. Add its host to ${setting}.`,
      );
    }
    next();
  };
}
