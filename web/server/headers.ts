import { strictTransport } from '@bowline/http/browsers';
import type { RequestHandler } from 'express';
import type { PageConfig } from '../wire.ts';

// What browsers are told of every answer: what the page may load, ask and use, and who may show or open it.

/** What a browser could lend a page. This one uses none of it: code that got into it could not either. */
const unused = [
  ...[
    'accelerometer',
    'browsing-topics',
    'camera',
    'clipboard-read',
    'display-capture',
    'encrypted-media',
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'local-fonts',
  ],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture', 'publickey-credentials-get'],
  ...['screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
];

/**
 * Restricts the page to its own build, this server and the node, and forbids framing.
 * @param page its node, and those that an audit may read from.
 * @param trustedProxies with at least one, what it says of the visitor's connection is believed. A visitor who says so
 * without a proxy changes nothing: browsers read Strict-Transport-Security over https alone.
 */
export function browserHeaders(
  page: Pick<PageConfig, 'rpcUrl' | 'auditNodes'>,
  trustedProxies: number,
): RequestHandler {
  const { rpcUrl, auditNodes = [] } = page;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // Judges evidence again.
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", new URL(rpcUrl).origin, ...auditNodes].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const always = {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    // For browsers that do not know frame-ancestors.
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    // Wallets that open a window of their own answer to the page.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': unused.map((feature) => `${feature}=()`).join(', '),
  };
  return (request, response, next) => {
    response.set(always);
    if (trustedProxies > 0 && request.get('x-forwarded-proto') === 'https') response.set(strictTransport);
    next();
  };
}
