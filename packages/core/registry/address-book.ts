import { z } from 'zod';
import type { Asset } from '../domain/assets.ts';
import { bscChainId } from '../domain/chains.ts';
import { inventedSymbols, readAssetRegistry } from './assets.ts';
import addressesOfBsc from './bsc.json' with { type: 'json' };
import { addressBy, type IsAddress, parseData } from './parse.ts';

type AddressSchema = ReturnType<typeof addressBy>;

/** The job escrow of ERC-8183 and the token that it is paid in by default. */
const escrowBy = (address: AddressSchema) =>
  z.strictObject({
    commerce: address,
    router: address,
    policy: address,
    token: z.strictObject({
      address,
      decimals: z.int().min(0).max(18),
      /** Of its EIP-712 domain. */
      name: z.string(),
      version: z.string(),
    }),
  });

const foreignBy = (address: AddressSchema) =>
  z.strictObject({
    venus: z.strictObject({
      comptroller: address,
      resilientOracle: address,
      /** One of those that the resilient oracle asks: it knows the feed of each asset. */
      chainlinkOracle: address,
      vaiController: address,
      vBnb: address,
      /** The market whose interest is brought up to date before an account's health is read. */
      vUsdt: address,
    }),
    pancake: z.strictObject({ factory: address, router: address, quoter: address }),
    /** ERC-4337 v0.8. */
    accountAbstraction: z.strictObject({ entryPoint: address, accountFactory: address }),
    escrow: escrowBy(address),
  });

const deploymentBy = (address: AddressSchema) =>
  z.object({
    chainId: z.int(),
    revocations: address,
    venusMarket: address,
    loanGuard: address,
    venusPriceSource: address,
    chainlinkPriceSource: address,
    planRegistry: address,
    swapExecutor: address,
    /** Absent where there is a market of its own. */
    quoteDesk: address.exactOptional(),
    /** Of a stand-in, where the chain has none of its own. */
    escrow: escrowBy(address).exactOptional(),
  });

/** Where everything stands on one chain. */
export interface AddressBook extends Omit<z.output<ReturnType<typeof foreignBy>>, 'escrow'> {
  /** This project's own contracts. */
  readonly own: Readonly<Omit<z.output<ReturnType<typeof deploymentBy>>, 'chainId' | 'escrow'>>;
  readonly assets: readonly Asset[];
  /** Absent on a chain that has none. */
  readonly escrow?: Readonly<z.output<ReturnType<typeof escrowBy>>>;
}

/** A deployment as it was recorded: the name of its file, for errors, and what the file says. */
export interface DeploymentRecord {
  readonly name: string;
  readonly content: unknown;
}

/**
 * The addresses of BNB Chain, which the local chain shares, with the contracts that were deployed on `chainId`.
 * @throws one line that says what is malformed.
 */
export function addressBookOf(chainId: number, { name, content }: DeploymentRecord, isAddress: IsAddress): AddressBook {
  const address = addressBy(isAddress);
  const { escrow: escrowOfBsc, ...book } = parseData(
    'packages/core/registry/bsc.json',
    addressesOfBsc,
    foreignBy(address),
  );
  const { chainId: recorded, escrow: standIn, ...own } = parseData(name, content, deploymentBy(address));
  if (recorded !== chainId) throw new Error(`${name} is a record of chain ${recorded}.`);
  const escrow = chainId === bscChainId ? escrowOfBsc : standIn;
  const assets = readAssetRegistry(chainId, isAddress);
  return { ...book, assets, own, ...(escrow && { escrow }) };
}

/**
 * The book without what is invented, where that is not there: a local chain that is a fork of BNB Chain itself, and not of
 * the replica, has none of it. Nothing else is left out for being absent.
 */
export async function withoutInvented(
  book: AddressBook,
  hasCode: (address: Asset['address']) => Promise<boolean>,
): Promise<AddressBook> {
  const invented = book.assets.filter(({ symbol }) => inventedSymbols.includes(symbol));
  const there = await Promise.all(invented.map(({ address }) => hasCode(address)));
  const absent = invented.filter((_, at) => there[at] !== true);
  return { ...book, assets: book.assets.filter((asset) => !absent.includes(asset)) };
}
