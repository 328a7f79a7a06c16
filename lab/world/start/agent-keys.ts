import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { isTestnet } from '../addresses.ts';
import { keeper } from '../deployment.ts';

interface Key {
  readonly address: Address;
  /** Absent if the agent has it by default, on a local chain. */
  readonly key?: Hex;
}

/** The keys of the agent of `npm start`. */
export interface AgentKeys {
  readonly keeper: Key;
  readonly verdictSigner: Key;
  /** Submits rescues. */
  readonly rescuer: Required<Key>;
}

/** Keys of an agent on a local chain (`localKeys` in agent/src/settings.ts). */
export const publicKeys: AgentKeys = {
  keeper: { address: keeper },
  verdictSigner: { address: '0x91B0Ed52A74b4f28559EE833CfB04312776e8EE6' },
  // Anvil's twelfth account.
  rescuer: {
    address: '0x71bE63f3384f5fb98995898A86B02Fb2426c5788',
    key: '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82',
  },
};

/** An agent refuses public keys on any other chain, so a rehearsal makes its own. */
export const agentKeys = (): AgentKeys =>
  isTestnet ? { keeper: made(), verdictSigner: made(), rescuer: made() } : publicKeys;

function made(): Required<Key> {
  const key = generatePrivateKey();
  return { key, address: privateKeyToAddress(key) };
}
