import { completable, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inputCode } from '../../tools/read-input.ts';
import { addressInput } from '../../tools/schemas.ts';

/** What the prompts take. Schemas are made once, not for each request. */
export function promptInputs(symbols: readonly string[]) {
  const asset = completable(z.string().max(40).describe('Symbol of a listed asset, e.g. BTCB.'), (typed) =>
    symbols.filter((symbol) => symbol.toLowerCase().startsWith(typed.toLowerCase())),
  );
  return {
    price: z.object({ asset, side: z.enum(['buy', 'sell']).optional(), amount_usd: z.string().max(40).optional() }),
    plan: z.object({
      plan: z
        .string()
        .regex(/^\d{1,20}$/)
        .describe('ID of the plan.'),
    }),
    loan: z.object({ borrower: named(addressInput).describe('Address of the borrower.') }),
  };
}

/** Questions that people ask most, for clients that offer them. */
export function addPrompts(server: McpServer, inputs: ReturnType<typeof promptInputs>): void {
  server.registerPrompt(
    'fair_price',
    {
      title: 'Is it fairly priced?',
      description: 'Whether an asset is fairly priced to buy or sell now.',
      argsSchema: inputs.price,
    },
    ({ asset: named, side = 'buy', amount_usd = '1000' }) =>
      asked(
        `Is ${named} fairly priced to ${side} for ${amount_usd} US dollars? Call check_asset with exactly this side and size, report ` +
          'its verdict as it is, and explain each check that did not pass.',
      ),
  );
  server.registerPrompt(
    'explain_plan',
    {
      title: 'How is my plan doing?',
      description: 'What a plan has done, when it runs next, and what stands in its way.',
      argsSchema: inputs.plan,
    },
    ({ plan }) =>
      asked(
        `How is plan ${plan} doing? Call plan_outlook and list_runs, and say what would have to change for its next run.`,
      ),
  );
  server.registerPrompt(
    'loan_safety',
    {
      title: 'Is my loan safe?',
      description: 'How near an address’s loan is to liquidation, and whether a guard protects it.',
      argsSchema: inputs.loan,
    },
    ({ borrower }) =>
      asked(`How safe is the loan of ${borrower}? Call loan_health, and preview_rescue for each active guard.`),
  );
}

/** MCP's argument errors have no field for our code, so the message begins with it. */
const named = (input: z.ZodType<string, string>) =>
  z.string().transform((text, context) => {
    const { data, error } = input.safeParse(text);
    if (data !== undefined) return data;
    context.addIssue({ code: 'custom', message: `${inputCode(error)}: ${error.issues[0]?.message}` });
    return z.NEVER;
  });

const asked = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] });
