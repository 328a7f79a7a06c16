import { said } from '../language.ts';

// Whether a plan is carried out at all, in English: for Home and Plans.

export const servedWords = said('servedWords', {
  unserved: {
    not_ours: 'It uses an executor this page does not know, so this page’s agent never runs it.',
    not_served_signer: 'This page’s agent cannot sign the verdicts this plan requires.',
    not_served_price_source: 'It uses a price source this page does not know, so this page’s agent never runs it.',
    not_served_token: 'This page’s agent does not trade this token.',
    not_served_route: 'It trades two tokens with no pool between them here, so this page’s agent never runs it.',
    term_below_fee:
      'Its maximum slippage is below the fee of its pool, so at a fair price it never trades. The agent records no delays for it.',
    not_served_owner: 'The agent says it serves only another owner.',
    not_served_period: 'The agent says it does not run plans this often.',
    not_served_run_value: 'The agent says it does not make trades this small.',
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
    late: 'The agent says it is behind schedule.',
    not_ready: 'The agent says it cannot act now.',
    not_served_owner: 'The agent says it serves only another owner.',
    not_served_token: 'The agent says it does not repay this token.',
    not_served_trigger: 'The agent says it does not serve a trigger this high.',
    not_served_repay: 'The agent says it does not make rescues this small.',
  },
  /** After one of these. */
  noBuy: (why: string) => `${why} Trades might not happen.`,
  recipient: (address: string) => `Another account receives what it gets: ${address}.`,
  unseen: 'The agent has not reported in the last 30 seconds that it trades, so trades might not happen.',
});
