import { z } from 'zod';
import { formatUnits, formatUsd } from '../domain/units.ts';
import { address, addressInput, decimal, integer, isoTime, toIsoTime } from './schemas.ts';
import { defineTool } from './tool.ts';

export const loanHealth = defineTool({
  name: 'loan_health',
  title: 'Loan health',
  description:
    'How safe the Venus loans of an address are: debt and weighted collateral in US dollars, and health, which is collateral ' +
    'over debt. Below 1 the loan can be liquidated. Lists the guards that protect it.',
  effect: 'read',
  input: z.strictObject({ borrower: addressInput.describe('Address of the borrower.') }),
  output: z.object({
    borrower: address,
    debt_usd: decimal,
    weighted_collateral_usd: decimal,
    /** Null without debt. */
    health: decimal.nullable(),
    can_be_liquidated: z.boolean(),
    guards: z.array(
      z.object({
        id: integer,
        status: z.enum(['active', 'cancelled']),
        trigger_health: decimal,
        target_health: decimal,
        rescues: z.number().int(),
      }),
    ),
    block: integer,
    time: isoTime,
  }),
  async run({ borrower }, { chain }) {
    const [loan, { policies }] = await Promise.all([chain.health(borrower), chain.policies()]);
    return {
      borrower: loan.borrower,
      debt_usd: formatUsd(loan.debtUsdWad),
      weighted_collateral_usd: formatUsd(loan.weightedCollateralUsdWad),
      health: loan.healthWad === undefined ? null : formatUnits(loan.healthWad, 18),
      can_be_liquidated: loan.healthWad !== undefined && loan.healthWad < 10n ** 18n,
      guards: policies
        .filter((policy) => policy.borrower.toLowerCase() === borrower.toLowerCase())
        .map((policy) => ({
          id: policy.id.toString(),
          status: policy.status,
          trigger_health: formatUnits(policy.triggerHealthWad, 18),
          target_health: formatUnits(policy.targetHealthWad, 18),
          rescues: policy.rescues,
        })),
      block: loan.block.number.toString(),
      time: toIsoTime(loan.block.timestamp),
    };
  },
});
