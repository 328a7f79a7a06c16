import { said } from '../language.ts';

// What is said of BNB and the token that it is wrapped into, in English.

export const bnbWords = said('bnbWords', {
  wrap: (amount: string) => `Wrap ${amount} BNB`,
  unwrap: (amount: string) => `Unwrap ${amount} BNB`,
  wrapTo: (amount: string) => `Wrapping of ${amount}, sent to`,
  wrapped: 'Wrapped: the WBNB is in your wallet.',
  unwrapped: 'Unwrapped: the BNB is in your wallet.',

  wrapsOnTheWay: 'Pools trade WBNB, so your BNB is wrapped on the way, one for one.',
  arrivesWrapped: 'It arrives as WBNB. Afterwards you can unwrap exactly what arrived, or leave it as it is.',
  /** After another sentence, or alone. */
  maxKeeps: (fees: string, before = '') => `${before} MAX leaves ${fees} BNB for network fees.`.trim(),
  mayUnwrap: 'It arrived as WBNB',
  mayUnwrapMore: 'You can turn it into BNB, one for one, or leave it as it is.',
  leftWrapped: (amount: string) => `Your ${amount} is now WBNB`,
  leftWrappedMore: 'It was wrapped, and the trade did not follow. Unwrap it, or choose WBNB to sell it as it is.',

  shortOfWrapped: (short: string) => `The plan needs ${short} WBNB more than you hold`,
  shortOfWrappedMore: 'Plans pay with WBNB. Wrapping turns your BNB into it, one for one.',
});
