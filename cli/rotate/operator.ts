import type { ChainClient } from '@bowline/chain/chain-client';
import { sameAddress } from '@bowline/core/domain/same-address';
import { bnb } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Address, encodeFunctionData, type Hex, type LocalAccount, zeroAddress } from 'viem';
import { quoteDeskAbi, swapExecutorAbi } from '../../abis/index.ts';
import {
  carrierGas,
  gasOf,
  maxWei,
  type Operation,
  openAccount,
  unsignedOperation,
} from '../../agent/src/sending/wallet/account.ts';
import { connectEntryPoint } from '../../agent/src/sending/wallet/entry-point.ts';
import { gasPriceWithin, type SendBounds, sendAs } from '../sending/send.ts';

export interface OperatorRotation {
  readonly client: ChainClient;
  readonly book: AddressBook;
  readonly bounds: SendBounds;
  /** Absent if the rotator is a multisig or a hardware wallet that acts elsewhere. */
  readonly rotator?: LocalAccount | undefined;
  /** Becomes operator, or owns the ERC-4337 account that does. */
  readonly next: LocalAccount;
  readonly isWallet: boolean;
  readonly say: (line: string) => void;
}

/** A call that somebody else has to make. */
export interface AwaitedCall {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** Gas of acceptOperator inside an operation; measured: 35,000. */
const acceptGas = 100_000n;

const accept = encodeFunctionData({ abi: swapExecutorAbi, functionName: 'acceptOperator' });

/**
 * Makes another account SwapExecutor's operator: the rotator proposes it and it accepts. Reads the progress from the
 * chain, so it may be repeated at any time.
 * @returns the rotator's call if the rotator has yet to propose and its key is not here; undefined when the operator has changed.
 * @throws one line that names the obstacle.
 */
export async function rotateOperator(rotation: OperatorRotation): Promise<AwaitedCall | undefined> {
  const { client, book, bounds, rotator, next, isWallet, say } = rotation;
  const { swapExecutor: address } = book.own;
  const wallet = isWallet ? await openAccount(client, next, book.accountAbstraction) : undefined;
  const successor = wallet?.address ?? next.address;
  const read = (functionName: 'operator' | 'proposedOperator' | 'rotator') =>
    client.readContract({ address, abi: swapExecutorAbi, functionName });
  const before = await read('operator');
  if (sameAddress(before, successor)) {
    say(`${successor} is the operator.`);
    return undefined;
  }
  const named = await read('rotator');
  if (sameAddress(named, successor)) throw new Error('The rotator cannot be the operator.');
  // The proposed operator must be able to pay for accepting; the current one stays until then.
  await checkFunds(rotation, successor);
  const proposed = await read('proposedOperator');
  if (!sameAddress(proposed, successor)) {
    if (!sameAddress(proposed, zeroAddress)) say(`${proposed} was proposed and has not accepted. It is replaced.`);
    const data = encodeFunctionData({ abi: swapExecutorAbi, functionName: 'proposeOperator', args: [successor] });
    if (rotator === undefined) return { from: named, to: address, data };
    if (!sameAddress(rotator.address, named)) {
      throw new Error(`ROTATOR_PRIVATE_KEY belongs to ${rotator.address}, but the rotator is ${named}.`);
    }
    const { transactionHash } = await sendAs(client, rotator, { to: address, data }, bounds);
    say(`Proposed ${successor}: ${transactionHash}`);
  }
  const hash = wallet
    ? await acceptByWallet(rotation, wallet)
    : (await sendAs(client, next, { to: address, data: accept }, bounds)).transactionHash;
  // Anyone else with the rotator's key may have proposed another account meanwhile.
  const after = await read('operator');
  if (!sameAddress(after, successor))
    throw new Error(`The operator is ${after} after ${hash}: find out who has the rotator's key.`);
  say(`${successor} accepted: ${hash}`);
  await sayWhatIsLeft(rotation, before);
  return undefined;
}

/** @throws one line that says how much BNB each account lacks. */
async function checkFunds(
  { client, book, bounds, next, isWallet }: OperatorRotation,
  successor: Address,
): Promise<void> {
  const gasPrice = await gasPriceWithin(client, bounds);
  const gas = gasOf(acceptGas, 1_000, false);
  const ofKey = isWallet ? carrierGas(gas) * gasPrice : acceptGas * gasPrice;
  const held = await client.getBalance({ address: next.address });
  const needs = (who: Address, wei: bigint, has: bigint) =>
    new Error(`${who} holds ${bnb(has)}, and needs ${bnb(wei)} to accept.`);
  if (held < ofKey) throw needs(next.address, ofKey, held);
  if (!isWallet) return;
  const ofWallet = maxWei({ ...gas, maxFeePerGas: gasPrice } as Operation);
  const funds = await connectEntryPoint(client, book.accountAbstraction.entryPoint).funds(successor);
  if (funds < ofWallet) throw needs(successor, ofWallet, funds);
}

/** An ERC-4337 account acts only through operations; its first one deploys it. Its owner's key submits them. */
async function acceptByWallet(
  { client, book, bounds, next }: OperatorRotation,
  wallet: Awaited<ReturnType<typeof openAccount>>,
): Promise<Hex> {
  const { address } = wallet;
  const entryPoint = connectEntryPoint(client, book.accountAbstraction.entryPoint);
  const [code, nonce, gasPrice] = await Promise.all([
    client.getCode({ address }),
    entryPoint.nonce(address, 0n),
    gasPriceWithin(client, bounds),
  ]);
  const callData = wallet.encode({ to: book.own.swapExecutor, data: accept });
  const does = { nonce, callData, callGas: acceptGas, gasPrice };
  const unsigned = unsignedOperation(wallet, does, code === undefined ? wallet.creation : undefined);
  const operation = { ...unsigned, signature: await wallet.sign(unsigned, bounds.chainId) };
  const call = entryPoint.handOver(operation, next.address, { label: 'accept' });
  const { transactionHash: hash } = await sendAs(client, next, call, bounds);
  const inclusion = await entryPoint.inclusionBy(operation, hash);
  if (inclusion?.isSuccess !== true) throw new Error(`The wallet's operation in ${hash} failed: run this again.`);
  return hash;
}

async function sayWhatIsLeft({ client, book, next, say }: OperatorRotation, before: Address): Promise<void> {
  const left = await client.getBalance({ address: before });
  say(`${before} is no longer the operator. It holds ${bnb(left)}.`);
  say('Set KEEPER_PRIVATE_KEY to the new key and restart the agent.');
  const { quoteDesk } = book.own;
  if (quoteDesk === undefined) return;
  const maker = await client.readContract({ address: quoteDesk, abi: quoteDeskAbi, functionName: 'maker' });
  if (sameAddress(maker, next.address)) return;
  say(
    `QuoteDesk's maker ${maker} cannot be changed: withdraw its inventory, and deploy a desk with DESK_MAKER=${next.address}.`,
  );
}
