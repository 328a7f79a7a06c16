import type { LoanHealth } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { z } from 'zod';
import { assetAt } from './schemas.ts';
import type { ToolContext } from './tool.ts';

/** Output fields about a loan's protocol, and its liquidation there. */
export const liquidationOutput = {
  protocol: z.string(),
  liquidation_reason: z
    .enum(['health_below_one', 'forced_liquidation', 'unknown'])
    .nullable()
    .describe('Null: it cannot.'),
  forced_debts: z.array(z.string()).nullable().describe('Liquidatable at any health; null: not read.'),
};

type Reason = z.infer<typeof liquidationOutput.liquidation_reason>;

export function liquidationOf({ protocol, healthWad, forcedDebts }: LoanHealth, context: Pick<ToolContext, 'assets'>) {
  const forced_debts = forcedDebts?.map((token) => assetAt(context, token)?.symbol ?? token) ?? null;
  return { protocol, liquidation_reason: reasonOf(healthWad, forced_debts), forced_debts };
}

function reasonOf(healthWad: bigint | undefined, forced: readonly string[] | null): Reason {
  if (healthWad === undefined) return null;
  if (healthWad < WAD) return 'health_below_one';
  if (forced === null) return 'unknown';
  return forced.length === 0 ? null : 'forced_liquidation';
}
