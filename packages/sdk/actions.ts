import { type ChainClient, nobody } from '@bowline/chain/chain-client';
import { createGuardReader } from '@bowline/chain/guard-reader';
import { outlookOf } from '@bowline/chain/plan-outlook';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { keptForOthersOf, plansOfOwner } from '@bowline/chain/plans-of-owner';
import { createSourcePriceReader } from '@bowline/chain/source-price-reader';
import type { GuardKey } from '@bowline/core/domain/guard-key';
import type { IntendedTrade, TicketAnswer } from '@bowline/core/replay/ticket-check';
import { type Address, type Chain, type Client, publicActions, type Transport } from 'viem';
import { deploymentOf } from './deployment.ts';
import * as drafts from './drafts.ts';
import { replayAnswer } from './replay.ts';
import { verifyTicket } from './ticket.ts';

export type BowlineActions = ReturnType<ReturnType<typeof bowlineActions>>;

/**
 * Bowline's reads and drafts as actions of a viem client: `client.extend(bowlineActions(deployment))`. Reads throw
 * BowlineError; `chain_unavailable` may be retried.
 * @param known if omitted, the package's own deployment on the client's chain. @throws Error if it has none there.
 */
export const bowlineActions = (known?: drafts.Deployment) => (client: Client<Transport, Chain | undefined>) => {
  const deployment = known ?? deploymentOf(client.chain?.id ?? 0);
  const { contracts, assets, lending, pancake } = deployment;
  const reads = client.extend(publicActions) as unknown as ChainClient;
  const plans = createPlanReader(reads, contracts, assets);
  const guardsBy = (keeper: Address) => createGuardReader(reads, { own: contracts, lending, pancake }, keeper);
  const guards = guardsBy(nobody());
  const chain = { ...plans, ...createSourcePriceReader(reads) };
  const bound =
    <Rest extends unknown[], Result>(draft: (deployment: drafts.Deployment, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      draft(deployment, ...rest);
  return {
    /** A plan with its owner's funds. */
    readPlan: async (id: bigint) => (await plans.planWithFunds(id)).plan,
    /** An owner's plans; `isWhole` unless the node left some out. */
    plansOf: (owner: Address) => plansOfOwner(plans, owner),
    /** Records of a plan, oldest first: `from` inclusive, `to` exclusive. */
    readRuns: plans.runs,
    /** When a plan may run next, what but the verdict on its trade would stop it, and how many runs are paid for. */
    planOutlook: async (id: bigint) => outlookOf(chain, assets, await plans.planWithFunds(id)),
    readGuard: guards.guard,
    guardsOf: guards.guardsFor,
    /** A borrower's loan (of several, the one in the most danger): debt, collateral, health, positions. */
    loanHealth: guards.loan,
    /** What a rescue would repay now, or the error with which it would revert. */
    async previewRescue(key: GuardKey) {
      const { keeper } = await guards.guard(key);
      return (keeper === undefined ? guards : guardsBy(keeper)).preview(key);
    },
    /** Approves what these plans need in addition to the owner's other plans on the chain. */
    async approvePlansCall(terms: readonly drafts.PlanTerms[]) {
      const [first] = terms;
      const others = first ? (await keptForOthersOf(plans, first.owner, first.tokenIn)).others : 0n;
      return drafts.approveCall(deployment, terms, others);
    },
    draftCreation: (terms: readonly drafts.PlanTerms[], validSeconds?: number) =>
      drafts.draftCreation(reads, deployment, terms, validSeconds),
    draftConsent: <Terms extends drafts.GuardTerms | drafts.SaleTerms>(terms: Terms, validSeconds?: number) =>
      drafts.draftConsent(reads, deployment, terms, validSeconds),
    /** Also judges the evidence again, if the answer includes it. */
    verifyTicket: (answer: TicketAnswer, trade: IntendedTrade, at?: bigint) =>
      verifyTicket(deployment, answer, trade, { replay: replayAnswer, ...(at !== undefined && { at }) }),
    assetOf: bound(drafts.assetOf),
    draftPlan: bound(drafts.draftPlan),
    createCall: bound(drafts.createCall),
    creationTypedData: bound(drafts.creationTypedData),
    createBySignatureCall: bound(drafts.createBySignatureCall),
    cancelPlanCall: bound(drafts.cancelPlanCall),
    draftGuard: bound(drafts.draftGuard),
    draftSale: bound(drafts.draftSale),
    registerCall: bound(drafts.registerCall),
    consentTypedData: bound(drafts.consentTypedData),
    registerFundedCall: bound(drafts.registerFundedCall),
    approveRescuesCall: bound(drafts.approveRescuesCall),
    approveSalesCall: bound(drafts.approveSalesCall),
    cancelGuardCall: bound(drafts.cancelGuardCall),
    revokeAllCall: bound(drafts.revokeAllCall),
  };
};
