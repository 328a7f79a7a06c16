/** What the ledger says of one kind of business. */
export interface Section {
  readonly lines: readonly string[];
  /** How often the chain and our files differ. */
  readonly differences: number;
  /** What could not be read, in words: where it is not empty, nothing is proved. */
  readonly unread: readonly string[];
}

export const firstLine = ({ message }: Error): string => message.split('\n')[0] ?? '';
