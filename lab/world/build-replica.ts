import { buildState } from './replica-state.ts';

// `node lab/world/build-replica.ts [UNIX_SECONDS]`: builds the replica's state, as of now or that time, and prints it in
// the format of replica.ts.

const [, , at] = process.argv;
process.stdout.write(await buildState(at === undefined ? undefined : Number(at)));
