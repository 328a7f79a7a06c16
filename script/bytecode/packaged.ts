import { readFileSync } from 'node:fs';
import type { Build } from './build.ts';

/**
 * Takes the place of build.ts in the package (tools/package.mjs), which has no compiler: what the package was built from stands in it.
 * @throws one line, if it does not.
 */
export async function build(): Promise<(contract: string) => Build> {
  const builds = JSON.parse(readFileSync(new URL('../../contracts.json', import.meta.url), 'utf8'));
  return (contract) => {
    if (!Object.hasOwn(builds, contract)) throw new Error(`This package was not built from a contract ${contract}.`);
    return builds[contract];
  };
}
