import type { bnbWords as english } from '../en/bnb.ts';

// BNB and the token that it is wrapped into, in Simplified Chinese.

export const bnbWords: typeof english = {
  wrap: (amount) => `包装 ${amount} BNB`,
  unwrap: (amount) => `解包 ${amount} BNB`,
  wrapTo: (amount) => `包装 ${amount}，发送至`,
  wrapped: '已包装：WBNB 已在你的钱包中。',
  unwrapped: '已解包：BNB 已在你的钱包中。',

  wrapsOnTheWay: '资金池交易的是 WBNB，因此会先把你的 BNB 按一比一包装。',
  arrivesWrapped: '你收到的是 WBNB。之后你可以把到账的数量全部解包，也可以保留。',
  mayUnwrap: '你收到了 WBNB',
  mayUnwrapMore: '你可以按一比一解包为 BNB，也可以保留。',
  leftWrapped: (amount) => `你的 ${amount} 现在是 WBNB`,
  leftWrappedMore: '它已被包装，但交易没有完成。你可以解包，或以 WBNB 卖出。',

  shortOfWrapped: (short) => `此计划所需的 WBNB 比你持有的多 ${short}`,
  shortOfWrappedMore: '计划用 WBNB 支付。你可以按一比一包装 BNB。',
};
