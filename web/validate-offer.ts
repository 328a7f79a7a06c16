import { poolFees } from '@bowline/core/domain/bounds';
import { pathOf } from '@bowline/core/domain/route';
import { sameAddress } from '@bowline/core/domain/same-address';
import { BPS, parseUnitsDown } from '@bowline/core/domain/units';
import type { Word } from '@bowline/core/texts/words';
import { type Abi, type Address, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { BuyAnswer, PageConfig } from './wire.ts';

// Checks the agent's offers for signing against the order, the pinned contracts and the chain. The page and its server
// each run every check: the agent may be compromised, and so may anything between it and the page.

/** Why an offer is withheld from signing. */
export const offerReasons = [
  'asset_not_asked',
  'caution_not_acknowledged',
  'offer_contradicts_itself',
  'calls_unexpected',
  'value_not_zero',
  'calldata_unreadable',
  'calldata_inexact',
  'approval_token_wrong',
  'spender_not_pinned',
  'approval_inexact',
  'router_not_pinned',
  'pool_not_pinned',
  'recipient_not_owner',
  'offer_expired',
  'deadline_too_far',
  'chainlink_price_missing',
  'quote_missing',
  'amount_not_asked',
  'minimum_too_low',
  'minimum_off_reference',
  'price_moved',
] as const satisfies readonly Word[];

export type OfferReason = (typeof offerReasons)[number];

/** The user's order. */
export interface Order {
  /** The account that pays and receives. */
  readonly owner: Address;
  /** Symbol. */
  readonly asset: string;
  readonly side: 'buy' | 'sell';
  /** Decimal text, in US dollars or whole units of the asset. */
  readonly amount: { readonly of: 'usd' | 'asset'; readonly text: string };
  readonly maxSlippageBps: number;
  readonly isCautionAccepted: boolean;
}

type Asset = PageConfig['assets'][number];

interface Call {
  readonly kind: 'approve' | 'swap';
  readonly to: Address;
  readonly data: Hex;
}

/** One PancakeSwap v3 pool. */
interface Hop {
  readonly feeMillionths: number;
  /** The token that it pays out. */
  readonly token: Asset;
}

/** A decoded offer: its maximum effect, in base units. */
export interface Trade {
  readonly owner: Address;
  readonly pay: Asset;
  readonly receive: Asset;
  /** The exact amount that leaves the owner. */
  readonly amountIn: bigint;
  /** The minimum that arrives. */
  readonly minOut: bigint;
  /** The amount that the agent says would arrive. */
  readonly claimedOut: bigint;
  /** The pools of the swap. */
  readonly route: readonly Hop[];
  /** The contract that may take `amountIn`: the router. */
  readonly spender: Address;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** In this order. Encoded here, and equal to the agent's byte for byte. */
  readonly calls: readonly Call[];
}

export type Decoded =
  | { readonly ok: true; readonly trade: Trade }
  | { readonly ok: false; readonly reason: OfferReason };

const approveAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);
const routerAbi = parseAbi([
  'struct Swap { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(Swap swap) payable returns (uint256 amountOut)',
]);

const no = (reason: OfferReason): Decoded => ({ ok: false, reason });

