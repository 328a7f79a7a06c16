// Thousands of accounts that make any calls they are given, and thousands of such calls in one block.

import { type Address, concat, createClient, type Hex, http, numberToHex, size, toHex } from 'viem';
import { alice } from '../../../test/local/accounts.ts';
import { blockGas } from '../../world/block.ts';
import type { Chain, EncodedCall } from '../../world/chain.ts';

/**
 * Account code that makes the calls in its calldata one after the other. Each is a word of length << 160 and target,
 * then the call's data. Reverts with the answer of the first call that fails.
 */
const code: Hex = concat([
  ...['0x5f', '0x5b', '0x80361115603057'], // offset = 0; while (offset < calldatasize) {
  ...['0x8035', '0x90602001', '0x8160a01c'], //   word at offset; offset += 32; length = word >> 160
  '0x80825f37', //                                copy the data to memory
  '0x5f5f825f5f875af1', //                        call the target with it
  ...['0x602957', '0x3d5f5f3e3d5ffd'], //         revert with the answer if it failed
  ...['0x5b01', '0x9050', '0x600156'], //         offset += length }
  '0x5b00',
] as const);

/** The accounts' calls as calldata for their code. */
export const script = (calls: readonly EncodedCall[]): Hex =>
  concat(calls.flatMap(({ to, data }) => [concat([numberToHex(size(data), { size: 12 }), to]), data]));

/** Transactions per block: as many as anvil runs within a few seconds. Also calls per HTTP request: anvil accepts 2 MB. */
const BLOCK = 40;
const transactionGas = 2n ** 24n;

/** Makes all of these calls, and throws the first error. */
function requestAll<Answer>(url: string, calls: readonly { method: string; params: unknown }[]): Promise<Answer[]> {
  const { request } = createClient({
    transport: http(url, { batch: { batchSize: BLOCK }, retryCount: 0, timeout: 60_000 }),
  });
  return Promise.all(calls.map((each) => request(each as never) as Promise<Answer>));
}

/** Gives each account the code that makes calls. */
export async function equip(chain: Chain, accounts: readonly Address[]): Promise<void> {
  await requestAll(
    chain.url,
    accounts.map((address) => ({ method: 'anvil_setCode', params: [address, code] })),
  );
}

/**
 * Sends calldata to accounts, many transactions in a block, on a chain that mines at once. Throws if one of them reverts.
 * Anvil copies its whole state at each block: thousands of transactions with a block each would take hours.
 */
export async function sendMany(chain: Chain, calls: readonly EncodedCall[]): Promise<void> {
  await chain.setAutomine(false);
  await chain.setBlockGasLimit({ gasLimit: BigInt(BLOCK) * transactionGas });
  try {
    let nonce = await chain.getTransactionCount({ address: alice });
    for (let from = 0; from < calls.length; from += BLOCK) {
      const sent = calls.slice(from, from + BLOCK).map(({ to, data }) => {
        const each = { from: alice, to, input: data, gas: toHex(transactionGas), nonce: toHex(nonce++) };
        return { method: 'eth_sendTransaction', params: [each] };
      });
      const hashes = await requestAll<Hex>(chain.url, sent);
      await chain.mine({ blocks: 1 });
      const asked = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
      for (const receipt of await requestAll<{ status: Hex } | null>(chain.url, asked)) {
        if (receipt?.status !== '0x1') throw new Error(`A transaction ${receipt ? 'reverted' : 'was not mined'}.`);
      }
    }
  } finally {
    await chain.setBlockGasLimit({ gasLimit: blockGas });
    await chain.setAutomine(true);
  }
}
