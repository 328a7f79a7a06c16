import { BowlineError } from '@bowline/core/domain/result';
import {
  AbiDecodingZeroDataError,
  BaseError,
  BlockNotFoundError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  getContractError,
  HttpRequestError,
  RawContractError,
  RpcRequestError,
  TimeoutError,
  zeroHash,
} from 'viem';
import { expect, test } from 'vitest';
import { errorIn, type Fault, faultOf, isUnreachable, refusalOf } from '../errors.ts';
import { readByLens } from '../lending/lens.ts';
import { readInPages } from '../paginated-reads.ts';
import { createRepayTokenReader } from '../repay-token.ts';
import { UnknownAnswer } from '../unknown-answer.ts';

// AG-356: whose fault an error is, when reading, simulating or sending.

const url = 'http://127.0.0.1:9';
const abi = erc20Abi;
const someone = '0x1111111111111111111111111111111111111111';
const saying = (code: number, message = 'no', data?: unknown) =>
  new RpcRequestError({ body: {}, url, error: { code, message, ...(data !== undefined && { data }) } as never });
const asRead = (error: unknown) =>
  getContractError(error as BaseError, { abi, address: someone, args: [someone], functionName: 'balanceOf' });
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};
/** An address with a wrong checksum. */
const unencodable = () =>
  thrownBy(() =>
    encodeFunctionData({ abi, functionName: 'balanceOf', args: ['0x90F79bf6EB2c4f870365E785982E1f101E93B906'] }),
  );

const table: [string, unknown, Fault][] = [
  ['no connection', new HttpRequestError({ url }), 'node'],
  ['a timeout inside viem’s own error', asRead(new TimeoutError({ body: {}, url })), 'node'],
  ['HTTP 429', new HttpRequestError({ url, status: 429 }), 'node'],
  ['a wrong key', new HttpRequestError({ url, status: 401 }), 'node'],
  ['a rate limit', saying(-32_005), 'node'],
  ['a method that it does not have', saying(-32_601), 'node'],
  ['an internal error', saying(-32_603), 'node'],
  ['an internal error that viem takes for a revert', asRead(saying(-32_603, 'database is locked')), 'node'],
  ['too little gas', saying(-32_000, 'out of gas'), 'node'],
  ['a missing block', new BlockNotFoundError({ blockNumber: 1n }), 'node'],
  ['what was told before', new BowlineError('chain_unavailable', 'The chain does not answer.'), 'node'],
  ['a revert', saying(3, 'execution reverted', '0x1234'), 'contract'],
  ['a revert without data', saying(-32_000, 'execution reverted'), 'contract'],
  ['a revert in a reading', asRead(saying(3, 'execution reverted', '0x1234')), 'contract'],
  ['a revert whose data is wrapped', saying(-32_603, 'no', { data: '0x1234' }), 'contract'],
  ['a revert in a list of calls', asRead(new RawContractError({ data: '0x' })), 'contract'],
  ['no such function', new ContractFunctionZeroDataError({ functionName: 'f' }), 'contract'],
  ['an empty answer', new AbiDecodingZeroDataError(), 'contract'],
  ['a status that nobody knows', new UnknownAnswer('The contract returned an unknown code: 9.'), 'contract'],
  ['an address that cannot be encoded', unencodable(), 'ours'],
  ['the same inside a reading', asRead(unencodable()), 'ours'],
  ['a fault of the code', new TypeError('x is undefined'), 'ours'],
  ['the same inside a reading', asRead(new TypeError('x is undefined')), 'ours'],
  ['an answer of ours', new BowlineError('unknown_plan', 'There is no plan 7.'), 'ours'],
  ['any error of viem', new BaseError('anything'), 'ours'],
  ['no error', undefined, 'ours'],
];

test.each(table)('%s', (_, error, fault) => {
  expect(faultOf(error)).toBe(fault);
  // Wrapped in an error of another library, it is classified the same.
  expect(faultOf(new Error('wrapped', { cause: error }))).toBe(fault);
});

test('only what has not even an HTTP status is unreachable', () => {
  expect(isUnreachable(asRead(new HttpRequestError({ url })))).toBe(true);
  expect(isUnreachable(new HttpRequestError({ url, status: 503 }))).toBe(false);
  expect(isUnreachable(saying(-32_005))).toBe(false);
});

test('revert data is found whichever way viem gives it', () => {
  const raw = new ContractFunctionRevertedError({ abi, data: '0x12345678', functionName: 'balanceOf' });
  expect(refusalOf(raw)).toEqual({ data: '0x12345678' });
  expect(refusalOf(asRead(new RawContractError({ data: { data: '0x12345678' } })))).toEqual({ data: '0x12345678' });
  expect(refusalOf(saying(-32_603))).toBeUndefined();
  expect(errorIn(abi, '0x12345678')).toBeUndefined();
});

test('a reader throws a fault of ours; the list is not unread', async () => {
  const read = () => Promise.reject(unencodable());
  await expect(readInPages([1n, 2n], 2, read)).rejects.toMatchObject({ name: 'InvalidAddressError' });
  const lens = { read, rates: read, shapeOf: () => undefined };
  const account = { borrower: someone, market: someone } as const;
  await expect(readByLens(lens, [account], 4)).rejects.toMatchObject({ name: 'InvalidAddressError' });
});

/** A node that fails every request with this error. */
const nodeThat = (error: Error) =>
  createPublicClient({ transport: custom({ request: () => Promise.reject(error) }, { retryCount: 0 }) }) as never;

test('a market is unknown if its protocol refuses, and not if the node has an internal error', async () => {
  const tokenOf = (error: Error) => createRepayTokenReader(nodeThat(error))(someone, zeroHash);
  expect(await tokenOf(saying(3, 'execution reverted'))).toBeUndefined();
  await expect(tokenOf(saying(-32_603, 'database is locked'))).rejects.toMatchObject({ code: 'chain_unavailable' });
});
