/** BNB Chain. */
export const bscChainId = 56;

/** Of anvil, as a copy of it. */
export const localChainId = 31_337;
