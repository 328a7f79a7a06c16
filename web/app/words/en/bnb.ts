import { said } from '../language.ts';

// Texts about BNB and the token that it is wrapped into, in English.

export const bnbWords = said('bnbWords', {
  wrap: (amount: string) => `Wrap ${amount} BNB`,
  unwrap: (amount: string) => `Unwrap ${amount} BNB`,
  wrapTo: (amount: string) => `Wrap ${amount}, sent to`,
  wrapped: 'Wrapped: the WBNB is in your wallet.',
  unwrapped: 'Unwrapped: the BNB is in your wallet.',

  wrapsOnTheWay: 'Pools trade WBNB, so your BNB is wrapped first, one for one.',
  arrivesWrapped: 'You receive WBNB. Afterwards you can unwrap exactly what arrived, or keep it.',
  mayUnwrap: 'You received WBNB',
  mayUnwrapMore: 'You can unwrap it to BNB, one for one, or keep it.',
  leftWrapped: (amount: string) => `Your ${amount} is now WBNB`,
  leftWrappedMore: 'It was wrapped, but the trade did not go through. Unwrap it, or sell it as WBNB.',

  shortOfWrapped: (short: string) => `The plan needs ${short} WBNB more than you hold`,
  shortOfWrappedMore: 'Plans pay with WBNB. You can wrap BNB, one for one.',
});
