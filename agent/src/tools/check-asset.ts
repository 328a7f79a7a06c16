import { z } from 'zod';
import { reasonCodes } from '../domain/reasons.ts';
import { deviationBpsUp, formatUnits, formatUsd, mulDivDown, WAD } from '../domain/units.ts';
import { verdictCodes } from '../domain/verdict.ts';
import { propose } from '../guard/propose.ts';
import { references, referenceUsdWad } from '../guard/references.ts';
import { judgeProposal } from '../guard/verdict.ts';
import { amountUsdInput, assetInput, decimal, findAsset, integer, isoTime, sideInput, toIsoTime } from './schemas.ts';
import { defineTool } from './tool.ts';

const keys = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as [Key, ...Key[]];

export const checkAsset = defineTool({
  name: 'check_asset',
  title: 'Verdict',
  description:
    'Judges whether an asset is fairly priced to buy or sell now, at a given size. Gives the verdict GO, CAUTION, NO_GO or ' +
    'NO_DATA with every check, its measured value and its limit. Use it for any question of whether a price is fair, or ' +
    'whether to trade. The verdict is final: report it as it is.',
  effect: 'read',
  input: z.strictObject({
    asset: assetInput,
    side: sideInput.default('buy'),
    amount_usd: amountUsdInput.prefault('1000'),
  }),
  output: z.object({
    asset: z.string(),
    side: z.enum(['buy', 'sell']),
    amount_usd: decimal,
    verdict: z.enum(keys(verdictCodes)),
    /** Of the check that decided; null for GO. */
    reason: z.enum(keys(reasonCodes)).nullable(),
    reference_usd: decimal.nullable(),
    pool_usd: decimal.nullable(),
    /** Of the pool's price from the reference; 1/10,000. */
    deviation_bps: integer.nullable(),
    references: z.array(z.object({ source: z.string(), usd: decimal })),
    findings: z.array(
      z.object({
        check: z.string(),
        question: z.string(),
        outcome: z.enum(['pass', 'caution', 'no_go', 'no_data']),
        reason: z.enum(keys(reasonCodes)).nullable(),
        measured: integer.nullable(),
        limit: integer,
        caution_limit: integer.nullable(),
        unit: z.enum(['bps', 'seconds']),
        detail: z.string(),
      }),
    ),
    block: integer,
    time: isoTime,
  }),
  async run({ asset: name, side, amount_usd: amountUsdWad }, context) {
    const proposal = await propose(context, findAsset(context, name), side, amountUsdWad);
    const { verdict, reason, findings } = judgeProposal(proposal);
    const { block, spotWad, quoteToken } = proposal.chain;
    const reference = referenceUsdWad(proposal);
    const pool = spotWad && quoteToken && mulDivDown(spotWad, quoteToken.usdWad, WAD);
    return {
      asset: proposal.asset.symbol,
      side,
      amount_usd: formatUnits(amountUsdWad, 18),
      verdict,
      reason: reason ?? null,
      reference_usd: reference === undefined ? null : formatUsd(reference),
      pool_usd: pool === undefined ? null : formatUsd(pool),
      deviation_bps: reference === undefined || pool === undefined ? null : deviationBpsUp(pool, reference).toString(),
      references: references(proposal).map(({ source, usdWad }) => ({ source, usd: formatUsd(usdWad) })),
      findings: findings.map((finding) => ({
        check: finding.check,
        question: finding.question,
        outcome: finding.outcome,
        reason: finding.reason ?? null,
        measured: finding.measured?.toString() ?? null,
        limit: finding.limit.toString(),
        caution_limit: finding.cautionLimit?.toString() ?? null,
        unit: finding.unit,
        detail: finding.detail,
      })),
      block: block.number.toString(),
      time: toIsoTime(block.timestamp),
    };
  },
});
