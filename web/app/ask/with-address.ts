import type { Address } from 'viem';

const ofOnesOwn = /\b(?:my|mine|i|our|we)\b|[我咱]/i;
const ofAnAccount =
  /\b(?:plans?|loans?|guards?|health|debts?|collateral|liquidat\w*|positions?|borrow\w*)\b|计划|定投|贷款|借款|守护|健康|债务|欠|抵押|清算|爆仓|仓位/i;
const isNamed = /0x[0-9a-f]{40}|\b(?:plan|guard) ?#?\d|(?:计划|守护)\s*#?\d|\d+\s*[号个](?:定投)?计划/i;

/**
 * Adds the address that the page shows to a question about the user's own plans or loan, because the agent does not
 * know who asks. Any other question sends no address.
 */
export const withAddress = (prompt: string, owner: Address | undefined): string =>
  owner !== undefined && ofOnesOwn.test(prompt) && ofAnAccount.test(prompt) && !isNamed.test(prompt)
    ? `${prompt} (${owner})`
    : prompt;
