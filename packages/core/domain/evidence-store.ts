import type { Hex } from './units.ts';

/** Stores the documents to which on-chain verdicts refer by hash. Neither method rejects. */
export interface EvidenceStore {
  /** Resolves once the document is safe, within seconds. False: it could not be kept, and a warning says why. */
  keep(hash: Hex, text: string): Promise<boolean>;
  /**
   * The document whose hash equals or begins with this text. Undefined if it is missing or was changed, or if the text
   * is neither 32 bytes in hex nor the 19 of an on-chain record.
   */
  read(hashOrPrefix: string): Promise<string | undefined>;
}
