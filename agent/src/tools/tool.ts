import type { Asset } from '@bowline/core/domain/assets';
import type { Limits } from '@bowline/core/domain/facts';
import type {
  Clock,
  GuardReader,
  MarketData,
  MarketReader,
  PlanReader,
  PriceReader,
  PythPrices,
  TradingCalendars,
} from '@bowline/core/domain/ports';
import type { SwapDrafter } from '@bowline/core/domain/swap-draft';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Hex } from '@bowline/core/domain/units';
import type { z } from 'zod';
import type { Issued } from './issued.ts';

/** What tools read from. No tool signs or sends. */
export interface ToolContext {
  readonly assets: readonly Asset[];
  readonly limitsOf: (asset: Asset) => Limits;
  readonly chain: MarketReader & PriceReader & PlanReader & GuardReader;
  /** Absent where no exchange is configured. */
  readonly exchange?: MarketData;
  /** Absent where Pyth is not configured. */
  readonly pyth?: PythPrices;
  readonly calendars: TradingCalendars;
  readonly clock: Clock;
  /** keccak256 of the text's UTF-8 bytes. */
  readonly hash: (text: string) => Hex;
  readonly drafter: SwapDrafter;
  /** Absent where verdicts are not signed. */
  readonly tickets?: TicketSigner;
  /** The tickets that were given, so that the same question gets the same. */
  readonly issued?: Issued;
}

/**
 * One thing that can be asked. MCP tools, the model's functions and A2A skills are made from the one list of these, so that
 * the same question has the same answer by every API. Output is JSON: bigint is decimal text.
 */
export interface Tool<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends string = string,
> {
  /** verb_noun */
  readonly name: Name;
  readonly title: string;
  /** For a model that must choose among tools: what it answers and when to use it. */
  readonly description: string;
  /** `read` looks; `draft` returns unsigned calldata for the user's own wallet. */
  readonly effect: 'read' | 'draft';
  readonly input: Input;
  readonly output: Output;
  /** Throws BowlineError; anything else that it throws is an internal error to the caller. */
  run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>>;
}

/** Keeps a tool's own types, its name included: `callTool` finds a tool's output type by it. */
export const defineTool = <Input extends z.ZodType, Output extends z.ZodType, const Name extends string>(
  tool: Tool<Input, Output, Name>,
): Tool<Input, Output, Name> => tool;
