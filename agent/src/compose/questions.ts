import { createBatchPreviewer } from '@bowline/chain/batch-previewer';
import { createPermissionDrafter } from '@bowline/chain/drafts/permissions';
import { createSwapDrafter } from '@bowline/chain/drafts/swap';
import { createGuardReader } from '@bowline/chain/guard-reader';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { createPriceReader } from '@bowline/chain/price-reader';
import { createDepositReader, createRepayTokenReader } from '@bowline/chain/repay-token';
import { createSaleRouter } from '@bowline/chain/sale-routes';
import { createSourcePriceReader } from '@bowline/chain/source-price-reader';
import type { Answer } from '@bowline/core/domain/answer';
import type { EvidenceStore } from '@bowline/core/domain/evidence-store';
import type { Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import type { Look } from '@bowline/core/domain/readiness';
import type { Result } from '@bowline/core/domain/result';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Hex } from '@bowline/core/domain/units';
import { timers } from '@bowline/http/clock';
import { createAnswer } from '../ask/answer.ts';
import type { Turn } from '../ask/by-model.ts';
import { isFreeQuestion } from '../ask/free.ts';
import { createLanguageModel } from '../ask/language-model.ts';
import { watchModel } from '../ask/model-watch.ts';
import type { Config } from '../config.ts';
import { createShownEvidence, type ShownEvidence } from '../process/evidence-store.ts';
import { keccak256 } from '../process/hashing.ts';
import { createCalls } from '../sending/calls.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { Sources } from '../sources/propose.ts';
import { type CallTool, callTool } from '../tools/call.ts';
import { type JudgeAsset, judgeAsset } from '../tools/check-asset.ts';
import { tools } from '../tools/index.ts';
import { createIssued } from '../tools/issued.ts';
import type { Self } from '../tools/self.ts';
import { createDepths, createSharedAnswers } from '../tools/shared.ts';
import type { Chain } from './chain.ts';

/** keccak256 of the text's UTF-8 bytes. */
export const hash = (text: string): Hex => keccak256(text);

/** Logs an unexpected error of a tool, or of what else answers as the tools do. */
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

export interface Questions {
  /** Calls one tool by name. */
  readonly call: CallTool;
  /** Judges like check_asset and returns its typed result. */
  readonly judge: JudgeAsset;
  /** Answers a question in words. */
  readonly answer: (prompt: string, previous?: readonly Turn[]) => Promise<Result<Answer>>;
  /** Whether a question in words is free where verdicts have a price. */
  readonly isFree: (prompt: string) => boolean;
  /** Answers a free question, without a model. */
  readonly answerFree: (prompt: string) => Promise<Result<Answer>>;
  /** Absent without a language model. */
  readonly modelLook: Look | undefined;
  /** Evidence of the tickets in recent answers. */
  readonly shown: ShownEvidence;
  /** Gives the tools what the agent knows about itself, which is complete once its endpoints exist. */
  readonly introduce: (self: Self) => void;
}

interface QuestionDeps {
  readonly sources: Sources;
  readonly readers: Readers;
  readonly tickets: TicketSigner | undefined;
  readonly heads: Pick<Heads, 'newest'>;
  readonly evidence: Pick<EvidenceStore, 'read'>;
  readonly log: Log;
}

/** Answers questions: the tools, and natural language on top of them, by the configured model or by rules. */
export function openQuestions(
  config: Config,
  { client, book }: Chain,
  { sources, readers, tickets, heads, evidence, log }: QuestionDeps,
): Questions {
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
    self: () => self.promise,
  };
  const call = callTool(tools, context, onInternal(log));
  const { assets } = book;
  const byRules = { tools, call, assets, log };
  const model = config.model && watchModel(connectModel(config.model), { now: timers.now, log });
  const answer = createAnswer({ ...byRules, ...(model && { model }) });
  return {
    call,
    judge: (question) => judgeAsset(question, context),
    answer,
    isFree: (prompt) => isFreeQuestion(prompt, { assets, hasModel: model?.rests() === false }),
    answerFree: model ? createAnswer(byRules) : answer,
    modelLook: model?.look,
    shown,
    introduce: self.resolve,
  };
}

const connectModel = ({ apiKey, baseUrl, name }: NonNullable<Config['model']>) =>
  createLanguageModel({ apiKey: apiKey.reveal(), baseUrl: baseUrl.reveal(), model: name });
