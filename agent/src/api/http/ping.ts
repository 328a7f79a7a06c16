import { hostIsAmong } from '@bowline/http/allowed-hosts';
import { browserHeadersOf } from '@bowline/http/browsers';
import type { z } from 'zod';
import type { endpoints } from './endpoints.ts';

interface Asked {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers: { readonly host?: string | undefined; readonly origin?: string | undefined };
}

interface Answering {
  writeHead(status: number, headers: string[]): unknown;
  end(body: string): unknown;
}

const alive: z.input<typeof endpoints.ping.answer> = { status: 'HEALTHY' };
const body = JSON.stringify(alive);

/**
 * Answers `GET /ping` before the app does, since monitors ask often. False: it is another request, and the app answers,
 * such as one of a web page, or of a host that is not allowed.
 * @param publicUrl of this service.
 */
export function createPing(
  allowedHosts: readonly string[],
  publicUrl = '',
): (request: Asked, response: Answering) => boolean {
  const headers = Object.entries({
    ...browserHeadersOf(publicUrl),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  }).flat();
  const isAllowed = hostIsAmong(allowedHosts);
  return (request, response) => {
    const { url, method } = request;
    if (url !== '/ping' || method !== 'GET') return false;
    const { host, origin } = request.headers;
    if (origin !== undefined || !isAllowed(host)) return false;
    response.writeHead(200, headers);
    response.end(body);
    return true;
  };
}
