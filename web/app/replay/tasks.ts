import { hashing } from '@bowline/chain/hashing';
import { documentsIn, type JudgedDocument, judgeDocument } from '@bowline/core/audit/evidence';
import type { Run, Terms } from '@bowline/core/audit/history';
import { looserIn, replay, served } from '@bowline/core/replay/replay';
import {
  type CheckedTicket,
  checkTicket,
  type TicketAnswer,
  type TicketIssuer,
} from '@bowline/core/replay/ticket-check';
import type { Looser } from '@bowline/core/verdict/looser';

// The worker's tasks. Everything in a task is untrusted.

/** A file's text, matched with a plan's records. */
interface DocumentsTask {
  readonly kind: 'documents';
  readonly name: string;
  readonly text: string;
  readonly chainId: number;
  readonly traded: Pick<Terms, 'tokenIn' | 'tokenOut'>;
  readonly runs: readonly Pick<Run, 'evidencePrefix' | 'verdict' | 'time' | 'isAttested' | 'amountIn'>[];
}

interface TicketTask {
  readonly kind: 'ticket';
  readonly text: string;
  readonly issuer: TicketIssuer;
  /** Unix seconds by the chain's clock. */
  readonly at: bigint;
}

export type Task = DocumentsTask | TicketTask;

export type TicketVerified = CheckedTicket & {
  /** Limits that judged its evidence and are looser than the project's own. */
  readonly looser: readonly Looser[];
};

export type TaskAnswer<Of extends Task> = Of extends TicketTask ? TicketVerified : readonly JudgedDocument[];

/** @throws Error for a ticket that cannot be read. */
export async function work(task: Task): Promise<TaskAnswer<Task>> {
  if (task.kind === 'documents') {
    const { traded, runs, name, chainId } = task;
    return Promise.all(
      documentsIn(task.text).map((text) => judgeDocument(traded, runs, text, name, { hashing, chainId })),
    );
  }
  const answer = ticketAnswer(JSON.parse(task.text));
  const checked = await checkTicket(task.issuer, answer, task.at, hashing, {
    replay: async (given) => ({ lines: await replay(served.parse(given), hashing) }),
  });
  // The signer also chooses the limits: under limits that pass anything, any verdict may follow from its evidence.
  const looser = checked.lines.length === 0 ? [] : looserIn(served.parse({ verdict: '', ...answer }));
  return { ...checked, looser };
}

/** A ticket alone, or an answer that carries one. */
function ticketAnswer(given: unknown): TicketAnswer {
  const { ticket } = (given ?? {}) as { readonly ticket?: unknown };
  return ticket === undefined ? { ticket: given } : (given as TicketAnswer);
}
