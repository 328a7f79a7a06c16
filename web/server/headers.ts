import { strictTransport } from '@bowline/http/browsers';
import type { RequestHandler } from 'express';
import type { PageConfig } from '../wire.ts';

// Browser headers of every answer: what the page may load, request and use, and who may frame or open it.

/** Browser features that this page does not use. Turned off, so that injected code cannot use them either. */
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

/** Where WalletConnect, in a hidden frame, attests to a wallet which page is asking. */
const verification = 'https://verify.walletconnect.org';

/**
 * Restricts the page to its own build, this server, the node and what the operator names. Forbids framing except by
 * Safe's web app.
 * @param page its node, the nodes that an audit may read from, and how other wallets are reached.
 * @param trustedProxies with at least one, its report of the visitor's connection is trusted. A visitor who fakes it
 * without a proxy gains nothing: browsers honour Strict-Transport-Security only over https.
 */
export function browserHeaders(
  page: Pick<PageConfig, 'rpcUrl' | 'auditNodes' | 'safeApps' | 'walletConnect'>,
  trustedProxies: number,
): RequestHandler {
  const { rpcUrl, auditNodes = [], safeApps, walletConnect } = page;
  const relay = walletConnect ? [walletConnect.relay] : [];
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // The worker that judges evidence again.
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", new URL(rpcUrl).origin, ...auditNodes, ...relay].join(' '),
    ...(walletConnect ? [`frame-src ${verification}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${safeApps ? safeApps.join(' ') : "'none'"}`,
  ].join('; ');
  const always = {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    // For browsers without frame-ancestors. This header cannot name allowed origins.
    ...(!safeApps && { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'no-referrer',
    // Lets wallets that open their own window reply to the page.
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

/** Lets Safe's web app read the page's manifest and icon from its own origin. */
export const forSafeApps: RequestHandler = ({ path }, response, next) => {
  if (/^\/(?:manifest\.json|assets\/icon-[^/]+\.svg)$/.test(path))
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
};
