import { said } from '../language.ts';

// Words that people may not know, each explained in one sentence, in English. Found in texts by the word itself.

export const termWords = said('termWords', {
  verdict: 'What all checks of a price say together: GO, CAUTION, NO_GO or NO_DATA; only GO lets a plan trade.',
  'verdict signer': 'The key whose signed verdicts a plan accepts; without one, the executor decides alone.',
  plan: 'Your signed permission to buy or sell a set amount of one asset, on a schedule or at your price; a contract keeps its terms.',
  slots: 'The periods of a plan: in each of them it may trade once.',
  guard: 'Your signed permission to repay one loan when its health falls too low; a contract keeps its terms.',
  rescue: 'One repayment by a guard, which lifts the loan’s health.',
  'health factor': 'Your weighted collateral divided by your debt: below 1.00 anyone can liquidate the loan.',
  trigger: 'The health factor below which a guard may repay.',
  target: 'The health factor to which a guard’s repayment brings the loan.',
  cooldown: 'The shortest time between two rescues by one guard.',
  'weighted collateral': 'The part of your collateral’s value that the lending protocol counts against your debt.',
  'funded down to': 'The price to which that collateral can fall while one rescue can still restore your target.',
  executor: 'The contract that makes a plan’s trades; it can take one trade’s amount in each period, and nothing else.',
  evidence: 'Everything a verdict was based on, in one file: with it, anyone can re-evaluate it.',
  ticket: 'A verdict that the agent has signed, with a maximum price and an expiry.',
} as Readonly<Record<string, string>>);
