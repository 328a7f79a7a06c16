import { asking } from '@bowline/chain/chain-client';
import type { Hex } from '@bowline/core/domain/units';
import { keeperCalls } from './calls.ts';
import { type Acting, type Actor, actorOf, notDeployed, payersOf } from './keeper.ts';
import { type Account, carrierGas, maxWei, type Operation, unsignedOperation } from './wallet/account.ts';
import { connectEntryPoint } from './wallet/entry-point.ts';
import { brokenOperationRule } from './wallet/operation-policy.ts';

/** Well-formed: the account can recover a signer from it, which bundlers need to price an operation. */
const nobodysSignature: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`;

interface Proven extends Pick<Actor, 'address' | 'isOperator'>, ReturnType<typeof payersOf> {
  /** Unsigned no-op of the wallet, which deploys the wallet if it is missing. Absent: no wallet operates. */
  readonly operation?: Operation;
}

/**
 * Finds who acts and pays with these keys, without signing.
 * @throws what keeps a live keeper from starting.
 */
export async function proveKeeper(options: Acting): Promise<Proven> {
  const actor = await actorOf(options);
  const { address, isOperator, wallet } = actor;
  const operation = wallet && (await operationOf(options, wallet));
  return { ...payersOf(options, actor), address, isOperator, ...(operation && { operation }) };
}

/** A live start deploys a missing wallet. Throws if it could not sign or carry that operation. */
async function operationOf(options: Acting, wallet: Account): Promise<Operation> {
  const { client, book, account, rescuers, chainId, gasBounds } = options;
  const { address, creation } = wallet;
  const isCreated = (await asking(() => client.getCode({ address }))) !== undefined;
  const entryPoint = connectEntryPoint(client, book.accountAbstraction.entryPoint);
  const carriers = [...rescuers, ...(account ? [account] : [])];
  const [nonce, gasPrice, funds, ...held] = await asking(() =>
    Promise.all([
      isCreated ? entryPoint.nonce(address, 0n) : 0n,
      client.getGasPrice(),
      entryPoint.funds(address),
      ...carriers.map((carrier) => client.getBalance({ address: carrier.address })),
    ]),
  );
  const does = { nonce, callData: wallet.encode({ to: address, data: '0x' }), callGas: 0n, gasPrice };
  const operation = {
    ...unsignedOperation(wallet, does, isCreated ? undefined : creation),
    signature: nobodysSignature,
  };
  if (isCreated) return operation;
  const calls = { chainId, calls: keeperCalls(book.own, gasBounds) };
  const canPay = funds >= maxWei(operation) && held.some((wei) => wei >= carrierGas(operation) * gasPrice);
  const rule = brokenOperationRule({ account: address, creation, calls }, chainId, operation, 0n, 0n, 0n);
  if (rule !== undefined || !canPay) throw notDeployed(address, `not_allowed: ${rule ?? 'balance'}`);
  return operation;
}
