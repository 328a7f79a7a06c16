import type { GuardReader, MarketReader, PlanReader, PriceReader, SourcePriceReader } from '@bowline/chain/readers';
import type { Asking } from '@bowline/core/domain/asking';
import type { Asset } from '@bowline/core/domain/assets';
import type { EvidenceStore } from '@bowline/core/domain/evidence-store';
import type { Limits } from '@bowline/core/domain/facts';
import type { MarketData, PythPrices } from '@bowline/core/domain/market-data';
import type { PermissionDrafter } from '@bowline/core/domain/permission-drafts';
import type { Plan } from '@bowline/core/domain/permissions';
import type { PlanLeftOut } from '@bowline/core/domain/served';
import type { SwapDrafter } from '@bowline/core/domain/swap-draft';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Clock } from '@bowline/core/domain/time';
import type { Hex } from '@bowline/core/domain/units';
import type { z } from 'zod';
import type { Self } from './self.ts';
import type { Issued, SharedAnswers } from './shared.ts';

/** What tools read from. No tool signs or sends transactions. */
export interface ToolContext {
  readonly assets: readonly Asset[];
  readonly limitsOf: (asset: Asset) => Limits;
  readonly chain: MarketReader & PriceReader & SourcePriceReader & PlanReader & GuardReader;
  /** Absent if no exchange is configured. */
  readonly exchange?: MarketData;
  /** Absent if Pyth is not configured. */
  readonly pyth?: PythPrices;
  readonly clock: Clock;
  /** keccak256 of the text's UTF-8 bytes. */
  readonly hash: (text: string) => Hex;
  readonly drafter: SwapDrafter;
  /** Absent where no permissions are drafted. */
  readonly permissions?: PermissionDrafter;
  /** Absent if verdicts are not signed. */
  readonly tickets?: TicketSigner;
  /** Issued tickets, so that identical questions get the same one. */
  readonly issued?: Issued;
  /** Shared answers of the newest block. Absent if each question has its own reading. */
  readonly shared?: SharedAnswers;
  /** Facts of large trades, good for some seconds. Absent: no size larger than the requested one is searched. */
  readonly depths?: SharedAnswers;
  /** Documents behind records, by the first 19 bytes of their hash. Absent where none are kept. */
  readonly evidence?: Pick<EvidenceStore, 'read'>;
  /** Why this agent leaves a plan out. Absent where it runs none. */
  readonly whyPlanLeftOut?: (plan: Plan) => Promise<PlanLeftOut | undefined>;
  /** What the agent knows about itself. Absent outside an agent. */
  readonly self?: () => Promise<Self>;
  /** Makes the evidence of an issued ticket available by its hash. */
  readonly showEvidence?: (hash: Hex, evidence: string) => void;
}

/**
 * One operation that callers can request. MCP tools, the model's functions and A2A skills are all made from this list,
 * so every API gives the same answer. Output is JSON; bigint becomes decimal text.
 */
export interface Tool<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends string = string,
> {
  /** verb_noun, except `about` */
  readonly name: Name;
  readonly title: string;
  /** For a model that chooses among tools: what it returns and when to use it. */
  readonly description: string;
  /** `read` only reads; `draft` returns unsigned calldata for the user's own wallet. */
  readonly effect: 'read' | 'draft';
  readonly input: Input;
  readonly output: Output;
  /** The output for models: everything that they can use, in few words. Absent: all of it. */
  readonly brief?: {
    readonly output: z.ZodType;
    of(output: z.output<Output>): Record<string, unknown>;
  };
  /** Throws BowlineError; any other exception is an internal error to the caller. */
  run(input: z.output<Input>, context: ToolContext, asking: Asking): Promise<z.input<Output>>;
}
