import { bscChainId, bscTestnetChainId } from '@bowline/core/domain/chains';
import type { Address } from 'viem';

/** ERC-8004's registries of agents, by chain. */
export const registries: Readonly<Record<number, Address>> = {
  [bscChainId]: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
  [bscTestnetChainId]: '0x8004A818BFB912233c491871b3d84c89A494BD9e',
};
