import type { Ticket } from '@bowline/core/domain/ticket';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import { type Hex, zeroAddress } from 'viem';

/** GO, as an executor claims it for a plan that needs no signed verdict. */
export const unsignedGo = (evidenceHash: Hex): Ticket => unsigned('GO', evidenceHash);

export const unsigned = (verdict: Verdict, evidenceHash: Hex): Ticket => ({
  tokenIn: zeroAddress,
  tokenOut: zeroAddress,
  verdict: verdictCodes[verdict],
  maxPriceWad: 0n,
  maxAmountIn: 0n,
  issuedAt: 0n,
  expiresAt: 0n,
  evidenceHash,
});
