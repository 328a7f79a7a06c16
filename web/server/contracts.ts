import { readAddressBook } from '@bowline/http/address-book';
import { loadConfig } from './config.ts';

// `node web/server/contracts.ts`: whether the settings and the deployment record are there that a page is built for. If not, it says in
// a line what is missing, and ends with 1.

try {
  const { chainId, deployments } = loadConfig();
  readAddressBook(chainId, deployments);
} catch (error) {
  process.stderr.write(`A page needs its contracts, and a package its page. ${(error as Error).message}\n`);
  process.exitCode = 1;
}
