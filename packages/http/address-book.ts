import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Refusal } from '@bowline/core/domain/refusal';
import { type AddressBook, addressBookOf } from '@bowline/core/registry/address-book';
import { isAddress } from 'viem';

const remedy = 'Deploy the contracts (npx bowline deploy), or set DEPLOYMENTS_DIR to the folder of their record.';

/**
 * Reads the address book of one chain, with the deployment recorded for it in the folder `deployments` (a URL with a
 * trailing slash).
 * @throws Refusal
 */
export function readAddressBook(chainId: number, deployments: URL): AddressBook {
  const file = new URL(`${chainId}.json`, deployments);
  const name = fileURLToPath(file);
  const content = contentOf(name, file);
  try {
    return addressBookOf(chainId, { name, content }, isAddress);
  } catch (cause) {
    throw new Refusal('record_unreadable', (cause as Error).message, remedy, cause);
  }
}

function contentOf(name: string, file: URL): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const found = `${name} ${isAbsent ? 'is missing' : 'cannot be read as JSON'}.`;
    throw new Refusal(isAbsent ? 'record_missing' : 'record_unreadable', found, remedy, cause);
  }
}
