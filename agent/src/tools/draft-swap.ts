import { step } from '@bowline/core/domain/asking';
import { quoteAssetOf, tradedAsset, WRAPPED_BNB } from '@bowline/core/domain/assets';
import { SWAP_SLIPPAGE_BPS } from '@bowline/core/domain/defaults';
import { BowlineError } from '@bowline/core/domain/result';
import type { SwapDraft, SwapOrder } from '@bowline/core/domain/swap-draft';
import { BPS, mulDivUp } from '@bowline/core/domain/units';
import type { Verdict } from '@bowline/core/domain/verdict';
import { largestGoUsd, showFinding, showRoute } from '@bowline/core/texts/verdict-answer';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { z } from 'zod';
import { propose } from '../sources/propose.ts';
import { largeFacts } from './check-asset.ts';
import {
  address,
  addressInput,
  assetInput,
  blockIn,
  blockOutput,
  decimal,
  defineTool,
  findAsset,
  findingOutput,
  integer,
  routeOutput,
  sideInput,
  sized,
  sizeInputs,
  sizeOf,
  slippageInput,
  verdictOutput,
} from './schemas.ts';
import type { ToolContext } from './tool.ts';

/** Seconds in which a draft may be sent. */
const DRAFT_SECONDS = 300n;

const byVerdict = ['verdict_no_go', 'verdict_no_data', 'caution_not_acknowledged'] as const;

export const draftSwap = defineTool({
  name: 'draft_swap',
  title: 'Swap draft',
  description:
    'A swap as unsigned calls for the owner’s wallet, simulated: only on GO or an acknowledged CAUTION, else why not.',
  effect: 'draft',
  input: sized(
    z.strictObject({
      asset: assetInput,
      side: sideInput,
      ...sizeInputs,
      owner: addressInput.describe('Pays and receives.'),
      max_slippage_bps: slippageInput(500, SWAP_SLIPPAGE_BPS).describe('Below the quote, 1/10,000.'),
      acknowledge_caution: z.boolean().default(false).describe('The owner has read the warning.'),
      in_bnb: z.boolean().optional().describe('Wraps BNB first.'),
    }),
  ),
  output: z.object({
    asset: z.string(),
    side: z.enum(['buy', 'sell']),
    ...verdictOutput,
    findings: z.array(findingOutput),
    /** As in check_asset. */
    largest_go_usd: decimal.nullable(),
    token_in: address.nullable(),
    amount_in: integer.nullable(),
    token_out: address.nullable(),
    min_amount_out: integer.nullable(),
    route: routeOutput,
    /** To be sent by the owner in this order; null if withheld. */
    calls: z
      .array(z.object({ kind: z.enum(['approve', 'swap']), to: address, data: z.string(), value: integer }))
      .nullable(),
    withheld: z
      .enum([...byVerdict, 'balance_too_low', 'swap_would_revert', 'simulation_unavailable'])
      .nullable()
      .describe('Why no calls.'),
    simulated: z.object({ token_in_delta: integer, token_out_delta: integer }).nullable().describe('In base units.'),
    expires_at: integer.describe('Unix seconds.'),
    ...blockOutput,
  }),
  async run(
    { asset: name, side, owner, max_slippage_bps, acknowledge_caution, in_bnb = false, ...given },
    context,
    asking,
  ) {
    step(asking, 0, 2, 'Reading prices and pools');
    const asset = tradedAsset(findAsset(context, name));
    const size = sizeOf(asset, given);
    const paid = side === 'sell' ? asset : quoteAssetOf(context.assets, asset);
    if (in_bnb && paid.symbol !== WRAPPED_BNB) {
      throw new BowlineError('invalid_input', `in_bnb is for a trade that pays ${WRAPPED_BNB}, not ${paid.symbol}.`);
    }
    const [proposal, large] = await Promise.all([
      propose(context, asset, side, size),
      largeFacts({ asset: asset.symbol, side }, context),
    ]);
    const judgement = judgeProposal(proposal);
    const { verdict, reason, findings } = judgement;
    step(asking, 1, 2, 'Simulating the calls');
    const { block, quote, route } = proposal.chain;
    const deadline = block.timestamp + DRAFT_SECONDS;
    const minAmountOut = quote && mulDivUp(quote.amountOut, BPS - BigInt(max_slippage_bps), BPS);
    const order =
      quote === undefined || minAmountOut === undefined || route === undefined
        ? undefined
        : {
            owner,
            tokenIn: quote.tokenIn,
            tokenOut: quote.tokenOut,
            route,
            amountIn: quote.amountIn,
            minAmountOut,
            deadline,
            isInBnb: in_bnb,
          };
    const draft = withheldFor(verdict, acknowledge_caution) ?? (await drafted(context, order));
    return {
      asset: asset.symbol,
      side,
      verdict,
      reason: reason ?? null,
      findings: findings.map(showFinding),
      largest_go_usd: largestGoUsd(proposal, judgement, large),
      token_in: quote?.tokenIn ?? null,
      amount_in: quote?.amountIn.toString() ?? null,
      token_out: quote?.tokenOut ?? null,
      min_amount_out: minAmountOut?.toString() ?? null,
      route: showRoute(route),
      ...draftOutput(draft),
      expires_at: deadline.toString(),
      ...blockIn(block),
    };
  },
});

type Withheld = Extract<SwapDraft, { state: 'refused' }>['reason'] | (typeof byVerdict)[number];

/** Why calls are withheld before anything is drafted. */
function withheldFor(verdict: Verdict, isAcknowledged: boolean): Withheld | undefined {
  if (verdict === 'GO') return undefined;
  if (verdict === 'CAUTION') return isAcknowledged ? undefined : 'caution_not_acknowledged';
  return verdict === 'NO_GO' ? 'verdict_no_go' : 'verdict_no_data';
}

async function drafted({ drafter }: ToolContext, order: SwapOrder | undefined) {
  // Without a quote a check fails.
  if (order === undefined) throw new BowlineError('internal', 'A trade without a quote passed its checks.');
  const draft = await drafter.draft(order);
  return draft.state === 'drafted' ? draft : draft.reason;
}

function draftOutput(draft: Extract<SwapDraft, { state: 'drafted' }> | Withheld) {
  if (typeof draft === 'string') return { calls: null, withheld: draft, simulated: null };
  const { calls, tokenInDelta, tokenOutDelta } = draft;
  return {
    calls: calls.map(({ kind, to, data, value }) => ({ kind, to, data, value: value.toString() })),
    withheld: null,
    simulated: { token_in_delta: tokenInDelta.toString(), token_out_delta: tokenOutDelta.toString() },
  };
}
