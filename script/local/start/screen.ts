import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

// How `npm start` writes: lines of 80 columns, so that nothing wraps in a narrow terminal, and colours only where there is
// a terminal that wants them.

/** Something that has happened. */
export interface Entry {
  /** Absent: now. */
  readonly at?: Date;
  readonly title: string;
  readonly details?: readonly string[];
  readonly isTrouble?: boolean;
}

export interface Screen {
  /** Says what is being done, and then how long it took. */
  step<Outcome>(what: string, work: () => Promise<Outcome>): Promise<Outcome>;
  /** Prints text as it is. */
  say(text: string): void;
  /** Adds to the feed, which begins with `release`. */
  show(entry: Entry): void;
  /** Prints what has been kept back, and keeps nothing back any more. */
  release(): void;
  /** Ends a line that a step has begun. */
  end(): void;
}

const width = 80;

export function createScreen(out: Writable): Screen {
  let isLineOpen = false;
  let isKeeping = true;
  const kept: Entry[] = [];
  const print = (text: string) => {
    out.write(`${isLineOpen ? '\n' : ''}${text}\n`);
    isLineOpen = false;
  };
  return {
    async step(what, work) {
      const began = performance.now();
      out.write(`  ${what} … `);
      isLineOpen = true;
      const outcome = await work();
      const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
      if (isLineOpen) out.write(`${styleText('dim', took, { stream: out })}\n`);
      isLineOpen = false;
      return outcome;
    },
    say: print,
    show: (entry) => (isKeeping ? void kept.push(entry) : print(written(entry, out))),
    release: () => {
      isKeeping = false;
      for (const entry of kept.splice(0)) print(written(entry, out));
    },
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

/** Lines of at most so many columns, broken between words; a word that is longer has a line of its own. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
