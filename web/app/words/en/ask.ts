import { said } from '../language.ts';
// What Ask says, in English.

export const askWords = said('askWords', {
  lead: 'Ask about prices, plans and loans. Answers never sign or move anything.',
  examples: 'Examples',
  conversation: 'Conversation',
  choices: 'Choices',
  looking: 'Getting an answer …',
  limit: 'Shared limit: 20 questions a minute. Answers don’t use earlier messages.',
  question: 'Your question',
  send: 'Ask',
  byModel: 'Answered by a language model',
  byRules: 'Answered by rules, without a language model',
  noTool: '; it used no tools.',
  from: (tools: string) => `, from ${tools}.`,
  knows: (address: string) => `Questions about “my” plans or loan are sent with ${address}.`,
  upTo: (amount: string, price: string) => `Good for up to ${amount}, at no more than ${price}.`,
  checking: 'Checking the signature and the evidence …',
  follows: 'Checked in this browser: signed by this deployment, and it follows from its evidence.',
  followsLooser:
    'Checked in this browser: signed by this deployment, and it follows from its evidence, but by looser limits than this project’s.',
  signedOnly:
    'Checked in this browser: signed by this deployment. Its evidence is not available, so only the signature vouches for it.',
  wrong: 'not valid',
  unchecked: 'This ticket could not be checked. Don’t rely on it.',
  validUntil: (time: string) => `Valid until ${time}.`,
  sale: (symbol: string) => `Selling ${symbol}`,
  purchase: (symbol: string) => `Buying ${symbol}`,
  /** Prompts for a user without an account. The agent understands English and Chinese. */
  prompts: ['Is BTCB fairly priced right now?', 'What does ETH cost?', 'Which plans are there?'],
  ownPrompts: ['Is my loan safe?', 'Which plans do I have?', 'Is BTCB fairly priced right now?'],
});
