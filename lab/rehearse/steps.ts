import { beginning } from './beginning.ts';
import { ending } from './ending.ts';
import type { Step } from './operator.ts';
import { rotating } from './rotating.ts';
import { serving } from './serving.ts';

/** An operator's life, in order. */
export const steps: readonly Step[] = [...beginning, ...serving, ...rotating, ...ending];
