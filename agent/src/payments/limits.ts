import { createLimit, type Limit } from '@bowline/http/rate-limit';

const SECONDS = 60;
/** Each lets a stranger's contract run in an eth_call. */
const CONTRACT_WALLETS = 120;

/** Payments that are taken, over all APIs. @param requests a minute. */
export const paidLimit = (requests: number, nowMs: () => number): Limit =>
  createLimit({ name: 'paid', requests, seconds: SECONDS }, nowMs);

/** Signatures of contract wallets that are checked. */
export const contractWalletLimit = (nowMs: () => number): Limit =>
  createLimit({ name: 'contract-wallets', requests: CONTRACT_WALLETS, seconds: SECONDS }, nowMs);
