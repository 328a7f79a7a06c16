import { WAD } from '@bowline/core/domain/units';
import type { AgentAnswer, VerdictWord } from '../../wire.ts';
import { assetAt, type Settings } from '../api/settings.ts';
import type { TicketJudged } from '../replay/judge-ticket.ts';
import { amountOf } from '../words/amount-of.ts';
import { askWords } from '../words/en/ask.ts';
import { problemWords, verifyWords } from '../words/en/tickets.ts';

/** The amount and price that a ticket covers; undefined unless its verdict advises the trade. */
export function goodFor(
  settings: Settings,
  ticket: AgentAnswer['tickets'][number],
  verdict: VerdictWord,
): string | undefined {
  const [pay, get] = [assetAt(settings, ticket.token_in), assetAt(settings, ticket.token_out)];
  if (verdict !== 'GO' || pay === undefined || get === undefined) return undefined;
  // Price of one whole token: the ticket states the price of 1e18 base units.
  const price = (BigInt(ticket.max_price_wad) * 10n ** BigInt(get.decimals)) / WAD;
  return askWords.upTo(
    amountOf(settings, pay.address, BigInt(ticket.max_amount_in)),
    `${amountOf(settings, pay.address, price)} / ${get.symbol}`,
  );
}

/** The result for a ticket in words. @param judged undefined while it is judged. */
export function judgedWords(judged: TicketJudged | undefined): string {
  if (judged === undefined) return askWords.checking;
  switch (judged.state) {
    case 'good':
      if (judged.isLooser) return askWords.followsLooser;
      return judged.isReplayed ? askWords.follows : askWords.signedOnly;
    case 'wrong': {
      const { title, more } = problemWords[judged.problem];
      return verifyWords.problem(title, more);
    }
    case 'unchecked':
      return askWords.unchecked;
  }
}
