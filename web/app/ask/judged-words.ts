import type { TicketJudged } from '../replay/judge-ticket.ts';
import { askWords } from '../words/en/ask.ts';
import { problemWords, verifyWords } from '../words/en/tickets.ts';

/** What was found of a ticket; undefined while it is judged. */
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
