import { existsSync } from 'node:fs';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { createPublicClient, http } from 'viem';
import type { ChainClient } from '../../agent/src/chain/chain-client.ts';
import { checkAddressBook } from '../../agent/src/chain/check-address-book.ts';
import type { Finding } from '../../agent/src/chain/preflight.ts';
import { type Build, build } from '../bytecode/build.ts';
import { recordAt } from '../bytecode/record.ts';
import { verify } from '../bytecode/verify.ts';
import { recordPath } from '../preflight/record.ts';

const root = new URL('../../', import.meta.url);

/** Whether there is a deployment record of the chain. @param folder relative to the project. */
export function recordFinding(chainId: number, folder: string): Finding {
  const path = recordPath(chainId, folder);
  const check = 'record';
  if (existsSync(new URL(path, root))) return { check, ok: true, found: path };
  return {
    check,
    ok: false,
    found: `There is no ${path}.`,
    without: 'Nothing runs: the addresses of our contracts are not known.',
    remedy:
      'Set DEPLOYMENTS_DIR (or --deployments) to the folder of the record. npm start writes it for the local chain, npm run deploy for others.',
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

/**
 * The bytecode at the record's addresses against this checkout.
 * @param built gives the builds; by default compiles this checkout, once.
 */
export async function bytecodeFinding(
  rpcUrl: string,
  chainId: number,
  folder: string,
  built: () => Promise<(contract: string) => Build> = build,
): Promise<Finding> {
  const path = recordPath(chainId, folder);
  const check = 'bytecode';
  const wrong = (found: string, without: string, remedy: string): Finding => ({
    check,
    ok: false,
    found,
    without,
    remedy,
  });
  let builds: Awaited<ReturnType<typeof built>>;
  try {
    builds = await built();
  } catch (error) {
    const unknown = 'Whether the contracts are those of this checkout is not known.';
    return wrong(firstLine(error), unknown, 'Run this again; npm run build shows what the compiler says.');
  }
  const lacking = [
    'The contracts may do something else than this checkout says. Trust them with nothing before you know why.',
    `npm run verify:bytecode -- --deployment ${path} lists every difference. Use the revision that was deployed, or deploy this one.`,
  ] as const;
  try {
    const findings = await verify(createPublicClient({ transport: http(rpcUrl) }), recordAt(path), builds);
    const differing = findings.filter(({ problems }) => problems.length > 0).map(({ contract }) => contract);
    if (differing.length > 0) return wrong(`Other than this checkout: ${differing.join(', ')}.`, ...lacking);
    return { check, ok: true, found: `All ${findings.length} contracts are those of this checkout.` };
  } catch (error) {
    return wrong(firstLine(error), ...lacking);
  }
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0] ?? '';
