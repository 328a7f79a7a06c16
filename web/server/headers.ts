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

/** Where WalletConnect attests to a wallet, in a hidden frame, which page asks it. */
const verification = 'https://verify.walletconnect.org';

/**
 * Restricts the page to its own build, this server, the node and what the operator names, and forbids framing but by Safe's
 * web app.
 * @param page its node, those that an audit may read from, and how other wallets are reached.
 * @param trustedProxies with at least one, what it says of the visitor's connection is believed. A visitor who says so
 * without a proxy changes nothing: browsers read Strict-Transport-Security over https alone.
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
    // Judges evidence again.
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
    // For browsers that do not know frame-ancestors. It cannot name who may.
    ...(!safeApps && { 'X-Frame-Options': 'DENY' }),
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

/** What Safe's web app reads of the page from its own origin: who it is, and its icon. */
export const forSafeApps: RequestHandler = ({ path }, response, next) => {
  if (/^\/(?:manifest\.json|assets\/icon-[^/]+\.svg)$/.test(path))
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
};
