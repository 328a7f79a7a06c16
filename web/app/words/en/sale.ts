import { said } from '../language.ts';

// What the form of a guard that sells collateral says, in English.

export const saleFormWords = said('saleFormWords', {
  title: 'New guard that sells collateral',
  lead: 'For a loan with no idle tokens to repay it: a rescue sells some of the collateral and repays debt with the proceeds.',
  sell: 'Sell',
  goal: 'A rescue',
  restore: 'restores a target health',
  unwind: 'repays the whole debt',
  cost: 'Maximum cost',
  costHint:
    'All-in, as a share of what is repaid: pool fee, price impact and the protocol’s fee. It usually costs much less.',
  pool: 'Pool fee',
  sellAtMost: 'Sell at most',
  sellAtMostHint:
    'You approve the deposit’s receipt tokens for this: such guards can take no more until you approve more.',
  approveStep: (amount: string) => `Approve the receipts of ${amount}`,
  reading: 'Reading your deposit …',
  triggerHint: 'Keep it below the trigger of a guard that pays from your wallet, so idle tokens are used first.',
  triggerBounds: 'The trigger must be between 1.00 and 2.00.',
  targetBounds: 'The target must be at least 2 % above the trigger, and at most 10.',
  notBelow: 'The trigger must be below that of your guard that pays from the wallet.',
  costBounds: 'The maximum cost is limited to 10 %.',

  below: (trigger: string, sold: string, amount: string, repaid: string) =>
    `Below a health factor of ${trigger}, a rescue sells some of your ${sold} and repays your ${repaid} debt: about ${amount} if health has just fallen there.`,
  restores: (target: string) => `That brings health to ${target}, or less if a limit or the pool allows only less.`,
  closes: 'It repays the whole debt; the rest of the collateral stays yours.',
  costs: (percent: string, about: string, most: string) =>
    `It costs at most ${percent} of what it repays: up to ${about} for that rescue, and ${most} for the largest one. A liquidation takes more.`,
  afterwards: (sold: string) =>
    `Afterwards you own less ${sold}, owe less, and can borrow less. If the price recovers, what was sold does not come back.`,
  tight:
    'A maximum cost below 1 % blocks rescues in the very crash they are for: pools and prices are further apart then.',
  atMost: (amount: string) => `All its rescues together can take at most ${amount} of your deposit.`,
  needsPrices: (protocol: string) =>
    `It sells only while ${protocol} and Chainlink both have a fresh price, and at the one that values the deposit higher.`,
  closeTitle: 'Close the loan now',
  closeLead: 'Some of the collateral is sold at once, and the proceeds repay the whole debt.',
  close: 'Approve and close',
  closing: 'It is on chain. The next rescue closes the loan; the loan above shows it.',
  closesNow: (sold: string, debt: string) =>
    `Once an agent has found it on chain, within minutes, it sells about ${sold} of your collateral and repays your whole debt of ${debt}.`,
  keeps: (left: string) => `About ${left} stays yours, deposited as now.`,
  othersRemain: 'What you owe in other tokens remains.',
  closingCost: (percent: string, most: string) =>
    `It costs at most ${percent} of what it repays, ${most}, all-in, and usually much less. If the pool asks for more, it does not sell.`,
  closingEnds: (end: string) =>
    `Whatever is not closed by ${end} stays as it is. Until then, cancelling the guard, or “Stop everything”, ends it.`,
  tooLittle: (symbol: string) => `Your ${symbol} does not pay for the whole debt at this cost.`,
  wouldClose: (repaid: string) => `Simulated now: it repays ${repaid}, all of the debt.`,
  wouldCloseInPart: (repaid: string, owed: string) => `Right now it would repay only ${repaid} of ${owed}.`,
  cannotClose: 'Collateral cannot close this loan',
  noSale: (protocol: string) =>
    `Bowline cannot sell this loan’s collateral in ${protocol}. Repay from your wallet, or sell it there.`,
  tooHealthy: (most: string) =>
    `Agents act only below a health of ${most}, and yours is not below it. Repay from your wallet, or withdraw some collateral first.`,
  tooSmall: (least: string) => `Agents make no rescue below ${least}. Repay from your wallet.`,
  anybody:
    'Anyone can call a rescue; no one can change these terms. Cancelling the guard, or “Stop everything”, ends it.',
});
