/** Why the agent does not start until a person changes something. docs/operations.md says what to do about each. */
export type RefusalReason =
  | 'node_unreachable'
  | 'chain_id'
  | 'record_missing'
  | 'record_unreadable'
  | 'code_missing'
  | 'registry_differs'
  | 'token_unknown'
  | 'verdict_key_unnamed'
  | 'keeper_not_operator'
  | 'factory_missing'
  | 'wallet_not_deployed'
  | 'port_taken'
  | 'port_refused';

/** Aborts a start; `bowline check` reports it for the same settings. Its message is what was found and what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;
  readonly found: string;
  readonly remedy: string;

  constructor(reason: RefusalReason, found: string, remedy: string, cause?: unknown) {
    super(`${found} ${remedy}`, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.found = found;
    this.remedy = remedy;
  }
}
