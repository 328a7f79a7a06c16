import {
  type Address,
  concat,
  domainSeparator,
  encodeDeployData,
  getContractAddress,
  type Hex,
  hexToBytes,
  isAddressEqual,
  keccak256,
  type PublicClient,
  pad,
  size,
  slice,
  stringToHex,
  toHex,
  zeroAddress,
} from 'viem';
import { swapExecutorAbi } from '../../abis/index.ts';
import type { Build } from './build.ts';
import { argumentsOf, type Chosen, type Deployment, type Name, names } from './wiring.ts';

/** The result for one contract. */
export interface Finding {
  readonly contract: string;
  readonly address: Address;
  /** One sentence each; empty if the contract matches this checkout and these settings. */
  readonly problems: readonly string[];
  /** The value of each immutable in the code; for SwapExecutor also its current operator. */
  readonly values: Readonly<Record<string, Hex>>;
}

const create2Factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const salt = stringToHex('bowline', { size: 32 });

/**
 * Compares the contracts at a record's addresses with this checkout: code, immutables, and what their constructors
 * stored.
 */
export async function verify(
  client: PublicClient,
  own: Deployment,
  built: (contract: string) => Build,
): Promise<Finding[]> {
  const chainId = await client.getChainId();
  if (chainId !== own.chainId)
    throw new Error(`The record is for chain ${own.chainId}, but the node is on chain ${chainId}.`);
  const codes = new Map<Name, Hex>();
  const missing = names.find((name) => own[name] === undefined && name !== 'quoteDesk');
  if (missing !== undefined) throw new Error(`The record has no ${missing}.`);
  const recorded = names.filter((name) => own[name] !== undefined);
  for (const name of recorded) codes.set(name, (await client.getCode({ address: own[name] as Address })) ?? '0x');
  const chosen = await chosenBy(client, own, codes, built);
  return recorded.map((name) => {
    const contract = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    const address = own[name] as Address;
    const args = argumentsOf(name, own, chosen);
    const found = inspect(contract, address, codes.get(name) ?? '0x', built(contract), args, chainId);
    return name === 'swapExecutor' ? { ...found, values: { ...found.values, operator: pad(chosen.operator) } } : found;
  });
}

function inspect(
  contract: string,
  address: Address,
  code: Hex,
  made: Build,
  args: readonly unknown[],
  chainId: number,
): Finding {
  const difference = differenceOf(code, made);
  if (difference !== undefined) return { contract, address, problems: [difference], values: {} };
  const values: Record<string, Hex> = {};
  const problems: string[] = [];
  const expected = { ...ofDomain(contract, address, chainId), ...ofArguments(made, args) };
  for (const [name, places] of Object.entries(made.immutables)) {
    const words = new Set(places.map((start) => slice(code, start, start + 32)));
    const [value] = words;
    if (value === undefined || words.size > 1) problems.push(`${name} has several values in the code`);
    else if (expected[name] === undefined) problems.push(`${name} is ${value}, but has no expected value`);
    else if (value !== expected[name]) problems.push(`${name} is ${value}, but should be ${expected[name]}`);
    if (value !== undefined) values[name] = value;
  }
  // The CREATE2 address commits to all constructor arguments, including those in storage. SwapExecutor is exempt: its
  // operator may have changed since, and anyone can read the current one from storage.
  if (contract !== 'SwapExecutor' && !isAddressEqual(address, addressOf(made, args))) {
    problems.push(`was not deployed by script/Deploy.s.sol from this code with ${JSON.stringify(args)}`);
  }
  return { contract, address, problems, values };
}

function differenceOf(code: Hex, { runtime, immutables }: Build): string | undefined {
  if (code === '0x') return 'no code at this address';
  if (size(code) !== size(runtime)) return `has ${size(code)} bytes of code, but this checkout builds ${size(runtime)}`;
  const [there, here] = [hexToBytes(code), hexToBytes(runtime)];
  for (const start of Object.values(immutables).flat()) there.fill(0, start, start + 32);
  const at = there.findIndex((byte, index) => byte !== here[index]);
  return at === -1 ? undefined : `the code differs from byte ${at} on`;
}

/** A constructor argument that becomes an immutable has the immutable's name and a trailing underscore. */
function ofArguments({ abi }: Build, args: readonly unknown[]): Record<string, Hex> {
  const inputs = abi.find((entry) => entry.type === 'constructor')?.inputs ?? [];
  const addresses = inputs.flatMap(({ name, type }, at) =>
    type === 'address' ? [[name?.replace(/_$/, ''), pad(args[at] as Hex).toLowerCase()]] : [],
  );
  return Object.fromEntries(addresses);
}

/** The immutables that OpenZeppelin's EIP712 derives from a contract's domain. */
function ofDomain(contract: string, verifyingContract: Address, chainId: number): Record<string, Hex> {
  const [name, version] = [`Bowline ${contract}`, '1'];
  const domain = { name, version, chainId, verifyingContract };
  return {
    _cachedDomainSeparator: domainSeparator({ domain }),
    _cachedChainId: toHex(chainId, { size: 32 }),
    _cachedThis: pad(verifyingContract).toLowerCase() as Hex,
    _hashedName: keccak256(stringToHex(name)),
    _hashedVersion: keccak256(stringToHex(version)),
    _name: shortString(name),
    _version: shortString(version),
  };
}

/** The text left-aligned, its length in the last byte. */
function shortString(text: string): Hex {
  return concat([stringToHex(text, { size: 31 }), toHex(text.length, { size: 1 })]);
}

function addressOf({ abi, creation }: Build, args: readonly unknown[]): Address {
  const bytecode = encodeDeployData({ abi, bytecode: creation, args: [...args] });
  return getContractAddress({ opcode: 'CREATE2', from: create2Factory, salt, bytecode });
}

/** The addresses that only the contracts themselves know. */
export async function chosenBy(
  client: PublicClient,
  own: Deployment,
  codes: ReadonlyMap<Name, Hex>,
  built: (contract: string) => Build,
): Promise<Chosen> {
  const inCode = (name: Name, contract: string, immutable: string): Address => {
    const start = built(contract).immutables[immutable]?.[0];
    const code = codes.get(name) ?? '0x';
    return start === undefined || size(code) < start + 32 ? zeroAddress : slice(code, start + 12, start + 32);
  };
  const operator = await client
    .readContract({ address: own.swapExecutor, abi: swapExecutorAbi, functionName: 'operator' })
    // A different contract is at this address; another check reports that.
    .catch(() => zeroAddress);
  return {
    operator,
    rotator: inCode('swapExecutor', 'SwapExecutor', 'rotator'),
    maker: inCode('quoteDesk', 'QuoteDesk', 'maker'),
  };
}
