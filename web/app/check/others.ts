// What few ask of Check, as one file that is loaded when it is first shown.
export { Executor } from './executor.tsx';
export { Verify } from './verify.tsx';
