import { type Address, concat, type Hex, keccak256, numberToHex, type StateOverride, size, slice } from 'viem';
import type { Calls } from '../reads.ts';

/** A price that a contract returns, and what it is asked for: a market or a token. */
export interface PriceOf {
  readonly of: Address;
  readonly answer: bigint;
}

/**
 * Lets a price oracle answer with supposed prices within one eth_call. Its code is replaced by code that looks up the
 * first argument of any call, and for prices that are not overridden delegates to the oracle's own code. The answer is
 * the price twice: enough for functions with one result, and with two of the same token.
 */
export async function supposePrices(
  client: Pick<Calls, 'getCode'>,
  oracle: Address,
  prices: readonly PriceOf[],
): Promise<StateOverride> {
  const code = await client.getCode({ address: oracle });
  if (code === undefined) throw new Error('The oracle has no code.');
  // An address that nobody has a key for.
  const moved = slice(keccak256(oracle), 12);
  return [
    { address: moved, code },
    {
      address: oracle,
      code: lookup(moved),
      stateDiff: prices.map(({ of, answer }) => ({ slot: slotOf(of), value: numberToHex(answer, { size: 32 }) })),
    },
  ];
}

/** The complement of the argument: far from the slots that a compiler uses. */
const slotOf = (of: Address): Hex => numberToHex(2n ** 256n - 1n - BigInt(of), { size: 32 });

/** @param otherwise the address of the code for everything else. */
function lookup(otherwise: Address): Hex {
  const head: Hex = '0x6004351954'; // PUSH1 4, CALLDATALOAD, NOT, SLOAD
  const elsewhere = concat([
    '0x365f5f37', // copies the whole question to memory
    '0x5f5f365f73',
    otherwise,
    '0x5af4', // DELEGATECALL with all of it and all gas
    '0x3d5f5f3e', // copies the whole answer to memory
  ]);
  const destination = (at: number) => concat(['0x60', numberToHex(at, { size: 1 }), '0x57']); // PUSH1, JUMPI
  const failed: Hex = '0x3d5ffd';
  const answered: Hex = '0x5b3d5ff3';
  const found: Hex = '0x5b805f5260205260405ff3'; // the price at 0 and at 32, 64 bytes
  const jump = 3;
  const answeredAt = size(head) + 1 + jump + size(elsewhere) + jump + size(failed);
  const foundAt = answeredAt + size(answered);
  // DUP1 before the first jump: the price is its condition, and then the answer.
  return concat([head, '0x80', destination(foundAt), elsewhere, destination(answeredAt), failed, answered, found]);
}
