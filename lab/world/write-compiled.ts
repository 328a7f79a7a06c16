import { isCurrent, writeCompiled } from './compiled.ts';
import { deployment } from './deployment.ts';
import { escrow } from './escrow.ts';
import { identity } from './identity.ts';
import { moolah, moolahOracle } from './moolah.ts';
import { binanceRegistry } from './oracle.ts';
import { poolDeployer } from './pancake.ts';
import { maximillion } from './venus.ts';

// Part of `npm run abis`: writes the files that compiled/ lacks for the current sources. The replica's own contracts come
// first, because forge runs on a replica. With --check it writes nothing and fails.

const all = [poolDeployer, binanceRegistry, maximillion, moolah, moolahOracle, identity, escrow, deployment];
const stale = all.filter((each) => !isCurrent(each));
if (process.argv.includes('--check')) {
  for (const { name } of stale)
    console.error(`script/compiled/${name}.json is out of date with its sources: npm run abis`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const each of stale) await writeCompiled(each);
}
