import type { BundlerFault, NodeFault } from '../../test/faults/faults.ts';

type Cause = NodeFault | BundlerFault | 'start' | 'stop';

/** A time with something wrong. Unix milliseconds. */
export interface Trouble {
  readonly cause: Cause;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Line {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Calls of the node fail. */
const unanswered: readonly Cause[] = [
  'refused',
  'silent',
  'empty',
  'bad_gateway',
  'server_error',
  'too_many',
  'short',
  'truncated',
  'wrong_id',
  'null_result',
  'limit',
  'slow',
  'half_cut',
  'tenth_silent',
];
const stale: readonly Cause[] = ['behind', 'frozen'];
const sends: readonly Cause[] = [
  'swallowed',
  'send_error',
  'nonce_too_low',
  'underpriced',
  'already_known',
  'sent_and_cut',
];
const receipts: readonly Cause[] = ['no_receipts', 'forged_receipts'];
const bundler: readonly Cause[] = [
  'bundler_refused',
  'bundler_silent',
  'bundler_empty',
  'bundler_bad_gateway',
  'bundler_lies',
  'bundler_refuses',
  'bundler_forged_receipts',
];

interface Explanation {
  readonly causes: readonly Cause[];
  /** How long after the trouble its effect may still be logged. */
  readonly seconds?: number;
}

/** What may cause a line of level warn or error. An event that is not here has no excuse. */
export const explanations: Readonly<Record<string, Explanation>> = {
  'node.waiting': { causes: unanswered },
  'head.silent': { causes: [...unanswered, 'frozen'] },
  'preflight.missing': { causes: [...unanswered, ...stale, 'other_chain'] },
  'sender.broadcast_failed': { causes: [...unanswered, ...sends] },
  'sender.failed': { causes: [...unanswered, ...stale, ...sends, 'other_chain'] },
  'sender.not_sent': { causes: [...unanswered, ...stale, ...sends, 'other_chain'] },
  'call.not_sent': { causes: [...unanswered, ...stale, ...sends, 'other_chain'] },
  'sender.node_behind': { causes: [...stale, ...unanswered] },
  'sender.block_undone': { causes: stale },
  'sender.in_flight': { causes: [...stale, ...sends, ...unanswered, 'start'], seconds: 60 },
  'sender.stuck': { causes: [...sends, ...unanswered, 'start'], seconds: 90 },
  // A bumped or cancelled operation belongs to a transaction that was lost a while ago.
  'sender.bumping': { causes: [...unanswered, ...stale, ...sends], seconds: 60 },
  'sender.cancelling': { causes: [...unanswered, ...stale, ...sends, ...bundler], seconds: 60 },
  'sender.cannot_pay': { causes: ['dear_gas'] },
  'sender.cannot_send': { causes: [...unanswered, ...stale, ...sends], seconds: 60 },
  'sender.not_cancelled': { causes: [...unanswered, ...sends, 'dear_gas', 'other_chain'], seconds: 60 },
  'sender.reconciled': { causes: [...unanswered, ...stale, ...sends, ...receipts, ...bundler], seconds: 60 },
  'sender.left_open': { causes: ['stop'] },
  'call.unknown': { causes: ['stop'] },
  'call.cancelled': { causes: [...unanswered, ...stale, ...sends, ...bundler], seconds: 60 },
  'call.consumed': { causes: [...unanswered, ...stale, ...sends, ...receipts, ...bundler], seconds: 60 },
  'call.reverted': { causes: ['forged_receipts', 'bundler_forged_receipts'] },
  'rescue.failed': { causes: ['forged_receipts'] },
  'run.failed': { causes: ['forged_receipts', 'bundler_forged_receipts'] },
  'call.not_allowed': { causes: ['dear_gas', 'other_chain'] },
  'guard.failed': { causes: [...unanswered, ...stale] },
  'plan.failed': { causes: [...unanswered, ...stale] },
  'price.failed': { causes: [...unanswered, ...stale] },
  'report.failed': { causes: [...unanswered, ...stale, ...receipts], seconds: 30 },
  'job.failed': { causes: [...unanswered, ...stale] },
  'wallet.bundler_failed': { causes: [...bundler] },
  'wallet.bundler_late': { causes: [...bundler, ...unanswered, ...stale, ...receipts], seconds: 30 },
  'wallet.not_carried': { causes: [...unanswered, ...stale, ...sends, 'dear_gas', 'other_chain'], seconds: 60 },
  'notice.not_made': { causes: unanswered },
};

const usualSeconds = 10;

/** The trouble that explains the line, if one does. */
export function explained({ event, time }: Line, troubles: readonly Trouble[]): Trouble | undefined {
  const explanation = explanations[event];
  if (explanation === undefined) return undefined;
  const { causes, seconds = usualSeconds } = explanation;
  const atMs = Date.parse(time);
  return troubles.find(
    ({ cause, fromMs, toMs }) => causes.includes(cause) && atMs >= fromMs && atMs <= toMs + seconds * 1000,
  );
}
