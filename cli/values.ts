import { hashing } from '@bowline/chain/hashing';
import { readAddress } from '@bowline/core/domain/address';
import { type GuardKey, numberOf, readGuardKey } from '@bowline/core/domain/guard-key';
import { chainIds } from '@bowline/http/common-settings';
import type { Address } from 'viem';
import { UsageError } from './commands.ts';

// Parses values of options and words on the command line.

/** @throws one line that begins with `invalid_address`. */
export function addressOption(option: string, text: string): Address {
  const read = readAddress(text, hashing.hash);
  if (read.ok) return read.value;
  throw new UsageError(`${read.code}: ${option} ${read.message}.`);
}

/** @throws one line, if the text is not one of the names. */
export function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((each) => each === text);
  if (name === undefined) throw new UsageError(`${option} must be ${names.join(' or ')}.`);
  return name;
}

/** @throws one line, if the text is not a whole number within the bounds. */
export function numberOption(option: string, text: string, least: bigint, most?: bigint): bigint {
  const number = /^\d{1,31}$/.test(text) ? BigInt(text) : -1n;
  if (number >= least && (most === undefined || number <= most)) return number;
  const bounds = most === undefined ? `whole number from ${least}` : `number from ${least} to ${most}`;
  throw new UsageError(`${option} takes a ${bounds}, not "${text}".`);
}

/** A guard of either contract: "3", or "collateral-3". @throws one line. */
export function guardOption(text: string): GuardKey {
  const key = readGuardKey(text);
  if (key !== undefined && numberOf(key) > 0n) return key;
  throw new UsageError(`show guard takes a whole number from 1, alone or after "collateral-", not "${text}".`);
}

/** The chain that `--chain` names, by its CHAIN name or its number. @throws one line. */
export function chainOption(text: string): number {
  const found = Object.entries(chainIds).find(([name, id]) => text === name || text === String(id));
  if (found === undefined)
    throw new UsageError(`--chain must be ${Object.keys(chainIds).join(', ')}, or a number of these.`);
  return found[1];
}
