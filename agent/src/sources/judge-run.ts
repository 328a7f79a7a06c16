import { limitFloor } from '@bowline/core/domain/deferrals';
import type { BarePlan } from '@bowline/core/domain/permissions';
import type { Pairing } from '@bowline/core/domain/route';
import { stricter } from '@bowline/core/verdict/limits';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { propose, type Sources } from './propose.ts';

/** Judges a plan's run by facts read now and the stricter of the agent's limits and the plan's. Throws like `propose`. */
export async function judgeRun(sources: Sources, plan: BarePlan, { asset, side }: Pairing) {
  const limitsOf: Sources['limitsOf'] = (each) => stricter(sources.limitsOf(each), plan);
  // The exact amount to be paid: a size in dollars would be another amount at another block.
  const proposal = await propose({ ...sources, limitsOf }, asset, side, { paid: plan.amountPerRun });
  const { quote } = proposal.chain;
  /** The pools would deliver less than the plan's limit price asks: the registry would refuse the run. */
  const isBelowLimit = quote !== undefined && quote.amountOut < limitFloor(plan.amountPerRun, plan.limitPriceWad);
  return { proposal, judgement: judgeProposal(proposal), isBelowLimit };
}