/** The answer's calls, if they are exactly one swap through the pinned router, over listed tokens, by and for the owner. */
export function decodeSwap(answer: BuyAnswer, order: Order, book: PageConfig): Decoded {
  const { calls, token_in, token_out, amount_in, min_amount_out, simulated, expires_at } = answer;
  const pair = pairOf(answer, order, book);
  if (pair === undefined || token_in === null || token_out === null) return no('asset_not_asked');
  const { pay, receive } = pair;
  if (!sameAddress(token_in, pay.address) || !sameAddress(token_out, receive.address)) return no('asset_not_asked');
  if (!mayBeSigned(answer, order)) return no('caution_not_acknowledged');
  if (answer.withheld !== null || amount_in === null || min_amount_out === null || simulated === null)
    return no('offer_contradicts_itself');
  const call = calls?.at(-1);
  const approval = calls?.length === 2 ? calls[0] : undefined;
  if (calls === null || call === undefined || call.kind !== 'swap' || calls.length > 2) return no('calls_unexpected');
  if (approval !== undefined && approval.kind !== 'approve') return no('calls_unexpected');
  if (calls.some(({ value }) => BigInt(value) !== 0n)) return no('value_not_zero');
  const { router } = book.contracts;
  if (!sameAddress(call.to, router)) return no('router_not_pinned');

  const swap = decoded(routerAbi, call.data)?.args[0];
  if (swap === undefined) return no('calldata_unreadable');
  const { amountIn, amountOutMinimum: minOut, deadline } = swap;
  const { path } = swap;
  if (!sameAddress(path.slice(0, 42), pay.address) || !sameAddress(path.slice(-40), receive.address.slice(2))) {
    return no('asset_not_asked');
  }
  const route = routeOf(path, pair, book);
  if (route === undefined) return no('pool_not_pinned');
  if (!sameAddress(swap.recipient, order.owner)) return no('recipient_not_owner');
  const claimedOut = BigInt(simulated.token_out_delta);
  const isConsistent =
    BigInt(amount_in) === amountIn &&
    BigInt(min_amount_out) === minOut &&
    BigInt(expires_at) === deadline &&
    BigInt(simulated.token_in_delta) === -amountIn &&
    claimedOut >= minOut;
  if (!isConsistent) return no('offer_contradicts_itself');
  const terms = { path: pathOver(pay, route), recipient: order.owner, deadline, amountIn, amountOutMinimum: minOut };
  const data = encodeFunctionData({ abi: routerAbi, functionName: 'exactInput', args: [terms] });
  if (!sameAddress(call.data, data)) return no('calldata_inexact');

  const approve = approvalOf(pay, router, amountIn);
  if (approval !== undefined) {
    if (!sameAddress(approval.to, pay.address)) return no('approval_token_wrong');
    const given = decoded(approveAbi, approval.data)?.args;
    if (given === undefined) return no('calldata_unreadable');
    if (!sameAddress(given[0], router)) return no('spender_not_pinned');
    if (given[1] !== amountIn) return no('approval_inexact');
    if (!sameAddress(approval.data, approve.data)) return no('calldata_inexact');
  }
  const steps: Call[] = [...(approval === undefined ? [] : [approve]), { kind: 'swap', to: router, data }];
  const shown = { owner: order.owner, pay, receive, route, amountIn, minOut, claimedOut };
  return { ok: true, trade: { ...shown, spender: router, expiresAt: deadline, calls: steps } };
}

/** The chain's view of a trade, read by the checking side and not by the agent. */
export interface Market {
  /** Time of the newest block, unix seconds. */
  readonly time: bigint;
  /** The pinned quoter's output for `amountIn` along the route; undefined if it has none. */
  readonly quoted: bigint | undefined;
  /** The quoter's highest output, along the route or through any direct pool. */
  readonly best: bigint | undefined;
  /** Chainlink's USD price of one whole token, 18 decimals; undefined if there is none. */
  readonly payUsdWad: bigint | undefined;
  readonly receiveUsdWad: bigint | undefined;
  /** The owner's balance of the paid token. */
  readonly held: bigint;
  /** A thousand times what a thousandth of the amount would get along the route. Shown only, not judged. */
  readonly unmoved?: bigint;
}

/**
 * The agent's drafts are valid for 300 s; this side's node may be a minute behind the agent's.
 */
const MAX_SECONDS = 360n;
/** How far Chainlink's price may move between the agent's reading and this one. */
const AMOUNT_BPS = 20n;
/** How far the pool may move between the agent's quote and this one. */
const DRIFT_BPS = 50n;
/**
 * How far the minimum's value may be below the paid value. Wider than the limits of the checks, the fee and the
 * slippage together, so that it refuses only offers that no verdict allows.
 */
const REFERENCE_BPS = 500n;

/** Undefined if the trade matches the order, at a price that the chain itself confirms; otherwise the reason. */
export function judgeTrade(trade: Trade, order: Order, market: Market): OfferReason | undefined {
  const { pay, receive, amountIn, minOut, claimedOut, expiresAt } = trade;
  const { time, quoted, best = quoted, payUsdWad, receiveUsdWad } = market;
  if (expiresAt <= time) return 'offer_expired';
  if (expiresAt > time + MAX_SECONDS) return 'deadline_too_far';
  if (payUsdWad === undefined || receiveUsdWad === undefined) return 'chainlink_price_missing';
  if (quoted === undefined || best === undefined) return 'quote_missing';

  const asked = askedAmount(order, trade, payUsdWad, receiveUsdWad);
  const off = amountIn > asked.amount ? amountIn - asked.amount : asked.amount - amountIn;
  if (amountIn === 0n || off * BPS > asked.amount * asked.toleranceBps) return 'amount_not_asked';

  // A route worse than a direct pool is not the best, whatever the agent says.
  if (minOut * BPS < best * (BPS - BigInt(order.maxSlippageBps) - DRIFT_BPS)) return 'minimum_too_low';
  const paidUsd = amountIn * payUsdWad * unit(receive);
  const minUsd = minOut * receiveUsdWad * unit(pay);
  if (minUsd * BPS < paidUsd * (BPS - REFERENCE_BPS)) return 'minimum_off_reference';
  if (minOut > quoted) return 'price_moved';
  if (claimedOut * BPS > quoted * (BPS + DRIFT_BPS)) return 'offer_contradicts_itself';
  return undefined;
}

