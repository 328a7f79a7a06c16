import { z } from 'zod';
import { type BuyAnswer, buyAnswer } from '../wire.ts';
import { type Agent, AgentRefusal } from './agent.ts';

const amount = z.string().regex(/^\d{1,20}(\.\d{1,18})?$/, 'must be an amount like 100 or 0.5');

/** What may be asked, and nothing else is passed on. */
export const buyRequest = z
  .strictObject({
    asset: z.string().regex(/^[A-Za-z0-9]{1,20}$/, 'must be a symbol'),
    side: z.enum(['buy', 'sell'], 'must be buy or sell').default('buy'),
    amount_usd: amount.optional(),
    amount_asset: amount.optional(),
    owner: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits'),
    max_slippage_bps: z.int().min(1).max(500).optional(),
    acknowledge_caution: z.boolean().optional(),
  })
  .refine((given) => (given.amount_usd === undefined) !== (given.amount_asset === undefined), {
    error: 'give amount_usd or amount_asset',
  });

/** @param hasDesk whether the chain has a QuoteDesk; it sells, and does not buy. */
export function createBuy(agent: Agent, hasDesk: boolean) {
  return async (request: z.output<typeof buyRequest>): Promise<BuyAnswer> => {
    const [draft, desk] = await Promise.all([
      agent.post('/swap-draft', request),
      hasDesk && request.side === 'buy' ? deskQuote(request) : null,
    ]);
    const { data } = buyAnswer.safeParse({ ...(draft as object), desk });
    if (data === undefined) throw new AgentRefusal('agent_unavailable', 'The agent gives no draft that can be read.');
    // The agent gives no calls for these; should it ever, they end here.
    const isForbidden = data.verdict === 'NO_GO' || data.verdict === 'NO_DATA';
    return isForbidden
      ? { ...data, calls: null, simulated: null, desk: data.desk && { ...data.desk, quote: null, signature: null } }
      : data;
  };

  async function deskQuote({
    side: _,
    max_slippage_bps: __,
    ...request
  }: z.output<typeof buyRequest>): Promise<unknown> {
    // Whatever keeps the desk from quoting, the market is still there.
    return agent.post('/desk-quote', request).catch(() => null);
  }
}
