import { said } from '../language.ts';

// What the form of a guard that sells collateral says, in English.

export const saleFormWords = said('saleFormWords', {
  title: 'New guard that sells collateral',
  lead: 'For a loan without idle tokens beside it: a rescue sells some of the collateral and repays with it.',
  sell: 'Sell',
  goal: 'A rescue',
  restore: 'restores a target health',
  unwind: 'repays the whole debt',
  cost: 'Highest cost',
  costHint: 'All-in, of what is repaid: pool fee, price impact and the protocol’s fee. Usually it costs much less.',
  pool: 'Pool fee',
  sellAtMost: 'Sell at most',
  sellAtMostHint: 'You approve the deposit’s receipts for this: such guards can take no more until you approve more.',
  approveStep: (amount: string) => `Approve the receipts of ${amount}`,
  reading: 'Reading your deposit …',
  triggerHint: 'Below that of a guard that pays out of your wallet, so that idle tokens are used first.',
  triggerBounds: 'The trigger must be between 1.00 and 2.00.',
  targetBounds: 'The target must be at least 2 % above the trigger, and at most 10.',
  notBelow: 'The trigger must be below that of your guard that pays out of the wallet.',
  costBounds: 'The highest cost is 10 % at most.',

  below: (trigger: string, sold: string, amount: string, repaid: string) =>
    `Below a health factor of ${trigger}, a rescue sells some of your ${sold} and repays your ${repaid} debt: about ${amount} if health has just fallen there.`,
  restores: (target: string) => `That brings health to ${target}, or less far where a limit or the pool allows less.`,
  closes: 'It repays the whole debt, and the rest of the collateral stays yours.',
  costs: (percent: string, about: string, most: string) =>
    `It costs at most ${percent} of what it repays: up to ${about} for that rescue, and ${most} for the largest one. A liquidation takes more.`,
  afterwards: (sold: string) =>
    `Afterwards you own less ${sold}, owe less, and can borrow less. What was sold does not come back when its price does.`,
  tight:
    'A highest cost below 1 % stops rescues in the crash that they are for: pools and prices lie further apart then.',
  atMost: (amount: string) => `All its rescues together can take at most ${amount} of your deposit.`,
  needsPrices: (protocol: string) =>
    `It sells only while ${protocol} and Chainlink both have a fresh price, and by the one that makes your collateral worth more.`,
  anybody:
    'Anybody may call a rescue, and nobody can change these terms. Cancelling it, or stopping everything, ends it.',
});
