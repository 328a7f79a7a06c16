// What few ask of Check, as one file that is loaded when it is first shown.
export { Executor } from '../executor/executor.tsx';
export { Verify } from '../verify/verify.tsx';
