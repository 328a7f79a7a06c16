/** BNB Chain. */
export const bscChainId = 56;

/** BNB Chain's test network. */
export const bscTestnetChainId = 97;

/** anvil's default, also for a copy of BNB Chain. */
export const localChainId = 31_337;

/** Makes ERC-4337 accounts on the local chain. Where a factory is on others, their operator says. */
export const localAccountFactory = '0xEDd9667C46f5FC5115EC33940df899ad4EAE5949';
