import type { TicketJudged } from '../replay/judge-ticket.ts';
import { problemWords, verifyWords } from '../words/en/tickets.ts';
import { words } from '../words/words.ts';

/** What was found of a ticket; undefined while it is judged. */
export function judgedWords(judged: TicketJudged | undefined): string {
  if (judged === undefined) return words.ask.checking;
  switch (judged.state) {
    case 'good':
      return judged.isReplayed ? words.ask.follows : words.ask.signedOnly;
    case 'wrong': {
      const { title, more } = problemWords[judged.problem];
      return verifyWords.problem(title, more);
    }
    case 'unchecked':
      return words.ask.unchecked;
  }
}
