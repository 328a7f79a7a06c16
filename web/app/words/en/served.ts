import { said } from '../language.ts';

// Whether a plan is carried out at all, in English: for Home and Plans.

export const servedWords = said('servedWords', {
  unserved: {
    executor: 'Its executor is not the one that this page knows, so this page’s agent never runs it.',
    signer: 'It demands verdicts of a signer that this page does not know, so this page’s agent never runs it.',
    priceSource: 'It names a price source that this page does not know, so this page’s agent never runs it.',
    token: 'It trades a token that this page does not list, so this page’s agent never runs it.',
  },
  recipient: (address: string) => `What it buys goes to ${address}, not to you.`,
  unseen: 'The agent has not said in the last half minute that it makes buys: none may come.',
});
