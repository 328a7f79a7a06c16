import type { Request, RequestHandler } from 'express';
import { sendProblem } from './problem.ts';

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
