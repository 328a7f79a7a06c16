// Loaded into the agent's process: at SIGUSR2 its wall clock jumps by the seconds that stand in the file CLOCK_FILE.
import { readFileSync } from 'node:fs';

const real = Date.now;
let offsetMs = 0;
process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(String(process.env.CLOCK_FILE), 'utf8')) * 1000;
});
Date.now = () => real() + offsetMs;
// `new Date()`, too; a call without `new` is as it was.
globalThis.Date = new Proxy(Date, {
  construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, asked),
});
