import { said } from '../language.ts';
// What Trade says, in English.

export const buyWords = said('buyWords', {
  lead: 'Get a verdict on the price. If it allows the trade, sign the exact swap in your own wallet.',
  purpose: 'trade',
  side: 'Direction',
  buy: 'Buy',
  sell: 'Sell',
  amount: 'Amount',
  dollars: 'US dollars',
  inToken: (amount: string) => `About ${amount} at its price now.`,
  ask: 'Get verdict',
  asking: 'Getting the verdict …',
  unsound: 'This offer failed our safety check',
  noVerdict: 'No verdict',
  notSent: (why: string) => `${why} Nothing was sent.`,
  nothingAsked: 'No verdict yet',
  nothingAskedMore: (checks: number) =>
    `Choose an asset and an amount. ${checks} checks compare the pool with independent prices; if the verdict is “Don’t trade”, there is nothing to sign.`,

  verdictOn: (symbol: string) => `Verdict on ${symbol}`,
  refused: 'Not at this price',
  nothingToSign: (why: string) => `${why} There is nothing to sign.`,
  askAgain: 'Get new verdict',
  caution: 'Review before you trade',
  accept: 'I have read the findings and want to continue',
  newFindings: 'The findings have changed',
  newFindingsMore:
    'A check that had passed when you accepted the findings now calls for caution. Read it below before you trade.',
  prepare: 'Prepare swap',
  preparing: 'Preparing …',
  withheld: 'The swap is not available now',
  findings: 'Findings',

  tooOld: 'This offer is too old to send',
  priceMoved: 'The price has moved since this offer was made',
  unsoundWhy: 'There is nothing to sign:',

  changes: 'Balance changes',
  youReceive: 'You receive (quoted)',
  exactly: 'Exactly what you sign',
  approvalTo: (amount: string) => `Approval of ${amount}, sent to`,
  swapTo: (least: string) => `Swap for at least ${least}, sent to`,
  swapStep: (symbol: string) => `Swap for ${symbol}`,
  router: 'PancakeSwap’s router',
  bought: (symbol: string) => `Bought: the ${symbol} is in your wallet.`,
  sold: (symbol: string) => `Sold: the ${symbol} is in your wallet.`,

  actionFor: (action: string, amount: string) => `${action} for ${amount}`,
  sellFor: (paid: string, symbol: string) => `Sell ${paid} for ${symbol}`,
  unchecked: 'This offer could not be checked',
  uncheckedMore: 'The chain is not responding, so there is nothing to sign. The page keeps trying.',
  checking: 'Checking the offer against the chain …',
  goodFor: (time: string) => `Offer expires in ${time}.`,
  verdictTooOld: 'The verdict is too old',
  verdictTooOldMore: 'There is nothing to sign until you get a new one.',

  asAgreed: (received: string, paid: string) =>
    `${received} arrived and ${paid} left your wallet, according to the transaction’s receipt.`,
  notAsAgreed: 'The transaction went through, but not as agreed.',
  noneArrived: (symbol: string) => `The transaction went through, but no ${symbol} arrived.`,
  onlyArrived: (amount: string) => `Only ${amount} arrived. `,
  left: (amount: string) => `${amount} left your wallet.`,
  noneLeft: (symbol: string) => `No ${symbol} left your wallet.`,
  lookFirst: ' Check the transaction before you try again.',

  takenBack: 'Approval revoked',
  stillActive: (amount: string) => `Your approval of ${amount} is still active`,
  stillActiveMore: (spender: string) =>
    `${spender} may take that much from your wallet until you revoke the approval or use it up.`,
  takeBack: (amount: string) => `Revoke approval of ${amount}`,
});
