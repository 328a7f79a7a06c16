import { said } from '../language.ts';

// What the desk's offer in Buy once says, in English.

export const deskWords = said('deskWords', {
  title: 'Or buy from the desk',
  more: (receive: string, pay: string) =>
    `The desk on this chain has signed a quote for you: exactly ${receive} for ${pay}.`,
  redeem: 'Redeem',
  redeemStep: 'Redeem the quote',
  spender: 'The desk',
  redeemed: (symbol: string) => `Redeemed: the ${symbol} is in your wallet.`,
});
