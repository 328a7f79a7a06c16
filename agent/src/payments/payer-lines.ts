/** A payment's turn in its payer's queue. */
export interface Turn {
  /** Whether the queue was empty when it joined. */
  readonly first: boolean;
  /** Resolves when it reaches the head of the queue. False: that took too long. */
  comes(): Promise<boolean>;
  /** Leaves the queue from any position. Call once. */
  leave(): void;
}

/** Joins a payer's queue; undefined if it is full. */
export type JoinLine = (payer: string) => Turn | undefined;

/** One queue per payer with at most `max` members, including its head. Empty queues are dropped. */
export function createPayerLines(max: number, waitMs: number): JoinLine {
  /** Callbacks that notify each member when it reaches the head. */
  const lines = new Map<string, (() => void)[]>();
  return (payer) => {
    const line = lines.get(payer) ?? [];
    if (line.length >= max) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    line.push(resolve);
    lines.set(payer, line);
    line[0]?.();
    return {
      first: line.length === 1,
      async comes() {
        const late = Promise.withResolvers<boolean>();
        const timer = setTimeout(() => late.resolve(false), waitMs);
        try {
          return await Promise.race([promise.then(() => true), late.promise]);
        } finally {
          clearTimeout(timer);
        }
      },
      leave() {
        line.splice(line.indexOf(resolve), 1);
        line[0]?.();
        if (line.length === 0) lines.delete(payer);
      },
    };
  };
}
