import type { Abi, AbiFunction, AbiParameter, Address, PublicClient } from 'viem';
import { bytesToBigInt, getAbiItem } from 'viem';
import { revocationsAbi } from '../../../abis/index.ts';
import type { Deployment } from './deployment.ts';

export type Reader = Pick<PublicClient, 'readContract'>;

/** A revocation ends the epoch in which something was signed. */
export const epochOf = (
  client: Reader,
  { contracts }: { readonly contracts: Pick<Deployment['contracts'], 'revocations'> },
  owner: Address,
): Promise<bigint> =>
  client.readContract({ address: contracts.revocations, abi: revocationsAbi, functionName: 'epochOf', args: [owner] });

export const newNonce = (): bigint => bytesToBigInt(crypto.getRandomValues(new Uint8Array(32)));

/** Makes a signature count once, and only for `validSeconds`. */
export const onceWithin = (validSeconds: number) => ({
  nonce: newNonce(),
  deadline: BigInt(Math.floor(Date.now() / 1_000) + validSeconds),
});

/** The structs of a function's first argument, which is signed, as EIP-712 names them. */
export function structsOf(abi: Abi, functionName: string) {
  const types: Record<string, { readonly name: string; readonly type: string }[]> = {};
  function typeOf(parameter: AbiParameter): string {
    if (!('components' in parameter)) return parameter.type;
    const name = /\w+(?=(?:\[\])?$)/.exec(parameter.internalType ?? '')?.[0] ?? '';
    types[name] = parameter.components.map((each) => ({ name: each.name ?? '', type: typeOf(each) }));
    return parameter.type.replace('tuple', name);
  }
  const { inputs } = getAbiItem({ abi, name: functionName }) as AbiFunction;
  typeOf(inputs[0] as AbiParameter);
  return types as Record<'Terms', (typeof types)[string]>;
}
