import { fetchPackage } from './fetch-package.ts';
import { packages } from './packages.ts';

// Fetches the protocols that the local chain, the tests and the benches deploy. Runs after `npm ci` and before a build; what is already
// in .cache is left alone. Nothing is fetched later.

try {
  await Promise.all(packages.map((pkg) => fetchPackage(pkg)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
