import { buildState } from './replica-state.ts';

// `node script/local/build-replica.ts`: builds the replica's state and prints it, as replica.ts keeps it.

process.stdout.write(await buildState());
