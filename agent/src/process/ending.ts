/** Milliseconds for an orderly end. An orchestrator kills after ten seconds. */
export const ENDING_MS = 4_800;
/** Milliseconds for the outcome of what one round has sent. */
export const OUTCOME_MS = 60_000;
