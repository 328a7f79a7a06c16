import type { GuardKey } from '@bowline/core/domain/guard-key';
import { said } from '../language.ts';
// What Loans says, in English.

export const guardWords = said('guardWords', {
  lead: 'When your loan’s health falls below the trigger, a guard repays just enough to restore your target.',
  purpose: 'see your loan and guard it',
  sharingUnknown: 'This view can’t tell whether other guards spend the same tokens.',
  allGuards: 'All guards of this account',
  readingLoan: 'Reading the loan',
  readingGuard: (id: GuardKey) => `Reading guard ${id}`,
  theGuards: 'The guards',
  newestGuards: 'The latest state of the guards',
  newestGuard: (id: GuardKey) => `The latest state of guard ${id}`,
  theLoan: 'The loan',
  newestLoan: 'The latest state of the loan',
  youPayFor: 'Guards you fund',
  paysFor: 'Guards this account funds',
  youPayForMore: 'Their rescues repay another account’s loan with your tokens. You can cancel each one separately.',
  noLoan: 'No loan to guard',
  noLoanMore: (scope: string) =>
    `This account has no debt in ${scope}. Once it borrows there, its health factor appears here.`,
  openProtocol: (name: string) => `Open ${name}`,
  repay: 'Repay',
  addCollateral: 'Add collateral',
  set: 'Set a guard',
  setAnother: 'Set another guard',
  closeNow: 'Close now',
  payForIt: 'Pay for its rescues',
  paidFrom: 'Paid',
  fromWallet: 'from my wallet',
  bySelling: 'by selling collateral',
  walletShort: (held: string, needed: string) =>
    `Your wallet holds ${held}; a rescue needs about ${needed}. Selling collateral needs nothing in the wallet.`,
  forLoan: (protocol: string) => ` for the loan in ${protocol}`,
  loadingForm: 'Loading the form',

  loanIn: (protocol: string) => `Your loan in ${protocol}`,
  loanOf: (account: string, protocol: string) => `Loan of ${account} in ${protocol}`,
  guardsUnknown: 'guards unknown',
  healthFactor: 'Health factor',
  healthAsOf: (time: string) => `Health factor as of ${time}`,
  debt: 'Debt',
  weighted: 'Weighted collateral',
  supplied: (amount: string) => `${amount} supplied`,
  owed: (amount: string) => `${amount} owed`,
  suppliedAndOwed: (supplied: string, owed: string) => `${supplied} supplied, ${owed} owed`,
  liquidation: 'Below 1.00 the collateral can be liquidated.',
  forcedUnread: (protocol: string) => ` Could not read whether ${protocol} forces liquidation.`,
  forced: (protocol: string, symbols: readonly string[]) =>
    `${protocol} lets anyone liquidate the ${symbols.length === 0 ? 'debt' : `${symbols.join(' and ')} debt`} at any health. Only repaying it protects the collateral.`,

  liquidated: 'liquidated',
  liquidatedOrAbove: 'liquidated, at least below',
  liquidatedAnywhere: 'liquidation is forced at any health',
  triggerMark: 'trigger',
  targetMark: 'target',
  mark: (name: string, health: string) => `${name} ${health}`,
  healthOf: (health: string, marks: readonly string[]) => `Health ${health}; ${marks.join(', ')}`,

  /** Shown on each row: several collaterals mostly move together, and then liquidation comes at higher prices. */
  onlyMoves: (symbol: string) => `If only ${symbol} moves`,
  rescueBelow: 'Rescue below',
  fundedDownTo: 'Funded down to',
  liquidatedBelow: 'Liquidated below',

  whatIf: 'What if prices move?',
  /** A button that lowers all prices. */
  fall: (percent: string) => `−${percent} %`,
  withoutGuard: 'Without the guard',
  withGuard: 'With the guard',
  reset: 'Reset',
  noDebt: 'no debt',
  weightedFor: (collateral: string, debt: string) => `${collateral} weighted collateral, ${debt} debt.`,
  liquidatableAnywhere: ' Anyone can liquidate it there: liquidation is forced at any health.',
  liquidatable: ' Anyone can liquidate it there, unless a rescue comes first.',
  wouldNot: (id: GuardKey, why: string) => `Guard ${id} would not rescue. ${why}`,
  wouldSell: (id: GuardKey, repaid: string, health: string) =>
    `Guard ${id} would sell collateral, repay ${repaid} and bring health to ${health}.`,
  would: (id: GuardKey, repaid: string, health: string, left: string) =>
    `Guard ${id} would repay ${repaid} and bring health to ${health}. ${left} would be left in the wallet.`,
  computedOnly: (protocol: string) =>
    `Computed by the page with ${protocol}’s own formula and rounding: this node could not simulate other prices.`,
  computedWithout: (protocol: string) =>
    `Computed by the page with ${protocol}’s own formula and rounding: this node could not simulate other prices, so what a guard would do is unknown.`,
  computedAsking: (protocol: string) =>
    `Computed by the page with ${protocol}’s own formula and rounding; asking ${protocol} …`,
  answered: (time: string, protocol: string) => `Answered at ${time} by ${protocol}, simulated at these prices.`,
  answeredWithGuards: (time: string, protocol: string) =>
    `Answered at ${time} by ${protocol} and the guard contract, simulated at these prices.`,
  priceForOne: (price: string, symbol: string, share: string) => `${price} for one ${symbol}, ${share}`,
  asNow: 'as now',
  belowNow: (percent: string) => `${percent} below now`,
  aboveNow: (percent: string) => `${percent} above now`,

  heading: (trigger: string, symbol: string, target: string) => `Below ${trigger}, repay ${symbol} to reach ${target}`,
  ended: (guards: number) => `Ended (${guards})`,
  noPause: (symbol: string) =>
    `Pausing revokes the approval of ${symbol}, which another guard uses too. To stop this guard alone, cancel it.`,
  audit: 'Audit this guard',
  pauseStep: (symbol: string) => `Pause: revoke the approval of ${symbol}`,
  receipts: 'the deposit’s receipts',
  unwind: 'no debt',
  sells: (token: string, cost: string) =>
    `It repays by selling some of this loan’s ${token}. One rescue costs at most ${cost} of what it repays, all-in.`,
  sellsSavings: (token: string, cost: string) =>
    `It repays from another account’s ${token} deposit. One rescue costs at most ${cost} of what it repays, all-in.`,
  cancelStep: (id: GuardKey) => `Cancel guard ${id} permanently`,
  setStep: 'Set the guard',
  paused: (id: GuardKey) => `Guard ${id} is paused: nothing is approved for it.`,
  approved: 'Approved.',
  cancelAsked: (id: GuardKey) => `Cancel guard ${id} permanently?`,
  cancelMore: 'This can’t be undone: this guard protects nothing after that. To guard the loan again, set a new one.',
  cancelNow: (id: GuardKey) => `Cancel guard ${id}`,
  keepIt: 'Keep guard',
  keepForOthers: (amount: string) => `, and keep ${amount}, which your other guards can take in a day`,
  spare: (amount: string) => `Guards are approved for ${amount} that none of your guards can use`,
  spareMore: 'This approval is left over from a guard that has ended or was never set.',
  takenBack: 'Approval revoked.',
  cancelled: (id: GuardKey) => `Guard ${id} cancelled.`,

  health: 'Health',
  healthNow: 'Health now',
  /** A fact from an old reading: "Health at 14:00 CET". */
  at: (name: string, time: string) => `${name} at ${time}`,
  approvedFact: 'Approved',
  approvedBy: (account: string) => `Approved by ${account}`,
  held: 'Balance',
  heldBy: (account: string) => `Balance of ${account}`,
  maxPerRescue: 'Max per rescue',
  maxPerDay: 'Max per day',
  leftToday: 'Left today (UTC)',
  minPerRescue: 'Min per rescue',
  cooldownBut: (time: string, exception: string) => `${time}; ${exception}`,
  expired: 'Expired',
  fundedDownToOf: (symbol: string) => `Funded down to (if only ${symbol} moves)`,

  lacks: (id: GuardKey) => `What guard ${id} needs`,
  /** Before the whole address. */
  payer: 'Paying account:',
  /** After "Copy", for screen readers. */
  ofPayer: ' the address of the paying account',
  lackExpires: (time: string) => `Expires on ${time}.`,
  lackExpired: (time: string) => `Expired on ${time}.`,
  lackAllowance: (has: string, needed: string) => `Approved: ${has} of the ${needed} the next rescue needs.`,
  lackBalance: (has: string, needed: string, more: string) =>
    `In the wallet: ${has} of the ${needed} the next rescue needs. Add ${more}.`,
  lackPerRescue: (has: string, needed: string) => `Max per rescue: ${has} of the ${needed} the target needs.`,
  lackToday: (has: string, needed: string) =>
    `Left of today’s limit: ${has} of the ${needed} the next rescue needs. It resets at 00:00 UTC.`,

  theRescues: 'The rescues',
  receipt: 'Receipt',
  receiptOf: (time: string) => `Receipt of the rescue on ${time}`,
  fell: (health: string, trigger: string) => `Health had fallen to ${health}, with the trigger at ${trigger}.`,
  paidBy: (repaid: string, after: string) => `${repaid} of debt repaid from the wallet. Health afterwards: ${after}.`,
  soldFor: (sold: string, repaid: string, after: string) =>
    `${sold} sold, ${repaid} of debt repaid. Health afterwards: ${after}.`,
  noFee: 'It cost the owner nothing else: the caller of a rescue pays its network fee.',
  soldAtCost: (most: string, percent: string) => `The sale cost at most ${most}, ${percent} of what it repaid.`,
  liquidationCost: (saved: string, protocol: string, percent: string) =>
    `A liquidation of the same amount takes at least ${saved} more of the collateral: ${protocol}’s own penalty of ${percent}.`,
  penaltyUnread: (protocol: string) => `${protocol}’s liquidation penalty could not be read.`,
  lookUp: 'Show prices and delay',
  looking: 'Reading older blocks …',
  pricesThen: (protocol: string, block: string, prices: readonly string[]) =>
    `In its block, ${block}, ${protocol}’s oracle priced ${prices.join(' and ')}.`,
  priceOfOne: (symbol: string, price: string) => `1 ${symbol} at ${price}`,
  pricesUnread: 'Prices are not shown: this node could not read them in the rescue’s block.',
  late: (blocks: string) => `It came ${blocks} after the first block in which health was below the trigger.`,
  lateBlocks: (blocks: number) => (blocks === 1 ? '1 block' : `${blocks} blocks`),
  lateUnknown: 'Unknown how late it was: this node keeps no older state, or another price triggered it.',
  allRescues: (rescues: number) => `All rescues (${rescues})`,
  rescued: (rescues: number) => (rescues === 1 ? '1 rescue' : `${rescues} rescues`),
  avoided: 'Liquidation penalty avoided, at least',
  csv: 'Download as CSV',
  rescuesOf: (id: GuardKey) => `Rescues of guard ${id}`,
  targetColumn: 'Target',
  triggerField: 'Protect below',
  atTrigger: (amount: string) => `About ${amount} just below the trigger.`,
  restoreTo: 'Restore to',
  triggeredBy: (health: string, source: string) => `${health}, triggered by ${source}`,

  newGuard: 'New guard',
  editTitle: (id: GuardKey) => `Edit guard ${id}`,
  setTitle: 'Guard set',
  onChain: 'It is on chain. See below what it can do now.',
  replaced: (id: GuardKey) => `It is on chain, and guard ${id} is cancelled. See below what it can do now.`,
  newUnread: 'The page has not read yet what the new guard can do now. Its card will show it.',
  networkFee: (cost: string) => `Network fee: about ${cost}`,
  repayWith: 'Repay with',
  repayWithHint: (owed: string) => `You owe ${owed}.`,
  healthUnit: 'health',
  total: 'With up to',
  totalHint: 'You approve exactly this.',
  cooldownAfter: 'Cooldown after a rescue',
  duration: 'Duration',
  endPassed: 'The end date you kept has passed. Choose a duration.',
  pricesOf: 'Price source',
  onlyProtocol: (protocol: string) => `${protocol}’s only`,
  orChainlink: (protocol: string) => `${protocol}’s or Chainlink’s, whichever gives the lower health`,
  pricesHint: (protocol: string) =>
    `Chainlink’s prices can fall first, so a rescue can come before a liquidation. It can also come when ${protocol}’s prices never follow. Its cooldown does not delay the next rescue by ${protocol}’s prices.`,
  sharedOwn: (symbol: string) => `You already have a guard that repays ${symbol}`,
  sharedOther: (symbol: string) => `You already pay ${symbol} for another account’s guard`,
  sharedApproved: (symbol: string) => `You have already approved ${symbol} to guards`,
  sharedMore: (approved: string) =>
    `This approval replaces your current approval of ${approved}; all guards you fund share it.`,
  approveAndSet: 'Approve and set',
  approveAndReplace: 'Approve and replace',
  mustWaitForOther:
    'Another approval for your guards is not finished. All guards you fund share it, and a new one replaces it, so this must wait.',
  mustWait:
    'Your loan and guards could not all be read just now. A new approval could leave a guard short, so it must wait.',
  keptEnd: (time: string) => `Until ${time} (unchanged)`,
  days30: '30 days',
  days90: '90 days',
  year: '1 year',
  triggerBounds: 'The trigger must be between 1.00 and 2.00.',
  targetBounds: 'The target must be at least 2 % above the trigger, and at most 10.',
  dayTooSmall: 'The daily limit must allow at least one rescue.',
  triggerHint: 'Under 1.05 a rescue may come too late.',
  triggerHintGap: (health: string, hours: string) =>
    `Under ${health} a rescue may come too late: in one hour of ${hours}, prices like yours move that far.`,

  sumBelow: (symbol: string, trigger: string) =>
    `Below a health factor of ${trigger}, a rescue repays your own ${symbol} debt.`,
  sumBelowAbout: (symbol: string, trigger: string, amount: string) =>
    `Below a health factor of ${trigger}, a rescue repays your own ${symbol} debt: about ${amount} just below it.`,
  sumAlready: 'Your loan’s health is already below the trigger.',
  sumAlreadyAbout: (amount: string) =>
    `Your loan’s health is already below the trigger: a rescue can happen immediately and repay about ${amount}.`,
  sumChainlink: (health: string) =>
    `At Chainlink’s prices, your loan’s health is ${health}, already below the trigger.`,
  sumChainlinkAbout: (health: string, amount: string) =>
    `At Chainlink’s prices, your loan’s health is ${health}, already below the trigger: a rescue can happen immediately and repay about ${amount}.`,
  sumTooSmall: (amount: string, least: string) =>
    `Right now it could repay only ${amount}, less than its smallest repayment of ${least}: the contract would refuse.`,
  sumLess: (target: string, needed: string) =>
    `Reaching ${target} would take ${needed}: caps, debt or your balance allow less, so health rises less.`,
  sumReaches: (target: string) => `That brings its health to ${target}.`,
  sumByProtocol: (protocol: string, health: string) =>
    `The amount is computed at ${protocol}’s prices, which put your health at ${health}.`,
  sumAlsoChainlink: (protocol: string, least: string) =>
    `A rescue also happens if Chainlink’s prices put the loan’s health below the trigger while ${protocol}’s put it only below the target. The amount is still computed at ${protocol}’s prices; no rescue repays less than ${least}.`,
  sumChainlinkUnread:
    'Your health at Chainlink’s prices could not be read. If it is below the trigger, a rescue can happen immediately.',
  sumChainlinkUnreadBut: (why: string) =>
    `Your health at Chainlink’s prices could not be read. They trigger no rescue now: ${why}.`,
  sumChainlinkNow: (health: string) => `At Chainlink’s prices, your health is ${health} now.`,
  sumChainlinkNowBut: (health: string, why: string) =>
    `At Chainlink’s prices, your health is ${health} now, but they trigger no rescue yet: ${why}.`,
  whyNotTarget: (protocol: string) => `at ${protocol}’s prices, your health is not below the target`,
  whyNotSmall: (protocol: string, needed: string) =>
    `at ${protocol}’s prices, the target needs only ${needed}, less than the guard’s smallest repayment`,
  sumCaps: (rescue: string, day: string, cooldown: string, exception = '') =>
    `At most ${rescue} per rescue and ${day} per UTC day, with ${cooldown} between rescues${exception && `; ${exception}`}.`,
  sumTotal: (total: string, symbol: string) =>
    `At most ${total} in total: you approve exactly that, for all guards that repay ${symbol}.`,
  sumAnybody: (debt: string) =>
    `Your tokens can only repay this debt of ${debt}. Anyone can call a rescue; the contract enforces your terms.`,
  sumOnly: (debt: string, keeper: string) =>
    `Your tokens can only repay this debt of ${debt}. Only ${keeper} can call a rescue; the contract enforces your terms.`,
  sumUntil: (end: string) => `Expires ${end}, unless you cancel it first.`,
});
