import { readFileSync } from 'node:fs';
import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  prepareEncodeFunctionData,
  toFunctionSelector,
  toHex,
} from 'viem';
import type { Artifact } from '../world/artifacts.ts';

// What the stage's contracts are made and called with.

export interface Contract {
  readonly address: Address;
  readonly abi: Abi;
}

export interface Call {
  readonly from: Address;
  readonly to: Address;
  readonly input: Hex;
}

/** Of every call and transaction. */
export const gas = toHex(2n ** 24n);

/** Of all contracts here, by selector: to look for one in an ABI hashes all before it. */
export const errors = new Map<Hex, Extract<Abi[number], { type: 'error' }>>();

async function ask<Answer>(url: string, method: string, params: unknown): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { result: Answer; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

export const firstAccount = async (url: string): Promise<Address> =>
  (await ask<readonly [Address]>(url, 'eth_accounts', []))[0];

export type Deployer = ReturnType<typeof deployerOf>;

export function deployerOf(url: string, from: Address) {
  const request = <Answer>(method: string, params: unknown) => ask<Answer>(url, method, params);
  async function create({ abi, bytecode }: Artifact, args: readonly unknown[] = []): Promise<Contract> {
    for (const item of abi) if (item.type === 'error') errors.set(selectorOf(item), item);
    const data = encodeDeployData({ abi, bytecode, args: [...args] });
    const sent = { from, data, gas };
    const receipt = await request<{ contractAddress: Address; status: Hex }>('eth_sendTransactionSync', [sent]);
    if (receipt.status !== '0x1') throw new Error('A contract of the stage could not be deployed.');
    return { abi, address: getAddress(receipt.contractAddress) };
  }
  return {
    ...{ from, request, create },
    transact: (to: Contract, functionName: string, ...args: unknown[]) =>
      request('eth_sendTransactionSync', [{ ...callOf(from, to, functionName, ...args), gas }]),
    deploy(name: string, args: readonly unknown[] = []): Promise<Contract> {
      const path = new URL(`../../out/${name}.sol/${name}.json`, import.meta.url);
      const { abi, bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { abi: Abi; bytecode: { object: Hex } };
      return create({ abi, bytecode: bytecode.object }, args);
    },
  };
}

const selectorOf = (item: Extract<Abi[number], { type: 'error' }>): Hex =>
  toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' });

/** By ABI and name: viem hashes a function's signature anew for every call. */
type Prepared = { readonly abi: Abi; readonly functionName: Hex };
const prepared = new Map<Abi, Map<string, Prepared>>();

export function preparedOf(abi: Abi, functionName: string): Prepared {
  const of = prepared.get(abi) ?? new Map<string, Prepared>();
  prepared.set(abi, of);
  const item = of.get(functionName) ?? (prepareEncodeFunctionData({ abi, functionName }) as Prepared);
  of.set(functionName, item);
  return item;
}

export const callOf = (from: Address, { address, abi }: Contract, functionName: string, ...args: unknown[]) => ({
  ...{ from, to: address },
  input: encodeFunctionData({ ...preparedOf(abi, functionName), args }),
});
