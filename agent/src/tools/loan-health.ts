import { fundingOf, guardKey } from '@bowline/core/domain/guard-key';
import type { Guard } from '@bowline/core/domain/permissions';
import { formatUnits, formatUsd } from '@bowline/core/domain/units';
import { lendingNames } from '@bowline/core/registry/lending';
import { z } from 'zod';
import { liquidationOf, liquidationOutput } from './liquidation.ts';
import { positionsIn, positionsOutput } from './positions.ts';
import {
  address,
  addressInput,
  blockIn,
  blockOutput,
  decimal,
  defineTool,
  fundingOutput,
  guardOutput,
  targetIn,
  targetOutput,
} from './schemas.ts';
import { usualGapIn, usualGapOutput } from './usual-gap.ts';

const MAX_GUARDS = 20;

export const loanHealth = defineTool({
  name: 'loan_health',
  title: 'Loan health',
  description:
    `An address’s loans on ${lendingNames.join(' and ')}: debt, weighted collateral, health (below 1: can be liquidated), ` +
    'liquidation prices, guards, and the trigger that a usual gap in prices needs.',
  effect: 'read',
  input: z.strictObject({ borrower: addressInput }),
  output: z.object({
    borrower: address,
    debt_usd: decimal,
    weighted_collateral_usd: decimal,
    health: decimal.nullable().describe('Null: no debt.'),
    ...liquidationOutput,
    usual_gap: usualGapOutput,
    positions: positionsOutput,
    /** At most 20: active ones first, then the newest. */
    guards: z.array(
      z.object({
        id: guardOutput,
        funding: fundingOutput,
        status: z.enum(['active', 'expired', 'cancelled', 'revoked']),
        trigger_health: decimal,
        target_health: targetOutput,
        price_source: address.nullable().describe('Also triggers the guard.'),
        rescues: z.number().int(),
      }),
    ),
    guards_total: z.number().int(),
    guards_unread: z.number().int(),
    ...blockOutput,
  }),
  async run({ borrower }, context) {
    const { chain } = context;
    const loan = await chain.loan(borrower);
    // A guard of another loan of the borrower's does not protect this one.
    const held = await chain.guardsOf(borrower, MAX_GUARDS, loan.account);
    return {
      borrower: loan.borrower,
      debt_usd: formatUsd(loan.debtUsdWad),
      weighted_collateral_usd: formatUsd(loan.weightedCollateralUsdWad),
      health: loan.healthWad === undefined ? null : formatUnits(loan.healthWad, 18),
      ...liquidationOf(loan, context),
      usual_gap: usualGapIn(loan, context),
      positions: positionsIn(loan, context),
      guards: held.guards.map((guard) => ({
        id: guardKey(guard).toString(),
        funding: fundingOf(guard),
        status: statusOf(guard, loan.block.timestamp),
        trigger_health: formatUnits(guard.triggerHealthWad, 18),
        target_health: targetIn(guard),
        price_source: guard.priceSource ?? null,
        rescues: guard.rescues,
      })),
      guards_total: held.total,
      guards_unread: held.unread,
      ...blockIn(loan.block),
    };
  },
});

const statusOf = ({ status, expiresAt }: Guard, now: bigint): 'expired' | Guard['status'] =>
  status === 'active' && now >= expiresAt ? 'expired' : status;
