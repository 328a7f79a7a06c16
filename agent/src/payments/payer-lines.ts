/** A payment's turn in the line of its payer. */
export interface Turn {
  /** Whether the line was empty when it joined. */
  readonly first: boolean;
  /** Waits until it is at the head of the line. False: that took too long. */
  comes(): Promise<boolean>;
  /** Leaves the line, from wherever it stands. To be called once. */
  leave(): void;
}

/** Joins the line of a payer; undefined when the line is full. */
export type JoinLine = (payer: string) => Turn | undefined;

/** One line for each payer, of at most `most` with the one at its head. A line that is empty is forgotten. */
export function createPayerLines(most: number, waitMs: number): JoinLine {
  /** What tells each one in a line that it is at the head. */
  const lines = new Map<string, (() => void)[]>();
  return (payer) => {
    const line = lines.get(payer) ?? [];
    if (line.length >= most) return undefined;
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
