import { documentsIn, type JudgedDocument, judgeDocument } from '@bowline/core/audit/evidence';
import type { Run, Terms } from '@bowline/core/audit/history';
import type { Line } from '@bowline/core/replay/line';
import {
  type CheckedTicket,
  checkTicket,
  type TicketAnswer,
  type TicketIssuer,
} from '@bowline/core/replay/ticket-check';
import { hashing } from './hashing.ts';

// What the worker does. Everything in a task may come from anybody.

/** A file's text, matched with a plan's records. */
interface DocumentsTask {
  readonly kind: 'documents';
  readonly name: string;
  readonly text: string;
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

export type TicketVerified = CheckedTicket & { readonly lines: readonly Line[] };

export type TaskAnswer<Of extends Task> = Of extends TicketTask ? TicketVerified : readonly JudgedDocument[];

/** @throws Error for a ticket that cannot be read. */
export async function work(task: Task): Promise<TaskAnswer<Task>> {
  if (task.kind === 'documents') {
    const { traded, runs, name } = task;
    return documentsIn(task.text).map((text) => judgeDocument(traded, runs, text, name, hashing.hash));
  }
  return checkTicket(task.issuer, ticketAnswer(JSON.parse(task.text)), task.at, hashing);
}

/** A ticket alone, or an answer that carries one. */
function ticketAnswer(given: unknown): TicketAnswer {
  const { ticket } = (given ?? {}) as { readonly ticket?: unknown };
  return ticket === undefined ? { ticket: given } : (given as TicketAnswer);
}
