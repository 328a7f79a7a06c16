import type { RequestHandler } from 'express';
import { sendProblem } from './problem.ts';

/**
 * Answers only who calls by one of these names, and of pages only those that stand at one. Without it any web page could
 * read the answers of an agent that listens on a visitor's own machine: it has its own name lead there (DNS rebinding).
 * A caller that is no browser sends no origin, and passes.
 * @param allowed host names in lower case without port, IPv6 addresses in brackets; `*` is all.
 * @param setting adds to them.
 */
export function onlyHosts(allowed: readonly string[], setting = 'ALLOWED_HOSTS'): RequestHandler {
  const isAllowed = (url: string) => {
    const host = URL.parse(url)?.hostname;
    return host !== undefined && allowed.includes(host);
  };
  return (request, response, next) => {
    if (allowed.includes('*')) return next();
    const { host, origin } = request.headers;
    if (!isAllowed(`http://${host ?? ''}`)) {
      return sendProblem(response, 'host_not_allowed', `This host name is not served. ${setting} allows more.`);
    }
    if (origin !== undefined && !isAllowed(origin)) {
      return sendProblem(response, 'host_not_allowed', `Pages of this origin are not served. ${setting} allows more.`);
    }
    next();
  };
}
