import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AddressBook, addressBookOf } from '@bowline/core/registry/address-book';
import { isAddress } from 'viem';

const undeployed = 'deploy the contracts (npx bowline deploy), or set DEPLOYMENTS_DIR to the folder of their record';

/**
 * Reads the address book of one chain, with the deployment recorded for it in the folder `deployments` (a URL with a
 * trailing slash).
 * @throws an error with a one-line message that says what is missing or malformed.
 */
export function readAddressBook(chainId: number, deployments: URL): AddressBook {
  const file = new URL(`${chainId}.json`, deployments);
  const name = fileURLToPath(file);
  return addressBookOf(chainId, { name, content: contentOf(name, file) }, isAddress);
}

function contentOf(name: string, file: URL): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(`${name} ${isAbsent ? `is missing: ${undeployed}` : 'cannot be read as JSON'}.`, { cause });
  }
}
