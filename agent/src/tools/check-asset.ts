import { canonicalJson, evidenceOf } from '@bowline/core/domain/evidence';
import type { Ticket, TicketSigner } from '@bowline/core/domain/ticket';
import { mulDivUp, WAD } from '@bowline/core/domain/units';
import { statedOf } from '@bowline/core/texts/verdict-answer';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { ticketOf } from '@bowline/core/verdict/ticket';
import { z } from 'zod';
import { propose } from '../sources/propose.ts';
import {
  address,
  assetInput,
  decimal,
  defineTool,
  findAsset,
  findingOutput,
  integer,
  isoTime,
  referenceList,
  routeOutput,
  sideInput,
  sizeInputs,
  sizeOf,
  verdictOutput,
} from './schemas.ts';
import type { ToolContext } from './tool.ts';

export const ticketOutput = z.object({
  token_in: address,
  token_out: address,
  /** 0 NO_DATA, 1 NO_GO, 2 CAUTION, 3 GO. */
  verdict: z.number().int(),
  /** Base units of token_in for 1e18 base units of token_out. */
  max_price_wad: integer,
  max_amount_in: integer,
  /** Time of the judged block, unix seconds. */
  issued_at: integer,
  expires_at: integer,
  evidence_hash: z.string(),
  signer: address,
  /** EIP-712 signature in the domain below. */
  signature: z.string(),
  domain: z.object({ name: z.string(), version: z.string(), chain_id: z.number().int(), verifying_contract: address }),
});

const output = z.object({
  asset: z.string(),
  side: z.enum(['buy', 'sell']),
  /** Size that was judged: as requested, or valued by the feed of token_in. Null if that has no price. */
  amount_usd: decimal.nullable(),
  /** The swap that was judged; null if no pool can quote one. */
  pay: z.object({ symbol: z.string(), amount: decimal }).nullable(),
  receive: z.object({ symbol: z.string(), amount: decimal }).nullable(),
  route: routeOutput,
  ...verdictOutput,
  reference_usd: decimal.nullable(),
  pool_usd: decimal.nullable(),
  /** What the trade costs in all, fee and price impact included; 1/10,000, negative for a gain. Null if not known. */
  cost_bps: integer.nullable(),
  /** If the size alone is in the way: the largest that would be GO, and how many of it make up the size. */
  go_up_to: z.object({ symbol: z.string(), amount: decimal, slots: integer }).nullable(),
  /** Deviation of the pool's price from the reference; 1/10,000. */
  deviation_bps: integer.nullable(),
  references: referenceList,
  findings: z.array(findingOutput),
  /** The signed verdict, for a contract to act on; null if there is no swap to act on or no signing key. */
  ticket: ticketOutput.nullable(),
  /** JSON of everything the verdict follows from: enough to judge again. The ticket carries its keccak256. */
  evidence: z.string(),
  block: integer,
  time: isoTime,
});

/** Output of check_asset. */
export type Checked = z.output<typeof output>;

const input = z.strictObject({
  asset: assetInput,
  side: sideInput.default('buy'),
  ...sizeInputs,
});

/** Parsed input of check_asset. */
export type Question = z.output<typeof input>;

export type JudgeAsset = (question: Question) => ReturnType<typeof judgeAsset>;

/**
 * Judges a check_asset question afresh and returns what its answer is made from: amounts as bigint in base units.
 * @throws BowlineError as the tool does.
 */
export async function judgeAsset({ asset: name, side, ...given }: Question, context: ToolContext) {
  const asset = findAsset(context, name);
  const size = sizeOf(asset, given, { usdWad: 1_000n * WAD });
  const proposal = await propose(context, asset, side, size);
  return { asset, size, proposal, ...judgeProposal(proposal) };
}

export const checkAsset = defineTool({
  name: 'check_asset',
  title: 'Verdict',
  description:
    'Judges whether an asset is fairly priced to buy or sell now, at a given size in US dollars or in units of the asset ' +
    '(1,000 USD when none is given). Gives the verdict GO, CAUTION, NO_GO or ' +
    'NO_DATA with every check, its measured value and its limit. Use it for any question of whether a price is fair, or ' +
    'whether to trade. The verdict is final: report it as it is.',
  effect: 'read',
  input,
  output,
  async run(request, context) {
    const { side } = request;
    const { asset, size, proposal, ...judgement } = await judgeAsset(request, context);
    const { verdict, reason = null, findings } = judgement;
    const question = canonicalJson({ asset: asset.symbol, side, size });
    const evidence = evidenceOf(rulesVersion, proposal, verdict, findings);
    const { block, quote } = proposal.chain;
    const priceWad = quote && mulDivUp(quote.amountIn, WAD, quote.amountOut);
    const found = { verdict, reason, time: block.timestamp };
    const before = priceWad && context.issued?.again(question, { ...found, priceWad });
    if (before) return before as z.input<typeof output>;
    const ticket = quote && ticketOf(proposal, quote, verdict, context.hash(evidence));
    const answer = {
      ...statedOf(proposal, judgement),
      ticket: ticket && context.tickets ? await signed(ticket, context.tickets) : null,
      evidence,
    };
    if (ticket === undefined || answer.ticket === null) return answer;
    // Another identical question may have been signed meanwhile.
    const meanwhile = priceWad && context.issued?.again(question, { ...found, priceWad });
    if (meanwhile) return meanwhile as z.input<typeof output>;
    context.showEvidence?.(ticket.evidenceHash, evidence);
    context.issued?.remember(question, { ...ticket, verdict, reason }, answer);
    return answer;
  },
});

async function signed(ticket: Ticket, signer: TicketSigner): Promise<z.input<typeof ticketOutput>> {
  const { name, version, chainId, verifyingContract } = signer.domain;
  return {
    token_in: ticket.tokenIn,
    token_out: ticket.tokenOut,
    verdict: ticket.verdict,
    max_price_wad: ticket.maxPriceWad.toString(),
    max_amount_in: ticket.maxAmountIn.toString(),
    issued_at: ticket.issuedAt.toString(),
    expires_at: ticket.expiresAt.toString(),
    evidence_hash: ticket.evidenceHash,
    signer: signer.address,
    signature: await signer.sign(ticket),
    domain: { name, version, chain_id: chainId, verifying_contract: verifyingContract },
  };
}
