// Errors are values at boundaries. `code` is a stable word; `message` is our own sentence, never a third party's.

export type Failure = {
  readonly ok: false;
  readonly code: FailureCode;
  readonly message: string;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
};

export type Result<T> = { readonly ok: true; readonly value: T } | Failure;

export type FailureCode =
  | 'invalid_input'
  | 'invalid_side'
  | 'invalid_amount'
  | 'invalid_address'
  | 'unknown_asset'
  | 'no_pool'
  | 'unknown_plan'
  | 'unknown_guard'
  | 'unknown_tool'
  | 'chain_unavailable'
  | 'market_unavailable'
  | 'model_unavailable'
  | 'payment_unavailable'
  | 'rate_limited'
  | 'balance_too_low'
  | 'timeout'
  | 'internal';

export const success = <T>(value: T): Result<T> => ({ ok: true, value });

export const failure = (code: FailureCode, message: string, retryable = false): Failure => ({
  ok: false,
  code,
  message,
  retryable,
});

/** A fault of ours, which our log explains. The same request is likely to fail again. */
export const internalFailure: Failure = failure('internal', 'Internal error. It has been logged.');

/** Whether a failure concerns the request itself, rather than a missing answer for now or a fault of ours. */
export const isAnswer = ({ code, retryable }: Failure): boolean => !retryable && code !== 'internal';

/** Thrown below a boundary and converted to a value at it. */
export class BowlineError extends Error {
  readonly code: FailureCode;
  readonly retryable: boolean;

  constructor(code: FailureCode, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'BowlineError';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}
