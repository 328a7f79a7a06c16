import { type Asset, assetNamed } from '@bowline/core/domain/assets';
import { SWAP_SLIPPAGE_BPS } from '@bowline/core/domain/defaults';
import { textOf } from '@bowline/core/texts/words';
import { addressInput } from '@bowline/http/addresses';
import type { PublicClient } from 'viem';
import { z } from 'zod';
import { readMarket } from '../read-market.ts';
import { type Decoded, decodeSwap, judgeTrade, type OfferReason, type Order } from '../validate-offer.ts';
import { type BuyAnswer, buyAnswer, type PageConfig } from '../wire.ts';
import { type Agent, AgentRefusal } from './agent.ts';

const amount = z.string().regex(/^\d{1,20}(\.\d{1,18})?$/, 'must be an amount like 100 or 0.5');

/** The accepted request; nothing else is passed on. */
export const buyRequest = z
  .strictObject({
    asset: z.string().regex(/^[A-Za-z0-9]{1,20}$/, 'must be a symbol'),
    side: z.enum(['buy', 'sell'], 'must be buy or sell').default('buy'),
    amount_usd: amount.optional(),
    amount_asset: amount.optional(),
    owner: addressInput,
    max_slippage_bps: z.int().min(1).max(500).optional(),
    acknowledge_caution: z.boolean().optional(),
    /** Whether the owner wraps BNB before the calls. The amount is the order's: the agent names no BNB amount. */
    in_bnb: z.boolean().optional(),
  })
  .refine((given) => (given.amount_usd === undefined) !== (given.amount_asset === undefined), {
    error: 'give either amount_usd or amount_asset, not both',
  });

type BuyRequest = z.output<typeof buyRequest>;

/** The agent's draft does not match the order, so it is not passed on. */
export class UnsoundDraft extends AgentRefusal {
  readonly reason: OfferReason;

  constructor(reason: OfferReason) {
    super('unsound_draft', `The agent’s swap failed the safety check (${reason}): ${textOf(reason)}.`);
    this.reason = reason;
  }
}

/**
 * Passes on the agent's answer to an order. Calls are passed on only after a check against the order, the address book
 * and the chain. A swap whose price has moved is withheld for that reason.
 * @throws UnsoundDraft for a swap; AgentRefusal from the agent, or with `chain_unavailable` if nothing can be checked.
 */
export function createBuy(agent: Agent, book: PageConfig, assets: readonly Asset[], chain: PublicClient) {
  return async (request: BuyRequest): Promise<BuyAnswer> => {
    const { data } = buyAnswer.safeParse(await agent.post('/swap-draft', request));
    if (data === undefined) throw new AgentRefusal('agent_unavailable', 'The agent sent an unreadable draft.');
    // The agent gives no calls for these verdicts; if it ever did, they would be refused here.
    const isForbidden = data.verdict === 'NO_GO' || data.verdict === 'NO_DATA';
    if (isForbidden) return { ...data, calls: null, simulated: null };
    const order = orderOf(request);
    const ofSwap = data.calls && (await check(decodeSwap(data, order, book), order));
    if (ofSwap === 'chain_unavailable') {
      throw new AgentRefusal(ofSwap, 'The chain does not answer, so the agent’s draft cannot be checked.');
    }
    // The market moved between draft and check: nobody is at fault, and the swap would revert.
    if (ofSwap && ofSwap !== 'price_moved') throw new UnsoundDraft(ofSwap);
    return { ...data, ...(ofSwap && { calls: null, simulated: null, withheld: ofSwap }) };
  };

  /** Why an offer is withheld; undefined if it is passed on. */
  async function check(decoded: Decoded, order: Order): Promise<OfferReason | 'chain_unavailable' | undefined> {
    if (!decoded.ok) return decoded.reason;
    const market = await readMarket(chain, book, decoded.trade).catch(() => undefined);
    return market === undefined ? 'chain_unavailable' : judgeTrade(decoded.trade, order, market);
  }

  function orderOf({ asset, side, owner, ...request }: BuyRequest): Order {
    const found = assetNamed(assets, asset);
    return {
      owner,
      asset: found?.symbol ?? asset,
      side,
      amount:
        request.amount_usd === undefined
          ? { of: 'asset', text: request.amount_asset ?? '0' }
          : { of: 'usd', text: request.amount_usd },
      maxSlippageBps: request.max_slippage_bps ?? SWAP_SLIPPAGE_BPS,
      isCautionAccepted: request.acknowledge_caution === true,
    };
  }
}
