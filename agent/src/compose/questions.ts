import { createPermissionDrafter } from '@bowline/chain/drafts/permissions';
import { createSwapDrafter } from '@bowline/chain/drafts/swap';
import { createGuardReader } from '@bowline/chain/guard-reader';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { createPriceReader } from '@bowline/chain/price-reader';
import { createDepositReader, createRepayTokenReader } from '@bowline/chain/repay-token';
import { createBatchPreviewer } from '@bowline/chain/rescue-calls';
import { createSaleRouter } from '@bowline/chain/sale-routes';
import { createSourcePriceReader } from '@bowline/chain/source-price-reader';
import type { EvidenceStore } from '@bowline/core/domain/evidence-store';
import type { Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Hex } from '@bowline/core/domain/units';
import { timers } from '@bowline/http/clock';
import { createAnswer } from '../ask/answer.ts';
import { createLanguageModel } from '../ask/language-model.ts';
import { watchModel } from '../ask/model-watch.ts';
import { isFreeQuestion } from '../ask/verdict-request.ts';
import type { Config } from '../config.ts';
import type { LeftOut } from '../loops/left-out.ts';
import { createShownEvidence } from '../process/evidence-store.ts';
import { keccak256 } from '../process/hashing.ts';
import { createCalls } from '../sending/calls.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { Sources } from '../sources/propose.ts';
import { callTool } from '../tools/call.ts';
import { judgeAsset, type Question } from '../tools/check-asset.ts';
import { tools } from '../tools/index.ts';
import type { Self } from '../tools/self.ts';
import { createDepths, createIssued, createSharedAnswers } from '../tools/shared.ts';
import type { Chain } from './chain.ts';

/** keccak256 of the text's UTF-8 bytes. */
export const hash = (text: string): Hex => keccak256(text);

/** Logs an unexpected error of a tool, or of anything else that answers like the tools. */
export const onInternal = (log: Log) => (error: unknown) => log.error('tool.internal', { error });

export type Readers = ReturnType<typeof openReaders>;

/** Chain readers shared by tools and loops, and the simulations of what the keeper would send. */
export function openReaders({ client, rescuing, book }: Chain, { sender }: Keeper) {
  const { own, assets } = book;
  return {
    plans: createPlanReader(client, own, assets),
    guards: createGuardReader(rescuing, book, sender.address),
    prices: createPriceReader(client, book),
    sourcePrices: createSourcePriceReader(client),
    calls: createCalls(own),
    previewer: createBatchPreviewer(client, sender.address),
    ...(own.collateralGuard && { router: createSaleRouter(rescuing, book, sender.address) }),
  };
}

export type Questions = ReturnType<typeof openQuestions>;

interface QuestionDeps {
  readonly sources: Sources;
  readonly readers: Readers;
  readonly tickets: TicketSigner | undefined;
  readonly heads: Pick<Heads, 'newest'>;
  readonly evidence: Pick<EvidenceStore, 'read'>;
  readonly leftOut: Pick<LeftOut, 'ofPlan' | 'runsPlans'>;
  readonly log: Log;
}

/** Answers questions: the tools, and natural language on top of them, by the configured model or by rules. */
export function openQuestions(
  config: Config,
  { client, book }: Chain,
  { sources, readers, tickets, heads, evidence, leftOut, log }: QuestionDeps,
) {
  const { plans, guards, prices, sourcePrices } = readers;
  const shown = createShownEvidence();
  const self = Promise.withResolvers<Self>();
  const context = {
    ...sources,
    drafter: createSwapDrafter(client, book.pancake.router),
    permissions: createPermissionDrafter(
      config.chainId,
      book,
      createRepayTokenReader(client),
      createDepositReader(client),
    ),
    chain: { ...sources.chain, ...prices, ...sourcePrices, ...plans, ...guards },
    hash,
    ...(tickets && { tickets }),
    issued: createIssued(),
    shared: createSharedAnswers({ newestBlock: () => heads.newest()?.number, now: timers.now }),
    depths: createDepths(timers.now),
    evidence,
    showEvidence: shown.show,
    ...(leftOut.runsPlans && { whyPlanLeftOut: leftOut.ofPlan }),
    self: () => self.promise,
  };
  const call = callTool(tools, context, onInternal(log));
  const { assets } = book;
  const byRules = { tools, call, assets, log };
  const model = config.model && watchModel(connectModel(config.model), { now: timers.now, log });
  const answer = createAnswer({ ...byRules, ...(model && { model }) });
  return {
    call,
    /** Judges like check_asset and returns its typed result. */
    judge: (question: Question) => judgeAsset(question, context),
    /** Answers a question in words. */
    answer,
    /** Whether a question in words is free where verdicts have a price. */
    isFree: (prompt: string) => isFreeQuestion(prompt, { assets, hasModel: model?.isPaused() === false }),
    /** Answers a free question, without a model. */
    answerFree: model ? createAnswer(byRules) : answer,
    modelLook: model?.look,
    /** Evidence of the tickets in recent answers. */
    shown,
    /** Gives the tools what the agent knows about itself, which is complete once its endpoints exist. */
    introduce: self.resolve,
  };
}

const connectModel = ({ apiKey, baseUrl, name }: NonNullable<Config['model']>) =>
  createLanguageModel({ apiKey: apiKey.reveal(), baseUrl: baseUrl.reveal(), model: name });
