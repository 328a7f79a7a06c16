/** BNB Chain. */
export const bscChainId = 56;

/** anvil's default, also for a copy of BNB Chain. */
export const localChainId = 31_337;
