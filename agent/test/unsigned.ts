import { type Hex, zeroAddress } from 'viem';
import type { Ticket } from '../src/domain/ticket.ts';

/** GO, as an executor claims it of a plan that needs no signed verdict. */
export const unsignedGo = (evidenceHash: Hex): Ticket => ({
  tokenIn: zeroAddress,
  tokenOut: zeroAddress,
  verdict: 3,
  maxPriceWad: 0n,
  maxAmountIn: 0n,
  issuedAt: 0n,
  expiresAt: 0n,
  evidenceHash,
});
