import { isTermBelowFee } from '../domain/deferrals.ts';
import type { Limits, Proposal } from '../domain/facts.ts';
import type { BarePlan } from '../domain/permissions.ts';
import { leftByFees } from '../domain/route.ts';
import { judgeProposal } from './rules.ts';

const MILLION = 1_000_000n;

/**
 * Whether nothing but the plan's own slippage stands in its way, and both its asset's pool and the pools that were judged
 * take more than that. Without the slippage the verdict would be GO.
 * @param limits those of the asset, without the plan's own.
 */
export function isTermBelowFeeAlone(
  proposal: Proposal,
  plan: Pick<BarePlan, 'priceSource' | 'maxSlippageBps'>,
  limits: Limits,
): boolean {
  const { asset, chain } = proposal;
  const { numerator, denominator } = leftByFees(chain, asset);
  const takenMillionths = Number((MILLION * (denominator - numerator)) / denominator);
  const fees = [asset.pool.feeMillionths, takenMillionths];
  return fees.every((fee) => isTermBelowFee(plan, fee)) && judgeProposal({ ...proposal, limits }).verdict === 'GO';
}
