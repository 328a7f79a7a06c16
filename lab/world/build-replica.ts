import { buildState } from './replica-state.ts';

// `node lab/world/build-replica.ts [UNIX_SECONDS]`: builds the replica's state, of now or of that time, and prints it, as
// replica.ts keeps it.

const [, , at] = process.argv;
process.stdout.write(await buildState(at === undefined ? undefined : Number(at)));
