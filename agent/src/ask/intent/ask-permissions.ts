import { lendingNames } from '@bowline/core/registry/lending';
import type { Intent, Question, ToolCall } from './question.ts';
import { MAX_RECORDS, using } from './question.ts';

const past =
  /\b(?:did|has|have|had|was|were|ever|history|record|repaid|rescued (?:so|in|last)|last|ago|since|happened)\b/;

const guarding = new RegExp(`\\b(?:${lendingNames.join('|')}|protect\\w*|guards?|guarded)\\b`, 'i');

/** Reads questions about loans and the guards that protect them; undefined for other topics. */
export function askLoans(question: Question): Intent | undefined {
  const { words, assets, address, guard } = question;
  if (guard !== undefined) {
    if (past.test(words) && !/\b(?:if|would)\b/.test(words)) return { refusal: 'no_rescue_record' };
    if (/\b(?:enough|should|good|bad|safe|fair|worth|right)\b(?! now)/.test(words))
      return { refusal: 'not_understood' };
    return using(question, ['guard'], { calls: [{ tool: 'preview_rescue', input: { guard } }] });
  }
  if (/\brescu\w*/.test(words)) return past.test(words) ? { refusal: 'no_rescue_record' } : { missing: 'guard' };
  const loan =
    /\bloans?\b|\bhealth\w*|\bliquidat\w*|\bborrow\w*|\bdebts?\b|\bow(?:e|es|ed|ing)\b|\bcollateral\w*|\brepa(?:y|id)\w*/;
  const lending = assets.length === 0 && guarding.test(words);
  const inDanger =
    address !== undefined &&
    assets.length === 0 &&
    /\bdanger\w*|\brisk\w*|\bsafe\w*|\bstatus\b/.test(words) &&
    !/\b(?:buy|sell|swap|invest|trad\w+|token|coin)\b/.test(words);
  if (!loan.test(words) && !lending && !inDanger) return undefined;
  // Current debt, collateral and health of an account: nothing else about a loan is available.
  if (/\b(?:price|rate|interest|should|did|was|were|can .* borrow|how many|in total|drop\w*|fall\w*)\b/.test(words)) {
    return { refusal: 'no_loan_detail' };
  }
  if (assets.length > 0) return { refusal: 'no_loan_detail' };
  if (address === undefined) return { missing: 'address' };
  return using(question, ['address'], { calls: [{ tool: 'loan_health', input: { borrower: address } }] });
}

const next =
  /\bnext\b|\boutlook\b|\bwhen (?:does|will|is|are|do|can|should)\b|\bwill\b|\bdue\b|\btomorrow\b|\bupcoming\b|\bsoon\b/;
const terms =
  /\b(?:active|paused?|cancell?ed|expir\w*|how often|every|owne[dr]s?|owns?|whose|who|belongs?|terms|settings|slippage|frequency|period|left|remain\w*|how many (?:times|runs)|is there|exists?)\b|\b(?:what|which|how much) (?:does|is|will|do)\b|\bwhat\b.*\bbuy(?:ing|s)?\b/;
/** How long the owner's funds last. */
const funded =
  /\b(?:money|funds?|funded|balance|budget|usdt|stablecoin)\b.*\b(?:left|remain\w*|enough|covers?|last)\b|\b(?:enough|covers?)\b.*\b(?:money|funds?|balance|budget)\b/;
const about = /\b(?:about|status|details?|describe|explain|show|overview|summary|info(?:rmation)?)\b/;
const happened =
  /\b(?:happen\w*|runs?|ran|records?|defer\w*|did|has|have|was|were|history|execut\w*|fail\w*|skip\w*|delay\w*|last|latest|bought|spent|results?)\b/;

/** Reads questions about plans and their records. */
export function askPlans(question: Question): Intent | undefined {
  const { words, assets, address, plan, count } = question;
  const says = /\bplans?\b|\bdca\b|\brecurring\b|\bstanding\b|\bscheduled\b/.test(words);
  if (plan === undefined && !says && (assets.length > 0 || !/\bruns?\b|\brecords?\b|\bdefer\w*/.test(words)))
    return undefined;
  // "When did" asks for the record, "when does" for the next run.
  if (next.test(words) && !/\bwhen did\b|\bexpir\w*/.test(words)) {
    if (plan === undefined) return { missing: 'plan' };
    return using(question, ['plan'], { calls: [{ tool: 'plan_outlook', input: { plan } }] });
  }
  if (plan !== undefined && funded.test(words)) {
    return using(question, ['plan'], { calls: [{ tool: 'plan_outlook', input: { plan } }] });
  }
  if (plan !== undefined) {
    const all = count === undefined && /\b(?:total|so far|altogether|in all|how much (?:has|did))\b/.test(words);
    const limit = all ? MAX_RECORDS : count;
    const runs: ToolCall = { tool: 'list_runs', input: { plan, ...(limit && { count: limit }) } };
    const calls = ofPlan(words, plan, runs);
    // Each record has its time; a sum over a time is not made.
    const dated = /\b(?:total|spent|paid|how (?:much|many))\b/.test(words) ? [] : (['span'] as const);
    return calls === undefined
      ? { refusal: 'not_understood' }
      : using(question, calls.includes(runs) ? ['plan', 'count', ...dated] : ['plan'], { calls });
  }
  if (assets.length > 0) return { refusal: 'no_plans_by_asset' };
  if (/\bruns?\b|\brecords?\b|\bdefer\w*|\bhappen\w*/.test(words)) return { missing: 'plan' };
  if (/\b(?:total|spent|bought|paid)\b/.test(words)) return { missing: 'plan' };
  if (address !== undefined)
    return using(question, ['address'], { calls: [{ tool: 'list_plans', input: { owner: address } }] });
  // The caller is unknown, and not every plan is theirs.
  if (/\b(?:my|mine|i|our|we)\b/.test(words)) return { missing: 'address' };
  return using(question, [], { calls: [{ tool: 'list_plans', input: {} }] });
}

function ofPlan(words: string, plan: string, runs: ToolCall): ToolCall[] | undefined {
  // The newest plan below the next ID.
  const list: ToolCall = {
    tool: 'list_plans',
    input: { count: 1, before: (BigInt(plan) + 1n).toString() },
    details: { plan },
  };
  // How well it performed is a judgement, not a record.
  if (/\b(?:fair|good|bad|safe|worth|profit\w*|should|price)\b/.test(words)) return undefined;
  const rest = words.replace(/\bplan\b/, '').trim();
  if (/\bwhy\b/.test(words)) return /\b(?:paused?|cancell?ed|active)\b/.test(words) ? undefined : [runs];
  if (rest === '' || (about.test(words) && !/\b(?:runs?|records?|defer\w*|history)\b/.test(words))) return [list, runs];
  if (terms.test(words) && !/\b(?:did|spent|bought so)\b/.test(words)) return [list];
  return happened.test(words) ? [runs] : undefined;
}
