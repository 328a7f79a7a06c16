import type { Step } from './operator.ts';
import { beginning } from './steps/beginning.ts';
import { ending } from './steps/ending.ts';
import { rotating } from './steps/rotating.ts';
import { serving } from './steps/serving.ts';

/** An operator's day, in order. */
export const steps: readonly Step[] = [...beginning, ...serving, ...rotating, ...ending];
