import { readAddressBook } from '@bowline/http/address-book';
import { loadConfig } from './config.ts';

// `node web/server/contracts.ts`: checks that the settings and the deployment record for building a page exist. If not,
// it prints a line about what is missing and exits with 1.

try {
  const { chainId, deployments } = loadConfig();
  readAddressBook(chainId, deployments);
} catch (error) {
  process.stderr.write(`Neither page nor package can be built without the contracts. ${(error as Error).message}\n`);
  process.exitCode = 1;
}
