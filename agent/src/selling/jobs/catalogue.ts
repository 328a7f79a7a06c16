import type { OfferTerms } from '@bowline/core/domain/jobs';
import { type Address, getAddress } from 'viem';

/** The only terms that are ever signed. They are short: the buyer pays for every byte on chain. */
export const catalogue: OfferTerms = {
  deliverables:
    'verdict report on the trade in the task, in English, as Markdown and JSON: every check, its measure, its limit',
  quality_standards:
    'prices of one block, with sources and times; what cannot be found is said; nothing else is promised',
};

/** The same for one buyer. */
export const catalogueFor = (client: Address | undefined): OfferTerms =>
  client === undefined ? catalogue : { ...catalogue, success_criteria: [`for client ${getAddress(client)} only`] };

/** The client that an offer's signed criteria name. */
export function clientOf(criteria: unknown): Address | undefined {
  const [line] = Array.isArray(criteria) ? criteria : [];
  const [, client] = (typeof line === 'string' && /^for client (0x[0-9a-fA-F]{40}) only$/.exec(line)) || [];
  return client as Address | undefined;
}

/**
 * Demands that the catalogue contradicts, and what it says instead. Other words and languages are not found, which is
 * harmless: of a buyer's text only the task is signed, and a task is read whole. This only spares a buyer a useless
 * offer.
 */
const contradictions: readonly { readonly demand: RegExp; readonly instead: string }[] = [
  {
    demand:
      /\b(pdf|docx?|word (document|file)|xlsx?|excel|csv|spreadsheet|pptx?|power ?point|slides?|video|audio|podcast|png|jpe?g|image|chart|graph|latex|html)s?\b/i,
    instead: 'The report is Markdown and JSON.',
  },
  {
    demand:
      /\b(in|into) (simplified |traditional |brazilian )?(french|german|spanish|portuguese|italian|dutch|polish|russian|ukrainian|turkish|arabic|hebrew|hindi|chinese|mandarin|cantonese|japanese|korean|thai|vietnamese|indonesian)\b/i,
    instead: 'The report is in English.',
  },
  {
    demand: /\b\d[\d.,]*\s*-?\s*(pages?|words?|chapters?)\b/i,
    instead: 'The report is as long as its checks are.',
  },
  {
    demand:
      /\b(send|sent|sends|sending|transfer\w*|pays?|paid|paying|refund\w*|deposit\w*|wire[sd]?|airdrop\w*)\b[^.;?!]{0,80}?\b((to|into) (me|us|my|our|this|the following|0x)|me|us)/i,
    instead: 'The seller sends a report and no money.',
  },
  {
    demand:
      /\b(giv(e|es|en|ing)|returns?|returned|cash)\s+((me|us|back)\s+)*((my|our|the|some)\s+)*(\$|\d|money|cash|funds|usd|dollars?|refund|back\b)/i,
    instead: 'The seller sends a report and no money.',
  },
  {
    demand: /\b(buy|sell|swap|trade|purchase|execute)\s+(it|this|that|them)\s+(for|on behalf of)\s+(me|us)\b/i,
    instead: 'The seller judges the trade and does not make it.',
  },
  {
    demand: /\b(liab\w+|indemnif\w*|insur(e|es|ed|ance)|compensat\w*|reimburs\w*|damages|penalt(y|ies)|refundable)\b/i,
    instead: 'The seller takes no liability.',
  },
  {
    demand: /\b(guarante\w*|warrant(y|ies)|profits?|profitable|returns? of \d|\d\s*%\s*(gain|return|yield|apy))\b/i,
    instead: 'A verdict is about the price now and guarantees nothing.',
  },
];

/** "No PDF" demands none. */
const denied = /\b(no|not|non|never|without|nothing|isn't|don't|doesn't)\s+(\S+\s+){0,3}$/i;

/** What the catalogue says instead of the first demand of these texts that contradicts it; undefined if none does. */
export function contradicted(texts: readonly string[]): string | undefined {
  for (const { demand, instead } of contradictions) {
    for (const text of texts) {
      const found = demand.exec(text);
      if (found !== null && !denied.test(text.slice(0, found.index))) return instead;
    }
  }
  return undefined;
}
