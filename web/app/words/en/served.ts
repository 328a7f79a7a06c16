import { said } from '../language.ts';

// Whether a plan is carried out at all, in English: for Home and Plans.

export const servedWords = said('servedWords', {
  unserved: {
    executor: 'Its executor is not the one that this page knows, so this page’s agent never runs it.',
    signer: 'It demands verdicts of a signer that this page does not know, so this page’s agent never runs it.',
    priceSource: 'It names a price source that this page does not know, so this page’s agent never runs it.',
    token: 'It trades a token that this page does not list, so this page’s agent never runs it.',
    agentToken: 'The agent says that it does not trade this token.',
    agentSigner: 'The agent says that it cannot sign the verdicts that this plan demands.',
    agentPeriod: 'The agent says that it does not run plans this often.',
    agentValue: 'The agent says that it does not make buys this small.',
  },
  /** Why the agent, or a part of it, does not count as serving. */
  why: {
    unstated: 'The agent has not said which contracts it serves.',
    unreadable: 'The page cannot read what the agent says that it serves.',
    old: 'What the agent says that it serves is of another time than now.',
    other_chain: 'The agent serves another chain than this page.',
    other_contracts: 'The agent serves other contracts than this page.',
    off: 'The agent says that it does not do this.',
    stopped: 'The agent’s operator has stopped it: it sends nothing until the stop ends.',
    dry_run: 'The agent only tries out what it would do: it sends nothing.',
    late: 'The agent says that it is late with its rounds.',
    not_ready: 'The agent says that it cannot act now.',
    share: 'The agent leaves this guard to another agent, of which the page knows nothing.',
    repay_token: 'The agent says that it does not repay this token.',
    trigger: 'The agent says that it does not serve a trigger this high.',
    cooldown: 'The agent says that it does not serve a cooldown this short.',
    repay_value: 'The agent says that it does not make rescues this small.',
  },
  /** After one of these. */
  noBuy: (why: string) => `${why} No buy may come.`,
  recipient: (address: string) => `What it buys goes to ${address}, not to you.`,
  unseen: 'The agent has not said in the last half minute that it makes buys: none may come.',
});
