import { type Asset, isTraded, quoteAssetOf } from '@bowline/core/domain/assets';
import { localChainId } from '@bowline/core/domain/chains';
import { Refusal } from '@bowline/core/domain/refusal';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address, Hex } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type ContractFunctionParameters, keccak256, zeroAddress } from 'viem';
import { quoteDeskAbi } from '../../abis/index.ts';
import { accountFactoryAbi, accountImplementationAbi, feedAbi, poolAbi } from './chain-abis.ts';
import { asking, type ChainClient, inOneCall } from './chain-client.ts';
import { erc20Abi } from './erc20-abi.ts';
import { faultOf } from './errors.ts';

/**
 * Checks that a node answers and serves the expected chain.
 * @throws Refusal
 */
export async function checkChain(client: ChainClient, chainId: number): Promise<void> {
  const found = await asking(() => client.getChainId()).catch((cause) => {
    const remedy =
      chainId === localChainId
        ? 'Start a local chain first: npm start starts one with the contracts and an agent.'
        : 'Set RPC_URL to a node that can be reached from here.';
    throw new Refusal('node_unreachable', 'No node answers at RPC_URL.', remedy, cause);
  });
  if (found === chainId) return;
  const said = `The node at RPC_URL serves chain ${found}, not chain ${chainId}.`;
  throw new Refusal('chain_id', said, `Set RPC_URL to a node of chain ${chainId}, or CHAIN to the chain of this node.`);
}

/** Contracts that only selling needs and that have no code on the chain: names with addresses. */
export async function missingForSelling(client: ChainClient, { escrow }: AddressBook): Promise<string[]> {
  if (escrow === undefined) return [];
  return withoutCode(client, named('escrow', { ...escrow, token: escrow.token.address }));
}

interface Place {
  readonly name: string;
  readonly address: Address;
}

async function withoutCode(client: ChainClient, places: readonly Place[]): Promise<string[]> {
  const codes = await asking(() => Promise.all(places.map(({ address }) => client.getCode({ address }))));
  return places.filter((_, at) => codes[at] === undefined).map(({ name, address }) => `${name} (${address})`);
}

/**
 * Compares the address book with the chain: code at every address, and what that code reports about itself. A wrong
 * address would otherwise surface as wrong or missing prices.
 * @throws Refusal, which names every difference.
 */
export async function checkAddressBook(client: ChainClient, book: AddressBook, chainId: number) {
  const compared = asking(() => differences(client, book));
  // If contracts are missing, that error is reported instead.
  compared.catch(() => {});
  const empty = await withoutCode(client, addresses(book));
  const ofRecord = 'If these are our own contracts, name the folder of the right record in DEPLOYMENTS_DIR.';
  const ofOthers = 'Other addresses are in packages/core/registry: compare them with what their authors publish.';
  if (empty.length > 0) {
    const found = `Chain ${chainId} has no code at the address of: ${empty.join(', ')}.`;
    throw new Refusal('code_missing', found, `${ofRecord} ${ofOthers}`);
  }
  const { code, wrong } = await compared;
  if (wrong.length === 0) return code;
  const found = `Chain ${chainId} differs from the address book: ${wrong.join(', ')}.`;
  throw new Refusal('registry_differs', found, ofOthers);
}

/** The maker of the quote desk, if it is not this key: the desk would redeem none of the key's quotes. */
export async function otherMaker(
  client: ChainClient,
  { own }: AddressBook,
  keeper: Address,
): Promise<Address | undefined> {
  const { quoteDesk: address } = own;
  if (address === undefined) return undefined;
  const maker = await asking(() => client.readContract({ address, abi: quoteDeskAbi, functionName: 'maker' }));
  return sameAddress(maker, keeper) ? undefined : maker;
}

const named = (section: string, part: Readonly<Record<string, Address>>): Place[] =>
  Object.entries(part).map(([name, address]) => ({ name: `${section}.${name}`, address }));

/** Every address that rescues, runs, verdicts and the page need, by its path in the book. */
function addresses({ venus, lending, pancake, accountAbstraction, own, assets }: AddressBook): Place[] {
  const { hubs, ...ofPancake } = pancake;
  const { vTokens, ...ofVenus } = venus;
  const { entryPoint, accountFactory } = accountAbstraction;
  return [
    ...named('venus', ofVenus),
    ...vTokens.map((address, at) => ({ name: `venus.vTokens.${at}`, address })),
    ...new Map(
      lending.map(({ name, family = name, core: address }) => [address, { name: `lending.${family}`, address }]),
    ).values(),
    ...named('pancake', ofPancake),
    ...hubs.map((address, at) => ({ name: `pancake.hubs.${at}`, address })),
    ...named('accountAbstraction', { entryPoint, ...(accountFactory && { accountFactory }) }),
    ...named('deployment', own),
    ...assets.flatMap(({ symbol, address, feed, pool }) =>
      named(symbol, { address, feed, ...(pool?.address && { pool: pool.address }) }),
    ),
  ];
}

