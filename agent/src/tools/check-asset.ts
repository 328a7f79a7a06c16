import { step } from '@bowline/core/domain/asking';
import { type Asset, isTraded, quoteAssetOf } from '@bowline/core/domain/assets';
import { canonicalJson, evidenceOf } from '@bowline/core/domain/evidence';
import type { ChainFacts, Size } from '@bowline/core/domain/facts';
import type { Ticket, TicketSigner } from '@bowline/core/domain/ticket';
import { mulDivUp, WAD } from '@bowline/core/domain/units';
import { largestGoUsd, statedOf } from '@bowline/core/texts/verdict-answer';
import { LARGE_USD_WAD } from '@bowline/core/verdict/largest-go';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { ticketOf } from '@bowline/core/verdict/ticket';
import { z } from 'zod';
import { propose } from '../sources/propose.ts';
import {
  address,
  assetInput,
  blockOutput,
  decimal,
  defineTool,
  findAsset,
  findingOutput,
  goUpToOutput,
  integer,
  referenceList,
  routeOutput,
  sideInput,
  sizeInputs,
  sizeOf,
  verdictOutput,
} from './schemas.ts';
import { frozen } from './shared.ts';
import type { ToolContext } from './tool.ts';

export const ticketOutput = z.object({
  token_in: address,
  token_out: address,
  verdict: z.number().int().describe('0 NO_DATA, 1 NO_GO, 2 CAUTION, 3 GO.'),
  max_price_wad: integer.describe('Base units of token_in for 1e18 base units of token_out.'),
  max_amount_in: integer,
  issued_at: integer.describe('Time of the judged block, unix seconds.'),
  expires_at: integer,
  evidence_hash: z.string(),
  signer: address,
  signature: z.string().describe('EIP-712 signature in the domain below.'),
  domain: z.object({ name: z.string(), version: z.string(), chain_id: z.number().int(), verifying_contract: address }),
});

/** A negative cost is a gain. Fee, distance of the pool's price from the reference, and price impact add up to the total. */
const costOutput = z.object({
  paid_usd: decimal,
  received_usd: decimal,
  total_usd: decimal,
  fee_usd: decimal,
  distance_usd: decimal,
  impact_usd: decimal,
  total_bps: z
    .string()
    .regex(/^-?\d+$/)
    .describe('1/10,000 of what is paid.'),
});

const output = z.object({
  asset: z.string(),
  side: z.enum(['buy', 'sell']),
  amount_usd: decimal.nullable().describe('Size judged; null: no price.'),
  pay: z.object({ symbol: z.string(), amount: decimal }).nullable().describe('Null: no quote.'),
  receive: z.object({ symbol: z.string(), amount: decimal }).nullable(),
  route: routeOutput,
  /** Total cost of the swap in US dollars, by the conservative reference; null without a quote or a price. */
  cost: costOutput.nullable(),
  ...verdictOutput,
  reference_usd: decimal.nullable(),
  pool_usd: decimal.nullable(),
  cost_bps: integer
    .nullable()
    .describe(
      'What the trade costs in all, fee and price impact included; 1/10,000, negative for a gain. Null if not known.',
    ),
  go_up_to: goUpToOutput,
  /** For GO it rests on a separate reading, which is not in the evidence. */
  largest_go_usd: decimal.nullable().describe('Searched up to 1,000,000; null: none.'),
  deviation_bps: integer.nullable().describe('Pool’s price from the reference.'),
  references: referenceList,
  findings: z.array(findingOutput),
  /** The signed verdict, for a contract to act on; null if there is no swap to act on or no signing key. */
  ticket: ticketOutput.nullable(),
  evidence: z
    .string()
    .describe('JSON of everything the verdict follows from: enough to recompute it. The ticket carries its keccak256.'),
  ...blockOutput,
});

/** What a model needs of it: the checks that did not pass, the names of those that did, and where the evidence is. */
const brief = output.omit({ evidence: true, findings: true, cost_bps: true, references: true }).extend({
  cost: costOutput.nullable().describe('Negative: a gain.'),
  references: z
    .array(referenceList.element.omit({ origin: true, fresh: true }))
    .describe('Only independent ones count.'),
  not_passed: z.array(findingOutput.omit({ ages: true, question: true })),
  passed: z.array(z.string()),
  evidence_uri: z.string().nullable().describe('Resource with all facts and findings.'),
});

