import { readAddressBook } from '@bowline/http/address-book';
import { loadConfig } from './config.ts';

// `node web/server/contracts.ts`: checks that the settings and the deployment record for building a page exist. If not,
// it prints a line about what is missing and exits with 1.

try {
  const { chainId, deployments } = loadConfig();
  readAddressBook(chainId, deployments);
} catch (error) {
  process.stderr.write(`A page needs its contracts, and a package its page. ${(error as Error).message}\n`);
  process.exitCode = 1;
}
