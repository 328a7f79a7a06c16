// Loaded into the agent's process: SIGUSR2 collects its garbage, so that what is left is what it keeps.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => collect());
