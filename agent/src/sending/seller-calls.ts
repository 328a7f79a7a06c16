import { SETTLE_GAS, SUBMIT_GAS } from '@bowline/chain/escrow';
import type { EscrowContracts } from '@bowline/core/domain/jobs';
import { toFunctionSelector } from 'viem';
import type { GasBounds } from './calls.ts';
import type { AllowedCall } from './signing-policy.ts';

/** The calls built here, as the seller's signing policy must allow them. */
export const sellerCalls = ({ commerce, router }: EscrowContracts, bounds: GasBounds): AllowedCall[] => {
  const { maxGasPriceWei, maxDayWei } = bounds;
  const paid = { maxGasPriceWei, maxDayWei };
  return [
    { ...paid, to: commerce, selector: toFunctionSelector('submit(uint256,bytes32,bytes)'), maxGas: SUBMIT_GAS },
    { ...paid, to: router, selector: toFunctionSelector('settle(uint256,bytes)'), maxGas: SETTLE_GAS },
  ];
};
