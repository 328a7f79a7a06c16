// Loaded into the agent's process: on SIGUSR2 its wall clock jumps by the number of seconds in the file CLOCK_FILE.
import { readFileSync } from 'node:fs';

const real = Date.now;
let offsetMs = 0;
process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(String(process.env.CLOCK_FILE), 'utf8')) * 1000;
});
Date.now = () => real() + offsetMs;
// `new Date()` jumps too; a call without `new` is unchanged.
globalThis.Date = new Proxy(Date, {
  construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, asked),
});