const briefOf = ({
  evidence: _evidence,
  findings,
  cost_bps: _cost,
  references,
  ...rest
}: Checked): z.input<typeof brief> => ({
  ...rest,
  references: references.map(({ origin: _origin, fresh: _fresh, ...reference }) => reference),
  not_passed: findings
    .filter(({ outcome }) => outcome !== 'pass')
    .map(({ ages: _ages, question: _question, ...finding }) => finding),
  passed: findings.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check),
  evidence_uri: rest.ticket === null ? null : `bowline://evidence/${rest.ticket.evidence_hash}`,
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
export async function judgeAsset(question: Question, context: ToolContext) {
  const asset = findAsset(context, question.asset);
  const proposal = await propose(context, asset, question.side, judgedSize(asset, question));
  return { proposal, ...judgeProposal(proposal) };
}

const judgedSize = (asset: Asset, { amount_usd, amount_asset }: Question): Size =>
  sizeOf(asset, { amount_usd, amount_asset }, { usdWad: 1_000n * WAD });

export const checkAsset = defineTool({
  name: 'check_asset',
  title: 'Verdict',
  description:
    'Whether an asset is fairly priced to buy or sell now, at a size (1,000 USD if none is given): GO, CAUTION, NO_GO or ' +
    'NO_DATA. For any question of fairness, or whether to trade. The verdict is final: report it as it is.',
  effect: 'read',
  input,
  output,
  brief: { output: brief, of: briefOf },
  async run(request, context, asking) {
    const asset = findAsset(context, request.asset);
    const question = canonicalJson({ asset: asset.symbol, side: request.side, size: judgedSize(asset, request) });
    step(asking, 0, 2, 'Reading prices and pools');
    const read = async () => {
      const [judged, large] = await Promise.all([judgeAsset(request, context), largeFacts(request, context)]);
      const answer = frozen(await answerOf(question, judged, large, context));
      return { block: judged.proposal.chain.block.number, answer };
    };
    const answer = context.shared === undefined ? (await read()).answer : await context.shared.of(question, read);
    step(asking, 2, 2, 'Judged');
    return answer;
  },
});

/** Facts of a trade that is likely too large, for whatever size was asked. Undefined if they cannot be read now. */
export async function largeFacts(
  { asset: name, side }: Pick<Question, 'asset' | 'side'>,
  context: ToolContext,
): Promise<ChainFacts | undefined> {
  const asset = findAsset(context, name);
  const { assets, chain, depths } = context;
  if (depths === undefined || !isTraded(asset)) return undefined;
  const read = async () => {
    const facts = await chain.facts(asset, quoteAssetOf(assets, asset), side, { usdWad: LARGE_USD_WAD });
    return { block: facts.block.number, answer: facts };
  };
  return depths.of(`${asset.symbol} ${side}`, read).catch(() => undefined);
}

/** The answer from what was found: with an earlier answer's ticket while it is valid, otherwise a new one. */
async function answerOf(
  question: string,
  { proposal, ...judgement }: Awaited<ReturnType<typeof judgeAsset>>,
  large: ChainFacts | undefined,
  context: ToolContext,
): Promise<z.input<typeof output>> {
  const { verdict, reason = null, findings } = judgement;
  const { block, quote } = proposal.chain;
  const priceWad = quote && mulDivUp(quote.amountIn, WAD, quote.amountOut);
  const found = { verdict, reason, time: block.timestamp };
  const before = priceWad && context.issued?.again(question, { ...found, priceWad });
  if (before) return before as z.input<typeof output>;
  const evidence = evidenceOf(rulesVersion, proposal, verdict, findings);
  const ticket = quote && ticketOf(proposal, quote, verdict, context.hash(evidence));
  const answer = {
    ...statedOf(proposal, judgement),
    largest_go_usd: largestGoUsd(proposal, judgement, large),
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
}

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
