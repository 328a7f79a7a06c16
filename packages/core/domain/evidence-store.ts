import type { Hex } from './units.ts';

/** Keeps the documents that verdicts on chain name by their hash. Neither method rejects. */
export interface EvidenceStore {
  /** Resolves once the document is safe, within seconds. False: it could not be kept, and a warning says why. */
  keep(hash: Hex, text: string): Promise<boolean>;
  /**
   * The document whose hash this is, or begins with this. Undefined if it is not there, was changed, or the text is
   * neither 32 bytes in hex nor the 19 that a record on chain has.
   */
  read(hashOrPrefix: string): Promise<string | undefined>;
}
