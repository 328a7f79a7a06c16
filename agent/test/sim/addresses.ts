import type { AddressBook } from '@bowline/core/registry/address-book';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import type { Address } from 'viem';

// Addresses of the modelled chain. The keys' are accounts of anvil's, so that their transactions can be signed for a
// real node (anvil.test.ts).

export const chainId = 31_337;
export const keeperKey: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const rescueKeys: readonly Address[] = [
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
];
/** Carries operations as a bundler does. */
export const bundlerKey: Address = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

export const wallet: Address = '0x00000000000000000000000000000000000000aa';
export const entryPoint: Address = '0x433709009b8330fda32311df1c2afa402ed8d009';
export const loanGuard: Address = '0x00000000000000000000000000000000000000bb';
export const swapExecutor: Address = '0x00000000000000000000000000000000000000cc';
export const borrower: Address = '0x00000000000000000000000000000000000000b0';
export const owner: Address = '0x00000000000000000000000000000000000000a1';
const elsewhere: Address = '0x00000000000000000000000000000000000000ee';

/** The parts that the sending side and the loops read. */
export const book = {
  own: {
    revocations: elsewhere,
    venusMarket: elsewhere,
    loanGuard,
    venusPriceSource: elsewhere,
    chainlinkPriceSource: elsewhere,
    planRegistry: elsewhere,
    swapExecutor,
  },
  accountAbstraction: { entryPoint, accountFactory: elsewhere },
  assets: [BTCB, USDT],
} as unknown as AddressBook;
