import type { Address } from 'viem';

const ofOnesOwn = /\b(?:my|mine|i|our|we)\b/i;
const ofAnAccount = /\b(?:plans?|loans?|guards?|health|debts?|collateral|liquidat\w*|positions?|borrow\w*)\b/i;
const isNamed = /0x[0-9a-f]{40}|\b(?:plan|guard) ?#?\d/i;

/**
 * A question about one's own plans or loan, with the address that the page shows: the agent does not know who asks. Any
 * other question tells it no address.
 */
export const withAddress = (prompt: string, owner: Address | undefined): string =>
  owner !== undefined && ofOnesOwn.test(prompt) && ofAnAccount.test(prompt) && !isNamed.test(prompt)
    ? `${prompt} (${owner})`
    : prompt;
