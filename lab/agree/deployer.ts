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
import { connect } from '../world/chain.ts';
import { treasurer } from '../world/replica.ts';

// Deploys and calls the stage's contracts.

export interface Contract {
  readonly address: Address;
  readonly abi: Abi;
}

export interface Call {
  readonly from: Address;
  readonly to: Address;
  readonly input: Hex;
}

/** Gas limit of every call and transaction. */
export const gas = toHex(2n ** 24n);

/** Errors of all contracts here, by selector: a search in an ABI hashes every entry before the match. */
export const errors = new Map<Hex, Extract<Abi[number], { type: 'error' }>>();

export type Deployer = ReturnType<typeof deployerOf>;

export function deployerOf(url: string) {
  const chain = connect(url);
  const request = chain.request as <Answer>(call: { method: string; params: unknown }) => Promise<Answer>;
  async function create({ abi, bytecode }: Artifact, args: readonly unknown[] = []): Promise<Contract> {
    for (const item of abi) if (item.type === 'error') errors.set(selectorOf(item), item);
    const params = [{ from: treasurer, data: encodeDeployData({ abi, bytecode, args: [...args] }), gas }];
    const receipt = await request<{ contractAddress: Address; status: Hex }>({
      ...{ method: 'eth_sendTransactionSync', params },
    });
    if (receipt.status !== '0x1') throw new Error('A contract of the stage could not be deployed.');
    return { abi, address: getAddress(receipt.contractAddress) };
  }
  return {
    ...{ chain, request, create },
    transact: ({ address, abi }: Contract, functionName: string, ...args: unknown[]) =>
      chain.send(treasurer, address, { abi, functionName, args }),
    deploy(name: string, args: readonly unknown[] = []): Promise<Contract> {
      const path = new URL(`../../out/${name}.sol/${name}.json`, import.meta.url);
      const { abi, bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { abi: Abi; bytecode: { object: Hex } };
      return create({ abi, bytecode: bytecode.object }, args);
    },
  };
}

const selectorOf = (item: Extract<Abi[number], { type: 'error' }>): Hex =>
  toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' });

/** By ABI and name: otherwise viem hashes a function's signature again for every call. */
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
