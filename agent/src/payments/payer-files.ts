// Files of payments that no node has shown as used. They cost their payer nothing, so a payer may have only so many: whoever wants to
// fill the disk pays a transaction for each account.

/** Of one payer, at most. */
const MAX_UNUSED = 32;

export interface PayerFiles {
  /** A file has an unused payment. `isOver`: it may go when its payer needs room, and not before. */
  add(payer: string, key: string, isOver: boolean): void;
  /** It was used, or has no file any more. */
  remove(payer: string, key: string): void;
  /** Whether one more has room; `oldest`: once that payment, which is over, has gone. */
  room(payer: string): { readonly isFree: boolean; readonly oldest?: string };
}

export function createPayerFiles(): PayerFiles {
  const files = new Map<string, Map<string, boolean>>();
  return {
    add(payer, key, isOver) {
      const own = files.get(payer) ?? new Map<string, boolean>();
      own.set(key, isOver || own.get(key) === true);
      files.set(payer, own);
    },
    remove(payer, key) {
      const own = files.get(payer);
      own?.delete(key);
      if (own?.size === 0) files.delete(payer);
    },
    room(payer) {
      const own = files.get(payer);
      if (own === undefined || own.size < MAX_UNUSED) return { isFree: true };
      const [oldest] = [...own].find(([, isOver]) => isOver) ?? [];
      return { isFree: false, ...(oldest !== undefined && { oldest }) };
    },
  };
}
