/** Logs one line of JSON per call; `fields` must hold no secrets. bigint is written as decimal text. */
export interface Log {
  /** Details for debugging only. */
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}
