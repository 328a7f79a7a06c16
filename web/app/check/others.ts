// Rarely used parts of Check, as one file that is loaded when first shown.
export { Executor } from './executor.tsx';
export { Verify } from './verify.tsx';
