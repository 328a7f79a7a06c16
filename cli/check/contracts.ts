import { existsSync } from 'node:fs';
import type { ChainClient } from '@bowline/chain/chain-client';
import { checkAddressBook } from '@bowline/chain/check-address-book';
import type { Finding } from '@bowline/chain/preflight';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { createPublicClient, http, zeroAddress } from 'viem';
import { placeOf } from '../home.ts';
import { recordAt, recordPath } from '../record.ts';
import { compareBytecode } from './bytecode.ts';

/** Whether there is a deployment record of the chain. @param folder relative to the project. */
export function recordFinding(chainId: number, folder: string): Finding {
  const path = recordPath(chainId, folder);
  const check = 'record';
  if (existsSync(placeOf(path))) return { check, ok: true, found: path };
  return {
    check,
    ok: false,
    found: `There is no ${path}.`,
    without: 'Nothing runs: the addresses of our contracts are not known.',
    remedy:
      'Set DEPLOYMENTS_DIR (or --deployments) to the folder of the record. npm start writes it for the local chain, npx bowline deploy for others.',
  };
}

/** The registry's addresses against the chain: code at each, decimals, tokens and fees. */
export async function registryFinding(client: ChainClient, book: AddressBook, chainId: number): Promise<Finding> {
  const check = 'registry';
  try {
    await checkAddressBook(client, book, chainId);
    return { check, ok: true, found: 'The chain has what the registry says of it.' };
  } catch (error) {
    return {
      check,
      ok: false,
      found: firstLine(error),
      without: 'The agent does not start, so that it acts on no wrong address.',
      remedy:
        'If these are our own contracts, the record is of another chain or deployment: see `record`. If they are of others, compare packages/core/registry with what they publish.',
    };
  }
}

/** The bytecode at the record's addresses against this checkout. */
export async function bytecodeFinding(rpcUrl: string, chainId: number, folder: string): Promise<Finding> {
  const check = 'bytecode';
  const lacking = {
    without:
      'The contracts may do something else than this checkout says. Trust them with nothing before you know why.',
    remedy: 'Use the revision that was deployed, or deploy this one.',
  };
  try {
    const client = createPublicClient({ transport: http(rpcUrl) });
    const { contracts, chosen } = await compareBytecode(client, recordAt(recordPath(chainId, folder)));
    const different = contracts.flatMap(({ contract, address, problem }) =>
      problem === undefined ? [] : [`${contract} ${address} (${problem})`],
    );
    if (different.length > 0)
      return { check, ok: false, found: `Other than this checkout: ${different.join(', ')}.`, ...lacking };
    const maker = chosen.maker === zeroAddress ? '' : `, maker ${chosen.maker}`;
    const accounts = `rotator ${chosen.rotator}${maker}`;
    return { check, ok: true, found: `All ${contracts.length} contracts are those of this checkout; ${accounts}.` };
  } catch (error) {
    return { check, ok: false, found: firstLine(error), ...lacking };
  }
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0] ?? '';
