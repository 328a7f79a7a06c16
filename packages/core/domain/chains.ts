/** BNB Chain. */
export const bscChainId = 56;

/** BNB Chain's test network. */
export const bscTestnetChainId = 97;

/** anvil's default, also for a copy of BNB Chain. */
export const localChainId = 31_337;
