import type { ChainClient } from '@bowline/chain/chain-client';
import { refusalOf } from '@bowline/chain/errors';
import type { Address, Hex } from '@bowline/core/domain/units';

/** Gas of an eth_call that may run a stranger's code. Passkey wallets need about 400,000. */
const MAX_GAS = 1_000_000n;

interface Call {
  readonly account?: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly blockNumber?: bigint;
}

/** The call's return data; undefined if it reverts. */
export async function simulated(client: ChainClient, call: Call): Promise<Hex | undefined> {
  try {
    return (await client.call({ ...call, gas: MAX_GAS })).data ?? '0x';
  } catch (error) {
    if (refusalOf(error) === undefined) throw error;
    return undefined;
  }
}
