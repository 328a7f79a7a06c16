import { z } from 'zod';
import type { Proposal } from '../domain/facts.ts';
import { reasonCodes } from '../domain/reasons.ts';
import { deviationBpsUp, formatUnits, formatUsd, mulDivDown, WAD } from '../domain/units.ts';
import { verdictCodes } from '../domain/verdict.ts';
import { propose } from '../guard/propose.ts';
import { references, referenceUsdWad } from '../guard/references.ts';
import { judgeProposal } from '../guard/verdict.ts';
import {
  assetInput,
  decimal,
  findAsset,
  integer,
  isoTime,
  sideInput,
  sizeInputs,
  sizeOf,
  toIsoTime,
} from './schemas.ts';
import { defineTool } from './tool.ts';

const keys = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as [Key, ...Key[]];

export const checkAsset = defineTool({
  name: 'check_asset',
  title: 'Verdict',
  description:
    'Judges whether an asset is fairly priced to buy or sell now, at a given size in US dollars or in units of the asset ' +
    '(1,000 USD when none is given). Gives the verdict GO, CAUTION, NO_GO or ' +
    'NO_DATA with every check, its measured value and its limit. Use it for any question of whether a price is fair, or ' +
    'whether to trade. The verdict is final: report it as it is.',
  effect: 'read',
  input: z.strictObject({
    asset: assetInput,
    side: sideInput.default('buy'),
    ...sizeInputs,
  }),
  output: z.object({
    asset: z.string(),
    side: z.enum(['buy', 'sell']),
    /** What was judged: as asked, or by the feed of what is paid. Null where that has no price. */
    amount_usd: decimal.nullable(),
    /** The swap that was judged; null where the pool quotes none. */
    pay: z.object({ symbol: z.string(), amount: decimal }).nullable(),
    receive: z.object({ symbol: z.string(), amount: decimal }).nullable(),
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
  async run({ asset: name, side, ...given }, context) {
    const size = sizeOf(findAsset(context, name), given, { usdWad: 1_000n * WAD });
    const proposal = await propose(context, findAsset(context, name), side, size);
    const { verdict, reason, findings } = judgeProposal(proposal);
    const { block, spotWad, quoteToken } = proposal.chain;
    const reference = referenceUsdWad(proposal);
    const pool = spotWad && quoteToken && mulDivDown(spotWad, quoteToken.usdWad, WAD);
    return {
      asset: proposal.asset.symbol,
      side,
      amount_usd: amountUsd(proposal),
      ...swapOf(proposal),
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

function amountUsd({ size, side, asset, quoteAsset, chain }: Proposal): string | null {
  if ('usdWad' in size) return formatUnits(size.usdWad, 18);
  const [paid, price] = side === 'buy' ? [quoteAsset, chain.quoteToken] : [asset, chain.chainlink];
  if (chain.quote === undefined || price === undefined) return null;
  return formatUnits(mulDivDown(chain.quote.amountIn, price.usdWad, 10n ** BigInt(paid.decimals)), 18);
}

function swapOf({ side, asset, quoteAsset, chain: { quote } }: Proposal) {
  const [paid, received] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
  if (quote === undefined) return { pay: null, receive: null };
  return {
    pay: { symbol: paid.symbol, amount: formatUnits(quote.amountIn, paid.decimals) },
    receive: { symbol: received.symbol, amount: formatUnits(quote.amountOut, received.decimals) },
  };
}