/**
 * The order's amount in base units of the paid token, converted at Chainlink's prices if the order uses other units.
 */
function askedAmount({ amount, side }: Order, { pay, receive }: Trade, payUsdWad: bigint, receiveUsdWad: bigint) {
  if (amount.of === 'usd') {
    return { amount: (unitsOf(amount.text, 18) * unit(pay)) / payUsdWad, toleranceBps: AMOUNT_BPS };
  }
  if (side === 'sell') return { amount: unitsOf(amount.text, pay.decimals), toleranceBps: 0n };
  const wanted = unitsOf(amount.text, receive.decimals);
  return {
    amount: (wanted * receiveUsdWad * unit(pay)) / (payUsdWad * unit(receive)),
    toleranceBps: AMOUNT_BPS,
  };
}

/** The path of a route over the page's assets. */
export const pathOver = (pay: Asset, route: readonly Hop[]): Hex =>
  pathOf(
    pay.address,
    route.map(({ feeMillionths, token }) => ({ feeMillionths, tokenOut: token.address })),
  );

/** Undefined unless the path has at most three pools, with PancakeSwap's fees, through hubs only. */
function routeOf(
  path: Hex,
  { pay, receive }: { readonly pay: Asset; readonly receive: Asset },
  { assets, hubs }: PageConfig,
): readonly Hop[] | undefined {
  const rest = path.slice(42);
  if (rest.length % 46 !== 0 || rest.length > 3 * 46) return undefined;
  const route = Array.from({ length: rest.length / 46 }, (_, at) => {
    const hop = rest.slice(46 * at, 46 * (at + 1));
    const address = `0x${hop.slice(6)}`;
    const token = assets.find((each) => sameAddress(each.address, address));
    return { feeMillionths: Number.parseInt(hop.slice(0, 6), 16), token };
  });
  const between = route.slice(0, -1).map(({ token }) => token);
  const isKnown =
    route.every(({ feeMillionths }) => (poolFees as readonly number[]).includes(feeMillionths)) &&
    between.every((token) => token !== undefined && hubs.some((hub) => sameAddress(hub, token.address))) &&
    new Set([pay, ...between, receive]).size === route.length + 1;
  return isKnown ? route.flatMap(({ token, ...hop }) => (token === undefined ? [] : [{ ...hop, token }])) : undefined;
}

/** The paid and received tokens of an answer to this order. */
function pairOf({ asset: symbol, side }: BuyAnswer, order: Order, { assets }: PageConfig) {
  const asset = assets.find((each) => each.symbol === order.asset);
  const quote = assets.find((each) => each.symbol === asset?.quote);
  if (asset === undefined || quote === undefined || symbol !== asset.symbol || side !== order.side) return undefined;
  const [pay, receive] = side === 'buy' ? [quote, asset] : [asset, quote];
  return { pay, receive };
}

const mayBeSigned = ({ verdict }: BuyAnswer, { isCautionAccepted }: Order): boolean =>
  verdict === 'GO' || (verdict === 'CAUTION' && isCautionAccepted);

const approvalOf = ({ address: to }: Asset, spender: Address, amount: bigint): Call => ({
  kind: 'approve',
  to,
  data: encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [spender, amount] }),
});

/** Undefined if the data is not a call of this ABI. */
function decoded<const abi extends Abi>(abi: abi, data: Hex) {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    return undefined;
  }
}

const unit = ({ decimals }: Asset): bigint => 10n ** BigInt(decimals);

/** Unreadable text counts as zero, so the trade is refused. */
const unitsOf = (text: string, decimals: number): bigint => parseUnitsDown(text.trim(), decimals) ?? 0n;
