import { said } from '../language.ts';
// What Guard says, in English.

export const guardWords = said('guardWords', {
  title: 'Guard',
  lead: 'When your loan’s health falls below the trigger, a guard repays just enough to restore your target.',
  purpose: 'see your loan and guard it',
  guard: (id: bigint) => `Guard ${id}`,
  sharingUnknown: 'Whether other guards are paid from the same tokens is not known here.',
  allGuards: 'All guards of this account',
  readingLoan: 'Reading your loan',
  readingGuard: (id: bigint) => `Reading guard ${id}`,
  yourGuards: 'Your guards',
  newestGuards: 'The newest state of your guards',
  newestGuard: (id: bigint) => `The newest state of guard ${id}`,
  yourLoan: 'Your loan',
  newestLoan: 'The newest state of your loan',
  youPayFor: 'Guards that you pay for',
  youPayForMore: 'Their rescues repay another account’s loan from your tokens. You can cancel each alone.',
  noLoan: 'No loan to guard',
  noLoanMore: (scope: string) =>
    `This account owes nothing in ${scope}. Once it has borrowed there, its health is shown here.`,
  openProtocol: (name: string) => `Open ${name}`,
  set: 'Set a guard',
  setAnother: 'Set another guard',

  loanIn: (protocol: string) => `Your loan in ${protocol}`,
  loanOf: (account: string, protocol: string) => `Loan of ${account} in ${protocol}`,
  notGuarded: 'not guarded',
  guardsUnknown: 'guards not known',
  healthFactor: 'Health factor',
  healthAsOf: (time: string) => `Health factor as of ${time}`,
  debt: 'Debt',
  weighted: 'Weighted collateral',
  supplied: (amount: string) => `${amount} supplied`,
  owed: (amount: string) => `${amount} owed`,
  suppliedAndOwed: (supplied: string, owed: string) => `${supplied} supplied, ${owed} owed`,
  liquidation: 'Below 1.00 your collateral can be liquidated.',
  forcedUnread: (protocol: string) => ` Whether ${protocol} forces liquidation could not be read.`,
  forced: (protocol: string, symbols: readonly string[]) =>
    `${protocol} lets anyone liquidate your ${symbols.length === 0 ? 'debt' : `${symbols.join(' and ')} debt`} at any health. Only repaying it protects you.`,

  liquidated: 'liquidated',
  liquidatedOrAbove: 'liquidated, at least below',
  liquidatedAnywhere: 'liquidation is forced at any health',
  triggerMark: 'trigger',
  targetMark: 'target',
  mark: (name: string, health: string) => `${name} ${health}`,
  healthOf: (health: string, marks: readonly string[]) => `Health ${health}; ${marks.join(', ')}`,

  prices: (protocol: string) => `Prices that matter, ${protocol}`,
  ifFalls: 'If only this falls',
  now: 'Now',
  rescueBelow: 'Rescue below',
  fundedDownTo: 'Funded down to',
  liquidatedBelow: 'Liquidated below',
  pricesMore: (id: bigint) =>
    `Down to the funded price, one rescue by guard ${id} reaches its target with what is approved and held now, unless another guard or a plan has used that first. Below the liquidation price, a liquidation can come first.`,

  whatIf: 'What if prices move?',
  whatIfMore: 'Move a price to see what would happen to your loan. Nothing is sent.',
  reset: 'Reset',
  noDebt: 'no debt',
  weightedFor: (collateral: string, debt: string) => `${collateral} of weighted collateral for ${debt} of debt.`,
  /** Between a health and the sentence part after it. */
  comma: ', ',
  liquidatableAnywhere: ' Anybody may liquidate it there: liquidation is forced at any health.',
  liquidatable: ' Anybody may liquidate it there, unless a rescue comes first.',
  wouldNot: (id: bigint, why: string) => `Guard ${id} would not rescue. ${why}`,
  would: (id: bigint, repaid: string, health: string, left: string) =>
    `Guard ${id} would repay ${repaid} and bring health to ${health}. ${left} would be left in the wallet.`,
  computedOnly: (protocol: string) =>
    `Computed by the page with ${protocol}’s own formula and rounding: this node could not simulate other prices.`,
  computedWithout: (protocol: string) =>
    `Computed by the page with ${protocol}’s own formula and rounding: this node could not simulate other prices, so what a guard would do is not known.`,
  computedAsking: (protocol: string) =>
    `Computed by the page with ${protocol}’s own formula and rounding; asking ${protocol} …`,
  answered: (time: string, protocol: string) => `Answered at ${time} by ${protocol}, simulated at these prices.`,
  answeredWithGuards: (time: string, protocol: string) =>
    `Answered at ${time} by ${protocol} and the guard contract, simulated at these prices.`,
  priceForOne: (price: string, symbol: string, share: string) => `${price} for one ${symbol}, ${share}`,
  asNow: 'as now',
  belowNow: (percent: string) => `${percent} below now`,
  aboveNow: (percent: string) => `${percent} above now`,

  heading: (trigger: string, symbol: string, target: string) => `Below ${trigger}, repay ${symbol} up to ${target}`,
  units: (base: bigint) => `${base} units`,
  edit: 'Edit',
  ended: (guards: number) => `Ended (${guards})`,
  pause: 'Pause',
  cancel: 'Cancel for good',
  audit: 'Audit of this guard',
  approveStep: (amount: string) => `Approve ${amount}`,
  pauseStep: (symbol: string) => `Pause: take back the approval of ${symbol}`,
  cancelStep: (id: bigint) => `Cancel guard ${id} for good`,
  setStep: 'Set the guard',
  paused: (id: bigint) => `Guard ${id} is paused: nothing is approved for it.`,
  approved: 'Approved.',
  cancelAsked: (id: bigint) => `Cancel guard ${id} for good?`,
  cancelMore: 'Terms never come back: to guard the loan again you set another guard. Until then nothing of it is left.',
  cancelNow: (id: bigint) => `Cancel guard ${id}`,
  keepIt: 'Keep it',
  takeBackToo: (amount: string) => `Take back its approval of ${amount} too`,
  keepForOthers: (amount: string) => `, and keep ${amount}, which your other guards may take in a day`,
  takeBackStep: (amount: string) => `Take back its approval of ${amount}`,
  spare: (amount: string) => `Guards may still take ${amount}, and none of your guards can use it`,
  spareMore: 'It was left by a guard that has ended, or by one that was never set.',
  takeBack: (amount: string) => `Take back ${amount}`,
  takenBack: 'Approval taken back.',
  cancelled: (id: bigint) => `Guard ${id} cancelled.`,

  borrower: 'Borrower',
  health: 'Health',
  healthNow: 'Health now',
  /** A fact of a reading that is old: "Health at 14:00 CET". */
  at: (name: string, time: string) => `${name} at ${time}`,
  approvedFact: 'Approved',
  approvedBy: (account: string) => `Approved by ${account}`,
  held: 'Held',
  heldBy: (account: string) => `Held by ${account}`,
  maxPerRescue: 'Max per rescue',
  maxPerDay: 'Max per day',
  leftToday: 'Left today (UTC)',
  minPerRescue: 'Min per rescue',
  cooldown: 'Cooldown',
  cooldownBut: (time: string, exception: string) => `${time}; ${exception}`,
  whoCanRescue: 'Who can rescue',
  anyone: 'anyone',
  alsoTriggeredBy: 'Also triggered by',
  expired: 'Expired',
  expires: 'Expires',
  notKnown: 'not known',
  fundedDownToOf: (symbol: string) => `Funded down to (${symbol})`,

  lacks: (id: bigint) => `What guard ${id} lacks`,
  approve: (amount: string) => `Approve ${amount}`,
  extend: 'Extend',
  raise: 'Raise the limit',
  /** Before the whole address. */
  payer: 'The account that pays:',
  /** After "Copy", for screen readers. */
  ofPayer: ' the address of the account that pays',
  buy: (symbol: string) => `Buy ${symbol}`,
  lackExpires: (time: string) => `Expires on ${time}.`,
  lackExpired: (time: string) => `Expired on ${time}.`,
  lackAllowance: (has: string, needed: string) => `Approved: ${has} of the ${needed} that the next rescue needs.`,
  lackBalance: (has: string, needed: string, more: string) =>
    `In the wallet: ${has} of the ${needed} that the next rescue needs. Add ${more}.`,
  lackPerRescue: (has: string, needed: string) => `Max per rescue: ${has} of the ${needed} that the target needs.`,
  lackToday: (has: string, needed: string) =>
    `Left of today’s limit: ${has} of the ${needed} that the next rescue needs. It resets at 00:00 UTC.`,

  noRescue: 'No rescue yet.',
  theRescues: 'The rescues',
  rescuesOf: (id: bigint) => `Rescues of guard ${id}`,
  when: 'When',
  repaid: 'Repaid',
  before: 'Health before',
  after: 'Health after',
  targetColumn: 'Target',
  triggeredBy: (health: string, source: string) => `${health}, triggered by ${source}`,
  noDebtLeft: 'no debt left',
  reached: 'reached',
  inPart: 'in part',

  newGuard: 'New guard',
  editTitle: (id: bigint) => `Edit guard ${id}`,
  close: 'Close',
  setTitle: 'Guard set',
  onChain: 'It is on the chain. What it could do now stands below.',
  replaced: (id: bigint) => `It is on the chain, and guard ${id} is cancelled. What it could do now stands below.`,
  newUnread: 'What the new guard could do now has not been read yet. Its card will say it.',
  wouldRefuse: 'The contract would refuse this',
  networkFee: (cost: string) => `Network fee, about ${cost}`,
  notTried: 'This node could not simulate it. You can still sign.',
  repayWith: 'Repay with',
  repayWithHint: (owed: string, held: string) => `You owe ${owed} and hold ${held}.`,
  trigger: 'Trigger',
  target: 'Target',
  healthUnit: 'health',
  targetHint: 'A rescue brings health up to it.',
  total: 'Max in total',
  totalHint: 'This is what you approve: guards can take no more than it until you approve more.',
  cooldownAfter: 'Cooldown after a rescue',
  duration: 'Duration',
  endPassed: 'The end that you kept has passed. Choose a duration.',
  pricesOf: 'Prices that trigger it',
  onlyProtocol: (protocol: string) => `${protocol}’s only`,
  orChainlink: (protocol: string) => `${protocol}’s or Chainlink’s, whichever give the lower health`,
  pricesHint: (protocol: string) =>
    `Chainlink’s prices can fall first, so a rescue can come before a liquidation. It can also come when ${protocol}’s prices never follow. Its cooldown does not hold back the next rescue by ${protocol}’s prices.`,
  sharedOwn: (symbol: string) => `You have a guard that repays ${symbol} already`,
  sharedOther: (symbol: string) => `You pay ${symbol} for another account’s guard already`,
  sharedApproved: (symbol: string) => `You have approved ${symbol} to guards already`,
  sharedMore: (approved: string) =>
    `What you approve here replaces the ${approved} that you have approved; all guards that you pay for share it.`,
  signing: 'Signing …',
  approveAndSet: 'Approve and set',
  approveAndReplace: 'Approve and replace',
  mustWait:
    'Your loan and your guards could not all be read just now. A new approval could take from a guard, so it must wait.',
  keptEnd: (time: string) => `Until ${time}, as now`,
  days30: '30 days',
  days90: '90 days',
  year: '1 year',
  triggerBounds: 'The trigger lies between 1.00 and 2.00.',
  targetBounds: 'The target lies at least 2 % above the trigger, and at 10 at most.',
  dayTooSmall: 'A day must allow at least one rescue.',
  triggerHint: 'A rescue comes below it. Under 1.05 it may come too late.',
  triggerHintGap: (health: string, hours: string) =>
    `A rescue comes below it. Under ${health} it may come too late: in one hour of ${hours}, prices like yours move that far.`,

  sumBelow: (symbol: string, trigger: string) =>
    `Below a health of ${trigger} a rescue repays your own ${symbol} debt.`,
  sumBelowAbout: (symbol: string, trigger: string, amount: string) =>
    `Below a health of ${trigger} a rescue repays your own ${symbol} debt: about ${amount} if health has just fallen there.`,
  sumAlready: 'Your loan’s health is below the trigger already.',
  sumAlreadyAbout: (amount: string) =>
    `Your loan’s health is below the trigger already: a rescue can come at once, and repay about ${amount}.`,
  sumChainlink: (health: string) => `By Chainlink’s prices your loan’s health is ${health}, below the trigger already.`,
  sumChainlinkAbout: (health: string, amount: string) =>
    `By Chainlink’s prices your loan’s health is ${health}, below the trigger already: a rescue can come at once, and repay about ${amount}.`,
  sumTooSmall: (amount: string, least: string) =>
    `As things are it could repay only ${amount}, less than its smallest repayment of ${least}: the contract would refuse.`,
  sumLess: (target: string, needed: string) =>
    `Its ${target} target would need ${needed}: caps, debt or what you hold allow less, so health rises less.`,
  sumReaches: (target: string) => `That brings its health to ${target}.`,
  sumByProtocol: (protocol: string, health: string) =>
    `The amount is computed by ${protocol}’s prices, by which your health is ${health}.`,
  sumAlsoChainlink: (protocol: string, least: string) =>
    `A rescue also comes if Chainlink’s prices put your health below the trigger while ${protocol}’s put it only below the target. The amount is still computed by ${protocol}’s prices; no rescue comes for less than ${least}.`,
  sumChainlinkUnread:
    'Your health by Chainlink’s prices could not be read. If it is below the trigger, a rescue can come at once.',
  sumChainlinkUnreadBut: (why: string) =>
    `Your health by Chainlink’s prices could not be read. No rescue comes by them now: ${why}.`,
  sumChainlinkNow: (health: string) => `By Chainlink’s prices your health is ${health} now.`,
  sumChainlinkNowBut: (health: string, why: string) =>
    `By Chainlink’s prices your health is ${health} now, but no rescue comes by them yet: ${why}.`,
  whyNotTarget: (protocol: string) => `by ${protocol}’s prices your health is not below the target`,
  whyNotSmall: (protocol: string, needed: string) =>
    `by ${protocol}’s prices the target needs only ${needed}, less than the guard’s smallest repayment`,
  sumCaps: (rescue: string, day: string, cooldown: string) =>
    `At most ${rescue} in one rescue and ${day} in a UTC day, and ${cooldown} between two.`,
  sumCapsBut: (rescue: string, day: string, cooldown: string, exception: string) =>
    `At most ${rescue} in one rescue and ${day} in a UTC day, and ${cooldown} between two; ${exception}.`,
  sumTotal: (total: string, symbol: string) =>
    `At most ${total} in total: you approve exactly that, for all guards that repay ${symbol}.`,
  sumAnybody: (debt: string) =>
    `Your tokens can do nothing here but repay this debt of ${debt}. Anybody may call the rescue; the contract checks your terms.`,
  sumOnly: (debt: string, keeper: string) =>
    `Your tokens can do nothing here but repay this debt of ${debt}. Only ${keeper} may call the rescue; the contract checks your terms.`,
  sumUntil: (end: string) => `It holds until ${end}, or until you cancel it.`,
});
