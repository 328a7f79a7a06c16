import type { TicketIssuer, TicketProblem } from '@bowline/core/replay/ticket-check';
import type { VerdictWord } from '../../wire.ts';
import type { TicketVerified } from './tasks.ts';

/** The result of judging a ticket again. */
export type TicketJudged =
  /**
   * `isReplayed`: its evidence was available and leads to it; `isLooser`: under looser limits than the project's. The
   * validity period is not part of this.
   */
  | { readonly state: 'good'; readonly verdict: VerdictWord; readonly isReplayed: boolean; readonly isLooser: boolean }
  | { readonly state: 'wrong'; readonly problem: TicketProblem }
  /** It could not be read or judged. */
  | { readonly state: 'unchecked' };

interface Judging {
  readonly issuer: TicketIssuer;
  /** The chain's time, unix seconds. */
  readonly at: bigint;
  /** The document with that hash; undefined if it is not available. */
  readonly evidenceOf: (hash: string) => Promise<object | undefined>;
  readonly judge: (task: {
    readonly kind: 'ticket';
    readonly text: string;
    readonly issuer: TicketIssuer;
    readonly at: bigint;
  }) => Promise<TicketVerified>;
}

/** Judges anybody's ticket, with its evidence if that is available. Never throws. */
export async function judgeTicket(ticket: object, { issuer, at, evidenceOf, judge }: Judging): Promise<TicketJudged> {
  const { evidence_hash: hash } = ticket as { readonly evidence_hash?: unknown };
  const evidence = typeof hash === 'string' ? await evidenceOf(hash).catch(() => undefined) : undefined;
  const text = JSON.stringify({ ticket, ...(evidence && { evidence }) });
  try {
    const { problems, verdict, isReplayed, looser } = await judge({ kind: 'ticket', text, issuer, at });
    // Validity can begin or end while the ticket is shown, so the clock decides that, not this result.
    const [problem] = problems.filter((each) => each !== 'expired' && each !== 'not_valid_yet');
    if (problem !== undefined) return { state: 'wrong', problem };
    return { state: 'good', verdict, isReplayed, isLooser: looser.length > 0 };
  } catch {
    return { state: 'unchecked' };
  }
}
