// Loaded into a program before its own modules: reads the wall clock from a file, so that what the program writes is equal
// in every recording. Timers and `performance.now` keep real time.
import { openSync, readSync } from 'node:fs';

const file = openSync(process.env.TRANSCRIPTS_CLOCK ?? '', 'r');
const digits = Buffer.alloc(13);
const now = () => {
  readSync(file, digits, 0, digits.length, 0);
  return Number(digits.toString('latin1'));
};

globalThis.Date = new Proxy(Date, {
  construct: (real, args, as) => Reflect.construct(real, args.length === 0 ? [now()] : args, as),
  apply: (real) => new real(now()).toString(),
  get: (real, name) => (name === 'now' ? now : Reflect.get(real, name)),
});
Object.defineProperty(performance, 'timeOrigin', { get: () => now() - performance.now() });
