/** Milliseconds for an orderly end. An orchestrator kills after ten seconds. */
export const ENDING_MS = 4_800;
/** Milliseconds for the last bytes of an answer to leave. */
export const SENT_MS = 100;