/** The EntryPoint's code, which decides who may submit an operation. */
export interface EntryPointCode {
  readonly hash: Hex;
  /** Whether it equals the hash recorded from the chain. Absent if none was recorded. */
  readonly isRecorded?: boolean;
}

/** Throws viem's errors. */
export async function entryPointCode(
  client: ChainClient,
  { accountAbstraction: { entryPoint: address, entryPointCodeHash } }: Pick<AddressBook, 'accountAbstraction'>,
): Promise<EntryPointCode> {
  const hash = keccak256((await client.getCode({ address })) ?? '0x');
  return { hash, ...(entryPointCodeHash && { isRecorded: hash === entryPointCodeHash }) };
}

/**
 * What differs from the book: an account of another EntryPoint could be used in the middle of a stranger's run, and
 * amounts and prices are computed with the book's decimals, tokens and fees.
 */
async function differences(client: ChainClient, book: AddressBook) {
  const { assets, accountAbstraction } = book;
  const [code, served, ofAssets] = await Promise.all([
    entryPointCode(client, book),
    entryPointOfFactory(client, book),
    Promise.all(assets.map((asset) => differencesOf(client, asset, assets))),
  ]);
  const isOther = served !== undefined && !sameAddress(served, accountAbstraction.entryPoint);
  const ofWallet = [
    code.isRecorded === false ? `code of accountAbstraction.entryPoint (${code.hash})` : [],
    isOther ? 'EntryPoint of the accounts of ACCOUNT_FACTORY' : [],
  ];
  return { code, wrong: [...ofWallet, ...ofAssets].flat() };
}

/** EntryPoint of the factory's accounts; zero if it is no account factory. Undefined if the book names none. */
async function entryPointOfFactory(
  client: ChainClient,
  { accountAbstraction: { accountFactory } }: AddressBook,
): Promise<Address | undefined> {
  if (accountFactory === undefined) return undefined;
  const [implementation] = await answersTo(client, [
    { address: accountFactory, abi: accountFactoryAbi, functionName: 'accountImplementation' },
  ]);
  const [entryPoint] = await answersTo(client, [
    {
      address: (implementation as Address | undefined) ?? zeroAddress,
      abi: accountImplementationAbi,
      functionName: 'entryPoint',
    },
  ]);
  return (entryPoint as Address | undefined) ?? zeroAddress;
}

/** Differences of the asset's token, feed and pool. */
async function differencesOf(client: ChainClient, asset: Asset, assets: readonly Asset[]): Promise<string[]> {
  const { symbol, address, decimals, feed, feedDecimals, pool } = asset;
  const [ofToken, ofFeed] = await answersTo(client, [
    { address, abi: erc20Abi, functionName: 'decimals' },
    { address: feed, abi: feedAbi, functionName: 'decimals' },
  ]);
  const wrong = [
    ofToken === decimals ? [] : `decimals of ${symbol}`,
    ofFeed === feedDecimals ? [] : `decimals of the feed of ${symbol}`,
  ].flat();
  const place = pool?.address;
  if (!isTraded(asset) || place === undefined) return wrong;
  const [token0, token1, fee] = await answersTo(
    client,
    ['token0', 'token1', 'fee'].map((functionName) => ({ address: place, abi: poolAbi, functionName })),
  );
  const isOfPool = (token: Address) => [token0, token1].some((each) => sameAddress(token, each as Address | undefined));
  const areTokens = isOfPool(address) && isOfPool(quoteAssetOf(assets, asset).address);
  return [
    ...wrong,
    ...(areTokens ? [] : [`tokens of the pool of ${symbol}`]),
    ...(fee === asset.pool.feeMillionths ? [] : [`fee of the pool of ${symbol}`]),
  ];
}

/** Asks all in one call. Undefined for a contract that does not answer as expected. Throws any other failure. */
async function answersTo(client: ChainClient, contracts: readonly ContractFunctionParameters[]): Promise<unknown[]> {
  const answers = await client.multicall({ ...inOneCall, contracts });
  return answers.map(({ result, error }) => {
    if (error !== undefined && faultOf(error) !== 'contract') throw error;
    return result;
  });
}
