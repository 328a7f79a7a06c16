import { said } from '../language.ts';
// What Buy once says, in English.

export const buyWords = said('buyWords', {
  title: 'Buy once',
  lead: 'First a verdict on the price. Then, where it allows, the exact swap for your own wallet to sign.',
  purpose: 'buy',
  buy: 'Buy',
  amount: 'For',
  dollars: 'US dollars',
  ask: 'Ask for the verdict',
  asking: 'Asking for the verdict …',
  unsound: 'This offer failed our safety check',
  noVerdict: 'There is no verdict',
  notSent: (why: string) => `${why} Nothing was sent.`,
  nothingAsked: 'Nothing asked yet',
  nothingAskedMore: (checks: number) =>
    `Choose what to buy and for how much. ${checks} checks compare the pool with independent prices; on “Don’t trade” there is nothing to sign.`,

  verdictOn: (symbol: string) => `Verdict on ${symbol}`,
  refused: 'Not at this price',
  tooLittle: 'Too little is known',
  nothingToSign: (why: string) => `${why} There is nothing to sign.`,
  askAgain: 'Ask again',
  caution: 'Look before you buy',
  accept: 'I have read the findings and want to go on',
  prepare: 'Prepare the swap',
  preparing: 'Preparing …',
  withheld: 'The swap cannot be made now',
  findings: 'Findings',

  tooOld: 'This offer is too old to be sent',
  priceMoved: 'The price has moved since this offer was made',
  unsoundWhy: 'There is nothing to sign:',

  changes: 'What changes in your wallet',
  youPay: 'You pay, exactly',
  youReceive: 'You receive, as quoted',
  minimum: 'Minimum received',
  exactly: 'Exactly what you sign',
  approvalTo: (amount: string) => `Approval of ${amount}, sent to`,
  swapTo: 'Swap, sent to',
  buySymbol: (symbol: string) => `Buy ${symbol}`,
  swapStep: (symbol: string) => `Swap for ${symbol}`,
  router: 'PancakeSwap’s router',
  bought: (symbol: string) => `Bought: the ${symbol} is in your wallet.`,

  desk: 'Or buy from the desk',
  deskMore: (receive: string, pay: string) =>
    `The desk of this chain has signed for you: exactly ${receive} for ${pay}.`,
  redeem: 'Redeem',
  redeemStep: 'Redeem the quote',
  theDesk: 'The desk',
  redeemed: (symbol: string) => `Redeemed: the ${symbol} is in your wallet.`,

  approveStep: (amount: string) => `Approve ${amount}`,
  actFor: (act: string, amount: string) => `${act} for ${amount}`,
  unchecked: 'This offer could not be checked',
  uncheckedMore: 'The chain does not answer, so there is nothing to sign. The page keeps asking.',
  checking: 'Checking the offer against the chain …',
  goodFor: (time: string) => `Good for ${time} more; then the offer expires.`,
  verdictTooOld: 'The verdict is too old to buy on',
  verdictTooOldMore: 'There is nothing to sign until it is asked for again.',

  asAgreed: (received: string, paid: string) =>
    `${received} arrived and ${paid} left your wallet, by the transaction’s receipt.`,
  notAsAgreed: 'The transaction went through, but not as agreed.',
  noneArrived: (symbol: string) => `The transaction went through, but no ${symbol} arrived.`,
  onlyArrived: (amount: string) => `Only ${amount} arrived. `,
  left: (amount: string) => `${amount} left your wallet.`,
  noneLeft: (symbol: string) => `No ${symbol} left your wallet.`,
  lookFirst: ' Look at the transaction before you try again.',

  takenBack: 'The approval was taken back',
  stillActive: (amount: string, symbol: string) => `Your approval of ${amount} ${symbol} is still active`,
  stillActiveAny: (symbol: string) => `Your approval of any amount of ${symbol} is still active`,
  stillActiveMore: (spender: string) =>
    `${spender} may take that much from your wallet until you take the approval back or use it up.`,
  takeBackStep: (symbol: string) => `Take back the approval of ${symbol}`,
  takeBack: 'Take back the approval',
  signing: 'Signing …',
});
