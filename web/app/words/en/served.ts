import { said } from '../language.ts';

// Whether a plan is carried out at all, in English: for Home and Plans.

export const servedWords = said('servedWords', {
  unserved: {
    executor: 'It uses an executor this page does not know, so this page’s agent never runs it.',
    signer: 'It requires verdicts from a signer this page does not know, so this page’s agent never runs it.',
    priceSource: 'It uses a price source this page does not know, so this page’s agent never runs it.',
    token: 'It trades a token this page does not list, so this page’s agent never runs it.',
    route: 'It trades two tokens that have no pool in common here, so this page’s agent never runs it.',
    termBelowFee:
      'Its maximum slippage is below the fee of its pool, so at a fair price it never buys. The agent records no delays for it.',
    agentToken: 'The agent says it does not trade this token.',
    agentSigner: 'The agent says it cannot sign the verdicts this plan requires.',
    agentPeriod: 'The agent says it does not run plans this often.',
    agentValue: 'The agent says it does not make buys this small.',
  },
  /** Why the agent, or a part of it, does not count as serving. */
  why: {
    unstated: 'The agent has not said which contracts it serves.',
    unreadable: 'The page cannot read the agent’s statement of what it serves.',
    old: 'The agent’s statement of what it serves is not current.',
    other_chain: 'The agent serves a different chain than this page.',
    other_contracts: 'The agent serves different contracts than this page.',
    off: 'The agent says it does not do this.',
    stopped: 'The agent’s operator has stopped it: it sends nothing until the stop ends.',
    dry_run: 'The agent is in dry-run mode: it sends nothing.',
    late: 'The agent says it is behind schedule.',
    not_ready: 'The agent says it cannot act now.',
    share: 'The agent leaves this guard to another agent that this page knows nothing about.',
    repay_token: 'The agent says it does not repay this token.',
    trigger: 'The agent says it does not serve a trigger this high.',
    cooldown: 'The agent says it does not serve a cooldown this short.',
    repay_value: 'The agent says it does not make rescues this small.',
  },
  /** After one of these. */
  noBuy: (why: string) => `${why} Buys might not happen.`,
  recipient: (address: string) => `It buys for another account: ${address}.`,
  unseen: 'The agent has not reported in the last 30 seconds that it makes buys, so they might not happen.',
});
