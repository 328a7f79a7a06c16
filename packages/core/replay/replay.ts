import { z } from 'zod';
import { canonicalJson } from '../domain/evidence.ts';
import type { Proposal } from '../domain/facts.ts';
import { type Ticket, ticketTypedData } from '../domain/ticket.ts';
import type { Address, Hex } from '../domain/units.ts';
import type { SignatureHashing } from '../pyth/check.ts';
import { limitsOfAsset } from '../registry/asset-limits.ts';
import { statedOf } from '../texts/verdict-answer.ts';
import { type Looser, looserLimits } from '../verdict/looser.ts';
import { judgeProposal } from '../verdict/rules.ts';
import { ticketOf } from '../verdict/ticket.ts';
import { readEvidence } from './evidence.ts';
import type { Line } from './line.ts';
import { readTicket } from './served-ticket.ts';
import { signedPriceLines } from './signed-price.ts';

/** Hash functions: parameters, because Node and browsers use different libraries. */
export interface Hashing extends SignatureHashing {
  /** keccak256 of the text's UTF-8 bytes. */
  readonly hash: (text: string) => Hex;
  /** The address that signed typed data (EIP-712). Rejects if the signature is invalid. */
  readonly signer: (signed: ReturnType<typeof ticketTypedData> & { readonly signature: Hex }) => Promise<Address>;
}

/** A `GET /verdict` or `check_asset` answer, which may state more; `/verdict` has the evidence as JSON. */
export const served = z.looseObject({
  verdict: z.string(),
  evidence: z.union([z.string(), z.looseObject({})]),
  ticket: z.unknown().transform(readTicket),
});

type Served = z.output<typeof served>;

/**
 * Recomputes a verdict from evidence.
 * @param text of the document as it was hashed.
 * @throws UnsupportedRules for evidence of another version of the rules; an Error if it cannot be parsed.
 */
export function judgeAgain(text: string, hash: Hashing['hash']) {
  const written: unknown = JSON.parse(text);
  const { proposal, verdict, findings } = readEvidence(written);
  const again = judgeProposal(proposal);
  const lines = [
    line('spelling of the evidence', text, canonicalJson(written)),
    line('verdict of the evidence', verdict, again.verdict),
    ...byCheck(findings.map(canonicalJson), again.findings.map(canonicalJson), [...findings, ...again.findings]),
  ];
  return { proposal, again, lines, hash: hash(text) };
}

/**
 * Recomputes an answer from its evidence alone, compares every stated value, and checks the signatures of Pyth's price.
 * @throws UnsupportedRules for evidence of another version of the rules; an Error if it cannot be parsed.
 */
export async function replay(answer: Served, hashing: Hashing): Promise<Line[]> {
  const { proposal, again, lines: ofEvidence, hash } = judgeAgain(textOf(answer), hashing.hash);
  const { ticket } = answer;
  const lines = [
    ...ofEvidence,
    ...(await signedPriceLines(proposal, ticket?.domain.chain_id, hashing)),
    ...statements(answer, statedOf(proposal, again)),
  ];
  if (ticket === null) return lines;
  const { tokenIn, tokenOut } = swapOf(proposal);
  const due = ticketOf(proposal, { tokenIn, tokenOut }, again.verdict, hash);
  return [
    ...lines,
    line('evidence hash', ticket.evidence_hash, due.evidenceHash),
    line('token paid', ticket.token_in.toLowerCase(), due.tokenIn.toLowerCase()),
    line('token bought', ticket.token_out.toLowerCase(), due.tokenOut.toLowerCase()),
    line('verdict signed', String(ticket.verdict), String(due.verdict)),
    line('highest price', ticket.max_price_wad.toString(), due.maxPriceWad.toString()),
    line('highest amount', ticket.max_amount_in.toString(), due.maxAmountIn.toString()),
    line('issued at', ticket.issued_at.toString(), due.issuedAt.toString()),
    line('expires at', ticket.expires_at.toString(), due.expiresAt.toString()),
    line('signer', ticket.signer.toLowerCase(), await signerOf(ticket, due, hashing)),
  ];
}

/** Limits in the evidence that are looser than the project's: consistent, but weaker than a reader may expect. */
export function looserIn(answer: Pick<Served, 'evidence'>): Looser[] {
  const { asset, limits } = readEvidence(JSON.parse(textOf(answer))).proposal;
  return looserLimits(limitsOfAsset(asset), limits);
}

const textOf = ({ evidence }: Pick<Served, 'evidence'>): string =>
  typeof evidence === 'string' ? evidence : canonicalJson(evidence);

const line = (what: string, said: string, found: string): Line => ({ what, said, found });

/** Tokens paid and bought, taken from the assets and not from the quote that the ticket refers to. */
export function swapOf({ side, asset, quoteAsset }: Proposal) {
  const [paid, bought] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
  return { tokenIn: paid.address, tokenOut: bought.address };
}

/** Compares what the answer states with what follows from its evidence. It may state less, also in its findings. */
function statements(answer: Served, { findings, ...due }: ReturnType<typeof statedOf>): Line[] {
  const of = 'of the answer';
  const stated = findingsIn(answer);
  const likewise = findings.map((found) => {
    const said = stated.find(({ check }) => check === found.check);
    return said === undefined ? found : onlyKeysOf(said, found);
  });
  return [
    ...Object.entries(due).flatMap(([field, found]) => {
      const said = answer[field];
      return said === undefined
        ? []
        : [line(`${field.replaceAll('_', ' ')} ${of}`, canonicalJson(said), canonicalJson(found))];
    }),
    ...(answer.findings === undefined
      ? []
      : byCheck(stated.map(canonicalJson), likewise.map(canonicalJson), [...stated, ...findings]).map((each) => ({
          ...each,
          what: `${each.what} ${of}`,
        }))),
  ];
}

const findingsIn = ({ findings }: Served) =>
  z
    .array(z.looseObject({ check: z.string() }))
    .optional()
    .parse(findings) ?? [];

const onlyKeysOf = (said: object, found: object): object =>
  Object.fromEntries(Object.entries(found).filter(([key]) => key in said));

const none = 'nothing';

function byCheck(
  said: readonly string[],
  found: readonly string[],
  all: readonly { readonly check: string }[],
): Line[] {
  const of = (texts: readonly string[], check: string) =>
    texts.find((text) => (JSON.parse(text) as { check: string }).check === check) ?? none;
  const checks = [...new Set(all.map(({ check }) => check))];
  return [
    line('number of findings', String(said.length), String(found.length)),
    ...checks.map((check) => line(`finding ${check}`, of(said, check), of(found, check))),
  ];
}

/** Who signed what follows from the evidence; a contract's signature can only be verified on its chain. */
async function signerOf(
  { domain, signature }: NonNullable<Served['ticket']>,
  due: Ticket,
  { signer: recover }: Hashing,
): Promise<string> {
  const { name, version, chain_id: chainId, verifying_contract: verifyingContract } = domain;
  const signed = { ...ticketTypedData({ name, version, chainId, verifyingContract }, due), signature };
  return recover(signed).then(
    (signer) => signer.toLowerCase(),
    () => 'no signature of a key',
  );
}
