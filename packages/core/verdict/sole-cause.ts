import { isTermBelowFee } from '../domain/deferrals.ts';
import type { Limits, Proposal } from '../domain/facts.ts';
import type { BarePlan } from '../domain/permissions.ts';
import { leftByFees } from '../domain/route.ts';
import { mulDivDown, WAD } from '../domain/units.ts';
import { type Judgement, judgeProposal } from './rules.ts';
import { countedOf, middleOf, quoteUsdWad, sourcesOf } from './sources.ts';

/** Off-chain sources, which we choose ourselves. */
export type OwnSource = 'exchange' | 'pyth';

/**
 * Own sources whose silence is the only reason for no decision, or for an unknown past; empty if there is another
 * reason. A source is silent if it gives no answer, an unusable one, or one of another time; not if it is switched off
 * or gives a current price that we dislike. The rest is judged as if the silent sources agreed with Chainlink: a
 * verdict that is still NO_GO or NO_DATA has its reason on chain or in another source's answer.
 */
export function silenceBehind(proposal: Proposal, { verdict, reason }: Judgement): readonly OwnSource[] {
  if (verdict !== 'NO_DATA' && reason !== 'past_missing') return [];
  const chainlink = countedOf(proposal).find(({ source }) => source === 'chainlink');
  const silent = sourcesOf(proposal).flatMap((each) => {
    const isSilent = 'absent' in each && (each.absent === 'silent' || each.absent === 'stale');
    return isSilent && (each.source === 'exchange' || each.source === 'pyth') ? [each.source] : [];
  });
  if (chainlink === undefined || silent.length === 0) return [];
  const usdWad = middleOf(chainlink);
  const quoted = mulDivDown(usdWad, WAD, quoteUsdWad(proposal) ?? WAD);
  const agreeing = {
    pyth: { pyth: { source: 'pyth', usdWad, updatedAt: proposal.readAt, confidenceWad: 0n } },
    exchange: { exchange: { bidWad: quoted, askWad: quoted, answeredAt: proposal.readAt } },
  } as const;
  const rest = judgeProposal(Object.assign({}, proposal, ...silent.map((source) => agreeing[source])));
  return rest.verdict === 'GO' || rest.verdict === 'CAUTION' ? silent : [];
}

const MILLION = 1_000_000n;

/**
 * Whether only the plan's own slippage prevents GO, and the fees of both its asset's pool and the judged pools exceed
 * it. Without the slippage the verdict would be GO.
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
