import { bscTestnetChainId } from '@bowline/core/domain/chains';
import { sameAddress } from '@bowline/core/domain/same-address';
import { lendingAdapters, optionalContracts, othersAddresses, ownContracts } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import {
  type Abi,
  type Address,
  concat,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  hexToBytes,
  isAddress,
  type PublicClient,
  size,
  slice,
  zeroAddress,
} from 'viem';
import * as ownAbis from '../../abis/index.ts';
import feedLimits from '../../packages/core/registry/feeds.json' with { type: 'json' };
// `npm run check` refuses this file if it was compiled from other sources, so no compiler is needed here.
import compiled from '../../script/compiled/deployment.json' with { type: 'json' };
import type { Deployment, Name } from '../record.ts';

type Chosen = Awaited<ReturnType<typeof chosenBy>>;

const create2Factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
/** As in script/Deploy.s.sol: the test network guarantees no heartbeat. */
const testnetMaxAgeSeconds = 86_400;

const { quoteDeskAbi, swapExecutorAbi } = ownAbis;
const names: readonly Name[] = [...ownContracts, ...optionalContracts];
const abiOf = (name: Name): Abi => (ownAbis as Readonly<Record<string, unknown>>)[`${name}Abi`] as Abi;

/**
 * Compares every byte at a record's addresses, immutables included, with what this checkout deploys for that record.
 * The CREATE2 address also covers what the constructors wrote into storage.
 * @throws a sentence, if the record is incomplete or belongs to another chain.
 */
export async function compareBytecode(client: PublicClient, own: Deployment) {
  const chainId = await client.getChainId();
  if (chainId !== own.chainId)
    throw new Error(`The record is for chain ${own.chainId}, but the node is on chain ${chainId}.`);
  const missing = ownContracts.find((name) => own[name] === undefined);
  if (missing !== undefined) throw new Error(`The record has no ${missing}.`);
  const chosen = await chosenBy(client, own);
  const contracts = await Promise.all(
    names.flatMap((name) => {
      const address = own[name];
      return address === undefined ? [] : [compare(client, name, address, argumentsOf(name, own, chosen))];
    }),
  );
  return { contracts, chosen };
}

/** @returns `problem`: the first difference; undefined if the contract is the one that this checkout deploys. */
async function compare(client: PublicClient, name: Name, address: Address, args: readonly unknown[]) {
  const contract = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const code = (await client.getCode({ address })) ?? '0x';
  if (code === '0x') return { contract, address, problem: 'no code at this address' };
  const { salt, bytecode } = creationOf(name, args);
  // The address commits to all arguments, including those in storage. SwapExecutor's operator may have changed since.
  const derived = getContractAddress({ opcode: 'CREATE2', from: create2Factory, salt, bytecode });
  if (name !== 'swapExecutor' && !sameAddress(address, derived))
    return { contract, address, problem: 'not deployed by script/Deploy.s.sol from this code with this record' };
  try {
    return { contract, address, problem: differenceOf(code, await runtimeOf(client, address, bytecode)) };
  } catch (error) {
    const { details, message } = error as Error & { details?: string };
    return { contract, address, problem: `its constructor cannot be run: ${(details ?? message).split('\n')[0]}` };
  }
}

/** The compiled code ends with the local chain's arguments, where LoanGuard has all adapters. */
function creationOf(name: Name, args: readonly unknown[]): { salt: Hex; bytecode: Hex } {
  const template = compiled.content[name] as Hex;
  const inputs = abiOf(name).find((entry) => entry.type === 'constructor')?.inputs ?? [];
  const encoded = encodeAbiParameters([...inputs], [...args]);
  const absent = name === 'loanGuard' ? lendingAdapters.length - (args[1] as readonly unknown[]).length : 0;
  const compiledArgs = size(encoded) + 32 * absent;
  const bytecode = concat([slice(template, 32, size(template) - compiledArgs), encoded]);
  return { salt: slice(template, 0, 32), bytecode };
}

/**
 * Runs the constructor at the contract's own address, so that it fills in the same immutables.
 * @throws the node's error, if it reverts.
 */
function runtimeOf(client: PublicClient, address: Address, creation: Hex): Promise<Hex> {
  // viem drops an empty `state`, which is what hides the deployed contract's storage from the constructor.
  const override = { [address]: { code: creation, state: {} } };
  return client.request({ method: 'eth_call', params: [{ to: address }, 'latest', override] });
}

function differenceOf(code: Hex, expected: Hex): string | undefined {
  if (size(code) !== size(expected)) return `has ${size(code)} bytes of code instead of ${size(expected)}`;
  const [there, here] = [hexToBytes(code), hexToBytes(expected)];
  const at = there.findIndex((byte, index) => byte !== here[index]);
  return at === -1 ? undefined : `the code differs from byte ${at} onwards`;
}

/** The constructor arguments that make the recorded contracts consistent with each other. */
export function argumentsOf(name: Name, own: Deployment, chosen: Chosen): readonly unknown[] {
  const sources = [own.venusPriceSource, own.chainlinkPriceSource];
  // From the registry; tests compare them with those that script/Deploy.s.sol passes to the constructors.
  const { venus, pancake, lista } = othersAddresses(isAddress, own.chainId);
  const assets = new Map(readAssetRegistry(own.chainId, isAddress).map((asset) => [asset.symbol, asset]));
  const of: Record<Name, readonly unknown[]> = {
    revocations: [],
    venusMarket: [venus.comptroller, venus.vBnb, assets.get('WBNB')?.address],
    loanGuard: [own.revocations, lendingAdapters.flatMap((adapter) => own[adapter] ?? []), [own.chainlinkPriceSource]],
    venusPriceSource: [venus.resilientOracle],
    chainlinkPriceSource: [
      (['USDT', 'USDC', 'BTCB', 'ETH', 'WBNB'] as const).map((symbol) => ({
        token: assets.get(symbol)?.address,
        feed: assets.get(symbol)?.feed,
        ...feedLimits[symbol],
        ...(own.chainId === bscTestnetChainId && { maxAgeSeconds: testnetMaxAgeSeconds }),
      })),
    ],
    planRegistry: [own.revocations, own.loanGuard, sources],
    swapExecutor: [own.planRegistry, pancake.poolDeployer, chosen.operator, chosen.rotator],
    quoteDesk: [chosen.maker],
    venusCollateral: [venus.comptroller, venus.vBnb, assets.get('WBNB')?.address],
    collateralTerms: [pancake.poolDeployer, [own.venusCollateral], [own.chainlinkPriceSource]],
    collateralGuard: [own.revocations, own.collateralTerms],
    moolahMarket: [lista?.moolah],
  };
  return of[name];
}

/**
 * Accounts that the deployer chose and that no record holds, read from the contracts for a person to judge. Zero where
 * another contract is at the address; the comparison reports that.
 */
async function chosenBy(client: PublicClient, own: Deployment) {
  const executor = { address: own.swapExecutor, abi: swapExecutorAbi } as const;
  const [operator, rotator, maker] = await Promise.all([
    client.readContract({ ...executor, functionName: 'operator' }).catch(() => zeroAddress),
    client.readContract({ ...executor, functionName: 'rotator' }).catch(() => zeroAddress),
    own.quoteDesk === undefined
      ? zeroAddress
      : client
          .readContract({ address: own.quoteDesk, abi: quoteDeskAbi, functionName: 'maker' })
          .catch(() => zeroAddress),
  ]);
  return { operator, rotator, maker };
}
