import type { Coverage as CoverageBy } from '@bowline/core/domain/guard-cover';
import type { Unwatched } from '../serving.ts';

/** What a guard could do now, and why no keeper is known to watch it. */
export type Coverage = CoverageBy<Unwatched>;
