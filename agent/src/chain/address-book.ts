import { fileURLToPath } from 'node:url';
import type { Asset } from '@bowline/core/domain/assets';
import { bscChainId } from '@bowline/core/domain/chains';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { address, parseBook } from '@bowline/core/registry/parse';
import { z } from 'zod';
import { asking, type ChainClient } from './chain-client.ts';

/** The job escrow of ERC-8183 and the token that it is paid in by default. */
const escrow = z.strictObject({
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

const foreign = z.strictObject({
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
  escrow,
});

const deployment = z.object({
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
  escrow: escrow.exactOptional(),
});

/** Where everything stands on one chain. */
export interface AddressBook extends Omit<z.output<typeof foreign>, 'escrow'> {
  /** This project's own contracts. */
  readonly own: Readonly<Omit<z.output<typeof deployment>, 'chainId' | 'escrow'>>;
  readonly assets: readonly Asset[];
  /** Absent on a chain that has none. */
  readonly escrow?: Readonly<z.output<typeof escrow>>;
}

const bookOfBsc = new URL('../../../packages/core/registry/bsc.json', import.meta.url);

const undeployed = 'deploy the contracts (npm run deploy), or set DEPLOYMENTS_DIR to where their record lies';

/**
 * The book of BNB Chain, which the local chain shares, with the deployment recorded for `chainId` in the folder
 * `deployments`, whose URL ends in a slash.
 * @throws one line that says what is missing or malformed.
 */
export function readAddressBook(chainId: number, deployments: URL): AddressBook {
  const { escrow: escrowOfBsc, ...book } = parseBook('packages/core/registry/bsc.json', bookOfBsc, foreign);
  const file = new URL(`${chainId}.json`, deployments);
  const name = fileURLToPath(file);
  const { chainId: recorded, escrow: standIn, ...own } = parseBook(name, file, deployment, undeployed);
  if (recorded !== chainId) throw new Error(`${name} is a record of chain ${recorded}.`);
  const escrow = chainId === bscChainId ? escrowOfBsc : standIn;
  const assets = readAssetRegistry(chainId);
  return { ...book, assets, own, ...(escrow && { escrow }) };
}

/**
 * The book without what is invented, where that is not there: a local chain that is a fork of BNB Chain itself, and not of
 * the replica, has none of it. Nothing else is left out for being absent.
 */
export async function withoutInvented(client: Pick<ChainClient, 'getCode'>, book: AddressBook): Promise<AddressBook> {
  const real = new Set(readAssetRegistry(bscChainId).map(({ symbol }) => symbol));
  const invented = book.assets.filter(({ symbol }) => !real.has(symbol));
  const codes = await asking(() => Promise.all(invented.map(({ address }) => client.getCode({ address }))));
  const absent = invented.filter((_, at) => codes[at] === undefined);
  return { ...book, assets: book.assets.filter((asset) => !absent.includes(asset)) };
}
