import type { UnreadyReason } from '@bowline/core/domain/readiness';
import type { BundlerFault, NodeFault } from './faults.ts';

export interface Case {
  readonly fault: NodeFault | BundlerFault;
  readonly seconds: number;
  /** /ready is 503 for at least one of these reasons before it is over. */
  readonly unready?: readonly UnreadyReason[];
  /** The node misreports what was done, so the agent's own report of it may be wrong or missing. */
  readonly isUntold?: true;
}

/** Long enough for a block to be missed, and for an answer to be late. */
const usual = 8;
/** Long enough that /ready must say so: 15 s without a block, or with loans unread. */
const long = 22;
const blind: readonly UnreadyReason[] = ['chain_unavailable', 'head_silent', 'guards_unread', 'rescue_waiting'];

export const cases: readonly Case[] = [
  { fault: 'refused', seconds: long, unready: blind },
  { fault: 'silent', seconds: long, unready: blind },
  { fault: 'empty', seconds: long, unready: blind },
  { fault: 'bad_gateway', seconds: long, unready: blind },
  { fault: 'short', seconds: long, unready: blind },
  { fault: 'frozen', seconds: long, unready: ['head_silent'] },
  { fault: 'server_error', seconds: usual },
  { fault: 'too_many', seconds: usual },
  { fault: 'truncated', seconds: usual },
  { fault: 'wrong_id', seconds: usual },
  { fault: 'null_result', seconds: usual },
  { fault: 'limit', seconds: usual },
  { fault: 'slow', seconds: usual },
  { fault: 'half_cut', seconds: usual },
  { fault: 'tenth_silent', seconds: usual },
  { fault: 'behind', seconds: usual },
  { fault: 'swallowed', seconds: usual },
  { fault: 'send_error', seconds: usual },
  { fault: 'nonce_too_low', seconds: usual },
  { fault: 'underpriced', seconds: usual },
  { fault: 'already_known', seconds: usual },
  { fault: 'sent_and_cut', seconds: usual },
  { fault: 'no_receipts', seconds: usual, isUntold: true },
  { fault: 'forged_receipts', seconds: usual, isUntold: true },
  { fault: 'dear_gas', seconds: usual },
  { fault: 'other_chain', seconds: usual },
  { fault: 'bundler_refused', seconds: usual },
  { fault: 'bundler_silent', seconds: usual },
  { fault: 'bundler_empty', seconds: usual },
  { fault: 'bundler_bad_gateway', seconds: usual },
  { fault: 'bundler_lies', seconds: usual },
  { fault: 'bundler_refuses', seconds: usual },
  { fault: 'bundler_forged_receipts', seconds: usual, isUntold: true },
];
