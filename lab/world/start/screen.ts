import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

// Output of `npm start`: lines of 80 columns, so that nothing wraps in a narrow terminal, and colours only on a
// terminal that supports them.

/** An event to show. */
export interface Entry {
  /** Defaults to now. */
  readonly at?: Date;
  readonly title: string;
  readonly details?: readonly string[];
  readonly isTrouble?: boolean;
}

const width = 80;

export function createScreen(out: Writable) {
  let isLineOpen = false;
  let isKeeping = true;
  const kept: Entry[] = [];
  const print = (text: string) => {
    out.write(`${isLineOpen ? '\n' : ''}${text}\n`);
    isLineOpen = false;
  };
  return {
    /** Prints what is being done, and then how long it took. */
    async step<Outcome>(what: string, work: () => Promise<Outcome>): Promise<Outcome> {
      const began = performance.now();
      out.write(`  ${what} … `);
      isLineOpen = true;
      const outcome = await work();
      const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
      if (isLineOpen) out.write(`${styleText('dim', took, { stream: out })}\n`);
      isLineOpen = false;
      return outcome;
    },
    /** Prints text as it is. */
    say: print,
    /** Adds to the feed, which starts at `release`. */
    show: (entry: Entry) => (isKeeping ? void kept.push(entry) : print(written(entry, out))),
    /** Prints the entries held back, and stops holding back. */
    release: () => {
      isKeeping = false;
      for (const entry of kept.splice(0)) print(written(entry, out));
    },
    /** Ends a line that a step has started. */
    end: () => {
      if (isLineOpen) out.write('\n');
      isLineOpen = false;
    },
  };
}

const clockColumns = 10;

function written({ at = new Date(), title, details = [], isTrouble = false }: Entry, stream: Writable): string {
  const clock = at.toTimeString().slice(0, 8);
  const [first = '', ...rest] = wrap(title, width - clockColumns);
  const strong = (text: string) => styleText(isTrouble ? 'yellow' : 'bold', text, { stream });
  const inset = ' '.repeat(clockColumns);
  return [
    `${styleText('dim', clock, { stream })}  ${strong(first)}`,
    ...rest.map((line) => inset + strong(line)),
    ...details.flatMap((detail) => wrap(detail, width - clockColumns)).map((line) => inset + line),
  ].join('\n');
}

/** Breaks text between words into lines of at most so many columns; a longer word gets its own line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
