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

/** What was found out about one contract. */
export interface Finding {
  readonly contract: string;
  readonly address: Address;
  /** One sentence each; none if it is what this checkout makes of these settings. */
  readonly problems: readonly string[];
  /** What stands in the code in the place of each immutable; of SwapExecutor also who its operator is now. */
  readonly values: Readonly<Record<string, Hex>>;
}

const create2Factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const salt = stringToHex('bowline', { size: 32 });

/** Holds what stands at a record's addresses against this checkout: code, immutables, and what constructors wrote. */
export async function verify(
  client: PublicClient,
  own: Deployment,
  built: (contract: string) => Build,
): Promise<Finding[]> {
  const chainId = await client.getChainId();
  if (chainId !== own.chainId) throw new Error(`The record is of chain ${own.chainId}, and the node is on ${chainId}.`);
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
    if (value === undefined || words.size > 1) problems.push(`${name} is not the same everywhere in the code`);
    else if (expected[name] === undefined) problems.push(`${name} is ${value}, and nothing says what it should be`);
    else if (value !== expected[name]) problems.push(`${name} is ${value}, and should be ${expected[name]}`);
    if (value !== undefined) values[name] = value;
  }
  // The address has all of the constructor's arguments in it, also those that went into storage. Only the operator may have been
  // another one at the time, and it stands in storage for everybody to see.
  if (contract !== 'SwapExecutor' && !isAddressEqual(address, addressOf(made, args))) {
    problems.push(`was not made with ${JSON.stringify(args)} by script/Deploy.s.sol, or not from this code`);
  }
  return { contract, address, problems, values };
}

function differenceOf(code: Hex, { runtime, immutables }: Build): string | undefined {
  if (code === '0x') return 'there is no code';
  if (size(code) !== size(runtime))
    return `there are ${size(code)} bytes of code, and ${size(runtime)} in this checkout`;
  const [there, here] = [hexToBytes(code), hexToBytes(runtime)];
  for (const start of Object.values(immutables).flat()) there.fill(0, start, start + 32);
  const at = there.findIndex((byte, index) => byte !== here[index]);
  return at === -1 ? undefined : `the code differs from byte ${at} on`;
}

/** A constructor calls an argument that becomes an immutable by its name and an underscore. */
function ofArguments({ abi }: Build, args: readonly unknown[]): Record<string, Hex> {
  const inputs = abi.find((entry) => entry.type === 'constructor')?.inputs ?? [];
  const addresses = inputs.flatMap(({ name, type }, at) =>
    type === 'address' ? [[name?.replace(/_$/, ''), pad(args[at] as Hex).toLowerCase()]] : [],
  );
  return Object.fromEntries(addresses);
}

/** What OpenZeppelin's EIP712 keeps of a contract's domain. */
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

/** The text from the left, its length in the last byte. */
function shortString(text: string): Hex {
  return concat([stringToHex(text, { size: 31 }), toHex(text.length, { size: 1 })]);
}

function addressOf({ abi, creation }: Build, args: readonly unknown[]): Address {
  const bytecode = encodeDeployData({ abi, bytecode: creation, args: [...args] });
  return getContractAddress({ opcode: 'CREATE2', from: create2Factory, salt, bytecode });
}

async function chosenBy(
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
    // Where something else stands, which is what will be said.
    .catch(() => zeroAddress);
  return {
    operator,
    rotator: inCode('swapExecutor', 'SwapExecutor', 'rotator'),
    maker: inCode('quoteDesk', 'QuoteDesk', 'maker'),
  };
}
