import { createPermissionDrafter } from '@bowline/chain/drafts/permissions';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';

export const at = (digit: string) => `0x${digit.repeat(40)}` as const;
export const own = {
  planRegistry: at('a'),
  swapExecutor: at('b'),
  chainlinkPriceSource: at('c'),
  loanGuard: at('d'),
  revocations: at('e'),
  collateralGuard: at('1'),
};
/** A market of a protocol with isolated markets; its debt is repaid in USDT. */
export const acmeMarket = `0x${'9a'.repeat(32)}` as const;
const book = {
  own,
  assets: [BTCB, USDT],
  lending: [
    { name: 'Venus', adapter: at('f'), collateralAdapter: at('2') },
    { name: 'Acme BTCB/USDT', family: 'Acme', adapter: at('7'), market: acmeMarket },
  ],
} as unknown as AddressBook;
/** Its debt is repaid in USDT. Any other market is BTCB's; the one of zeros does not exist. */
export const usdtMarket = at('9');
/** Drafts for contracts at made-up addresses. */
export const permissions = createPermissionDrafter(
  31_337,
  book,
  async (_adapter, market) => {
    if (BigInt(market) === 0n) return undefined;
    return [usdtMarket, acmeMarket].some((each) => BigInt(market) === BigInt(each)) ? USDT.address : BTCB.address;
  },
  // One receipt of BTCB's market is worth two base units.
  async (_adapter, _account, market) =>
    BigInt(market) === 0n ? undefined : { token: BTCB.address, receipt: at('3'), rateWad: 2n * 10n ** 18n },
);
