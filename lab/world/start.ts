// `npm start`: runs everything (start/everything.ts). `npm start -- --chain bsc-testnet` rehearses BNB Chain's test network: the same on
// a replica of that network, with its chain ID, its published addresses and newly made keys.

import { withoutProxy } from '../tools/loopback.mjs';

// Everything that it starts runs on this machine and inherits this.
Object.assign(process.env, withoutProxy());
const [, chain = 'local'] = /(?:^|\s)--chain[ =](\S+)/.exec(process.argv.slice(2).join(' ')) ?? [];
if (chain === 'local' || chain === 'bsc-testnet') {
  // Set before the first import of an address: a process has one replica.
  if (chain === 'bsc-testnet') process.env.LOCAL_REPLICA_OF = chain;
  await import('./start/everything.ts');
} else {
  process.stderr.write('--chain must be local or bsc-testnet.\n');
  process.exitCode = 1;
}
