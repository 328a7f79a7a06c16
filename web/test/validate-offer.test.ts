import { erc20Abi } from '@bowline/chain/erc20-abi';
import {
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEther,
  toFunctionSelector,
  toHex,
} from 'viem';
import { expect, test } from 'vitest';
import { feeds, pancake, tokens } from '../../lab/world/addresses.ts';
import { agreedSettings } from '../app/api/pinned.ts';
import { outcomeOf, tradeSteps } from '../app/buy/trade.ts';
import { createBuy } from '../server/buy.ts';
import {
  type Decoded,
  decodeSwap,
  judgeTrade,
  type Market,
  type Order,
  offerReasons,
  type Trade,
} from '../validate-offer.ts';
import { type BuyAnswer, buyAnswer, type PageConfig, pageConfig } from '../wire.ts';
import { bytesOf, draftMutants, thief } from './mutants.ts';

// Which offers are passed on for signing, without a chain: `market` stands for the page's readings.

const owner = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';
const desk = '0x00000000000000000000000000000000000de5c0';
const place = (digit: number): Hex => `0x${String(digit).repeat(40)}`;

const asset = (symbol: 'BTCB' | 'ETH' | 'WBNB' | 'USDT' | 'USDC', quote: string) => ({
  ...{ symbol, name: symbol, class: quote === 'USDT' ? 'crypto' : 'stable', address: tokens[symbol], decimals: 18 },
  ...{ quote, feed: feeds[symbol], feedDecimals: 8, poolFeeMillionths: 500 },
});
const book: PageConfig = pageConfig.parse({
  chainId: 31_337,
  chainName: 'Local BNB Chain',
  explorerUrl: null,
  rpcUrl: 'http://127.0.0.1:8545',
  contracts: {
    ...{ planRegistry: place(1), swapExecutor: place(2), revocations: place(3), loanGuard: place(4) },
    ...{ priceSource: place(6), venusPriceSource: place(5), quoteDesk: desk },
    ...{ router: pancake.router, quoter: pancake.quoter, poolDeployer: pancake.poolDeployer },
  },
  verdictSigners: [],
  hubs: [tokens.WBNB, tokens.USDT, tokens.USDC],
  lending: [{ name: 'Venus', scope: 'it', url: 'https://app.venus.io/', adapter: place(5), core: place(7) }],
  assets: [
    asset('BTCB', 'USDT'),
    asset('ETH', 'USDT'),
    asset('WBNB', 'USDT'),
    asset('USDT', 'USDC'),
    asset('USDC', 'USDT'),
  ],
});
const order: Order = {
  ...{ owner, asset: 'BTCB', side: 'buy', amount: { of: 'usd', text: '100' } },
  ...{ maxSlippageBps: 50, isCautionAccepted: false },
};
const time = 1_800_000_000n;
const market: Market = {
  time,
  quoted: parseEther('0.001'),
  best: parseEther('0.001'),
  payUsdWad: parseEther('0.9999'),
  receiveUsdWad: parseEther('99950'),
  held: parseEther('1000'),
};
/** 100 dollars at that price, rounded down. */
const amountIn = (parseEther('100') * 10n ** 18n) / parseEther('0.9999');
const minOut = parseEther('0.000995');

const abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'struct Swap { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(Swap swap) payable returns (uint256)',
]);
/** A swap path: tokens with fees in between. */
const pathBy = (...parts: readonly (Hex | number)[]): Hex =>
  concat(parts.map((part) => (typeof part === 'number' ? toHex(part, { size: 3 }) : (part.toLowerCase() as Hex))));
const swapCall = (changes: object = {}) =>
  encodeFunctionData({
    abi,
    functionName: 'exactInput',
    args: [
      {
        ...{ path: pathBy(tokens.USDT, 500, tokens.BTCB), recipient: owner, deadline: time + 300n, amountIn },
        ...{ amountOutMinimum: minOut, ...changes },
      },
    ],
  });
const approval = encodeFunctionData({ abi, functionName: 'approve', args: [pancake.router, amountIn] });
const honest: BuyAnswer = buyAnswer.parse({
  ...{ asset: 'BTCB', side: 'buy', verdict: 'GO', reason: null, findings: [], withheld: null },
  ...{ token_in: tokens.USDT, amount_in: String(amountIn), token_out: tokens.BTCB, min_amount_out: String(minOut) },
  calls: [
    { kind: 'approve', to: tokens.USDT, data: approval, value: '0' },
    { kind: 'swap', to: pancake.router, data: swapCall(), value: '0' },
  ],
  simulated: { token_in_delta: String(-amountIn), token_out_delta: String(parseEther('0.001')) },
  expires_at: String(time + 300n),
});

/** The reason for a refusal; undefined if the trade would be offered. */
const verdictOn = (decoded: Decoded, wish = order, now = market) =>
  decoded.ok ? judgeTrade(decoded.trade, wish, now) : decoded.reason;
const onSwap = (answer: unknown, wish = order, now = market) => {
  const { data } = buyAnswer.safeParse(answer);
  return data === undefined ? 'answer_malformed' : verdictOn(decodeSwap(data, wish, book), wish, now);
};

test('WB-6: an honest draft is offered, and what is signed is what was given', () => {
  expect(onSwap(honest)).toBeUndefined();
  const decoded = decodeSwap(honest, order, book);
  expect(decoded).toMatchObject({ ok: true, trade: { amountIn, minOut, spender: pancake.router } });
  expect(decoded.ok && decoded.trade.calls.map(({ to, data }) => ({ to, data }))).toEqual(
    honest.calls?.map(({ to, data }) => ({ to, data })),
  );
  // With a sufficient allowance, no approval is needed.
  expect(onSwap({ ...honest, calls: honest.calls?.slice(1) })).toBeUndefined();
  expect(onSwap({ ...honest, verdict: 'CAUTION' }, { ...order, isCautionAccepted: true })).toBeUndefined();
});

test('a draft over hubs is offered, and over nothing else', () => {
  const over = (...parts: readonly (Hex | number)[]) => {
    const [approve, swap] = honest.calls ?? [];
    const data = swapCall({ path: pathBy(tokens.USDT, ...parts) });
    return onSwap({ ...honest, calls: [approve, { ...swap, data }] });
  };
  const { BTCB, ETH, USDC, USDT, WBNB } = tokens;
  for (const fee of [100, 500, 2_500, 10_000]) expect(over(fee, BTCB)).toBeUndefined();
  expect(over(500, WBNB, 2_500, BTCB)).toBeUndefined();
  expect(over(100, USDC, 100, WBNB, 100, BTCB)).toBeUndefined();
  for (const parts of [
    [300, BTCB],
    [500, ETH, 500, BTCB],
    [500, thief, 500, BTCB],
    [500, WBNB, 500, WBNB, 500, BTCB],
    [500, WBNB, 500, USDT, 500, BTCB],
    [500, BTCB, 500, WBNB, 500, BTCB],
    [500, WBNB, 500, USDC, 500, WBNB, 500, BTCB],
    [BTCB],
  ])
    expect(over(...parts), String(parts)).toBe('pool_not_pinned');
  expect(over(500, WBNB)).toBe('asset_not_asked');
});

test('WB-17: of hundreds of ways to rewrite a draft none is offered, and each no has its name', () => {
  const mutants = [...draftMutants, ...bytesOf(honest)];
  expect(mutants.length).toBeGreaterThan(400);
  const offered = mutants.filter(({ of }) => onSwap(of(honest)) === undefined).map(({ name }) => name);
  expect(offered).toEqual([]);
  const reasons = new Set(mutants.map(({ of }) => onSwap(of(honest)) as string));
  for (const reason of reasons) expect([...offerReasons, 'answer_malformed']).toContain(reason);
  for (const expected of [
    ...[
      'asset_not_asked',
      'caution_not_acknowledged',
      'offer_contradicts_itself',
      'calls_unexpected',
      'value_not_zero',
    ],
    ...['calldata_unreadable', 'calldata_inexact', 'approval_token_wrong', 'spender_not_pinned', 'approval_inexact'],
    ...['router_not_pinned', 'pool_not_pinned', 'recipient_not_owner', 'offer_expired', 'deadline_too_far'],
    ...['amount_not_asked', 'minimum_too_low', 'price_moved'],
  ])
    expect(reasons).toContain(expected);
});

test('WB-17: a field that nobody knows is none of an offer', () => {
  const [approve, swap] = honest.calls ?? [];
  expect(onSwap({ ...honest, calls: [approve, { ...swap, gas: '1' }] })).toBe('answer_malformed');
});

test('WB-17: the price is the chain’s, not the agent’s', () => {
  const at = (changes: Partial<Market>) => onSwap(honest, order, { ...market, ...changes });
  // The pool gives more than the agent said, so someone else would keep the difference.
  expect(at({ quoted: parseEther('0.00101'), best: parseEther('0.00101') })).toBe('minimum_too_low');
  // A direct pool gives more than the agent's route, with the same effect.
  expect(at({ best: parseEther('0.00101') })).toBe('minimum_too_low');
  // The pool agrees with the agent, but both are far from Chainlink.
  expect(at({ receiveUsdWad: parseEther('90000') })).toBe('minimum_off_reference');
  expect(at({ receiveUsdWad: parseEther('95600') })).toBeUndefined();
  expect(at({ payUsdWad: parseEther('0.99') })).toBe('amount_not_asked');
  expect(at({ quoted: parseEther('0.00099') })).toBe('price_moved');
  expect(at({ quoted: undefined, best: undefined })).toBe('quote_missing');
  expect(at({ payUsdWad: undefined })).toBe('chainlink_price_missing');
  expect(at({ receiveUsdWad: undefined })).toBe('chainlink_price_missing');
  expect(at({ time: time + 299n })).toBeUndefined();
  expect(at({ time: time + 300n })).toBe('offer_expired');
  expect(at({ time: time - 61n })).toBe('deadline_too_far');
});

test('WB-17: it is for what was asked, by whom it was asked', () => {
  expect(onSwap(honest, { ...order, owner: thief })).toBe('recipient_not_owner');
  expect(onSwap(honest, { ...order, asset: 'ETH' })).toBe('asset_not_asked');
  expect(onSwap(honest, { ...order, side: 'sell' })).toBe('asset_not_asked');
  for (const text of ['1', '99.7', '100.3', '1000', '0'])
    expect(onSwap(honest, { ...order, amount: { of: 'usd', text } }), text).toBe('amount_not_asked');
  // An order in the asset's own amount is valued at Chainlink's price.
  expect(onSwap(honest, { ...order, amount: { of: 'asset', text: '0.0010005' } })).toBeUndefined();
  expect(onSwap(honest, { ...order, amount: { of: 'asset', text: '0.002' } })).toBe('amount_not_asked');
  expect(onSwap(honest, { ...order, maxSlippageBps: 500 })).toBeUndefined();
});

/** A sale of an amount that brings a hundred dollars. */
function saleOf(asset: 'BTCB' | 'WBNB', sold: bigint) {
  const [token, least] = [tokens[asset], parseEther('99.5')];
  const swap = { path: pathBy(token, 500, tokens.USDT), amountIn: sold, amountOutMinimum: least };
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [pancake.router, sold] });
  return buyAnswer.parse({
    ...{ ...honest, asset, side: 'sell', token_in: token, token_out: tokens.USDT },
    ...{ amount_in: String(sold), min_amount_out: String(least) },
    calls: [
      { kind: 'approve', to: token, data: approve, value: '0' },
      { kind: 'swap', to: pancake.router, data: swapCall(swap), value: '0' },
    ],
    simulated: { token_in_delta: String(-sold), token_out_delta: String(parseEther('99.9')) },
  });
}
const sold = { quoted: parseEther('99.9'), best: parseEther('99.9'), receiveUsdWad: market.payUsdWad };

test('WB-17, WB-299: of a sale by the asset’s own amount, exactly that amount is sold', () => {
  const wish: Order = { ...order, side: 'sell', amount: { of: 'asset', text: '0.001' } };
  const sale = (amount: bigint) =>
    onSwap(saleOf('BTCB', amount), wish, { ...market, ...sold, payUsdWad: market.receiveUsdWad });
  expect(sale(parseEther('0.001'))).toBeUndefined();
  for (const off of [1n, -1n]) expect(sale(parseEther('0.001') + off)).toBe('amount_not_asked');
});

test('WB-330: who sells BNB has exactly what was typed wrapped, and of hundreds of rewrites none is offered', () => {
  const wish: Order = { ...order, asset: 'WBNB', side: 'sell', amount: { of: 'asset', text: '0.125' } };
  const answer = saleOf('WBNB', parseEther('0.125'));
  const now = { ...market, ...sold, payUsdWad: parseEther('800') };
  expect(onSwap(answer, wish, now)).toBeUndefined();
  const { trade } = decodeSwap(answer, wish, book) as { trade: Trade };
  const steps = tradeSteps(trade, true);
  expect(steps.map(({ to, value }) => [to, value])).toEqual([
    [tokens.WBNB, parseEther('0.125')],
    [tokens.WBNB, undefined],
    [pancake.router, undefined],
  ]);
  expect(steps[0]?.data).toBe(toFunctionSelector('deposit()'));
  expect(steps.slice(1)).toEqual(tradeSteps(trade, false));
  const text = (of: unknown) => JSON.stringify(of).toLowerCase();
  const mutants = [...draftMutants, ...bytesOf(answer)].filter(({ of }) => text(of(answer)) !== text(answer));
  expect(mutants.length).toBeGreaterThan(400);
  const offered = mutants.filter(({ of }) => onSwap(of(answer), wish, now) === undefined).map(({ name }) => name);
  expect(offered).toEqual([]);
});

test('WB-6: what a swap moved is read from the two tokens’ own logs', () => {
  const { trade } = decodeSwap(honest, order, book) as { trade: Trade };
  const log = (address: Hex, from: Hex, to: Hex, value: bigint) => ({
    ...{ address, data: encodeAbiParameters([{ type: 'uint256' }], [value]) },
    topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }),
  });
  const pool = place(9);
  const paid = log(tokens.USDT, owner, pool, amountIn);
  const got = log(tokens.BTCB, pool, owner, parseEther('0.001'));
  const outcome = (...logs: object[]) => outcomeOf(trade, [{ status: 'success', logs }] as never);
  expect(outcome(paid, got)).toEqual({ paid: amountIn, received: parseEther('0.001'), isAsAgreed: true });
  expect(outcome()).toEqual({ paid: 0n, received: 0n, isAsAgreed: false });
  expect(outcome(paid)).toMatchObject({ received: 0n, isAsAgreed: false });
  // To another recipient, in another token, less than agreed, more paid, passed on again.
  expect(outcome(paid, log(tokens.BTCB, pool, thief, parseEther('0.001'))).isAsAgreed).toBe(false);
  expect(outcome(paid, log(thief, pool, owner, parseEther('0.001'))).isAsAgreed).toBe(false);
  expect(outcome(paid, log(tokens.BTCB, pool, owner, minOut - 1n)).isAsAgreed).toBe(false);
  expect(outcome(paid, paid, got)).toMatchObject({ paid: amountIn * 2n, isAsAgreed: false });
  expect(outcome(paid, got, log(tokens.BTCB, owner, thief, parseEther('0.001')))).toMatchObject({
    received: 0n,
    isAsAgreed: false,
  });
  expect(outcomeOf(trade, [{ status: 'reverted', logs: [paid, got] }] as never).isAsAgreed).toBe(false);
});

test('WB-19: the page works with the settings that it was built with, and no others', () => {
  expect(agreedSettings(book, book)).toEqual(book);
  const fewer = { ...book, assets: book.assets.filter(({ symbol }) => symbol !== 'ETH') };
  expect(agreedSettings(fewer, book)).toEqual(fewer);
  const others: PageConfig[] = [
    ...Object.keys(book.contracts).map((name) => ({ ...book, contracts: { ...book.contracts, [name]: thief } })),
    { ...book, contracts: { ...book.contracts, quoteDesk: null } },
    ...[{ name: 'Acme' }, { url: 'https://example.org' }, { adapter: thief }, { core: thief }].map((change) => ({
      ...book,
      lending: book.lending.map((protocol) => ({ ...protocol, ...change })),
    })),
    { ...book, lending: [] },
    { ...book, hubs: [...book.hubs, thief] },
    { ...book, chainId: 56 },
    { ...book, chainName: 'BNB Chain' },
    { ...book, rpcUrl: 'http://127.0.0.1:1' },
    { ...book, explorerUrl: 'https://example.org' },
    ...book.assets.flatMap((one, at) =>
      [{ address: thief }, { feed: thief }, { decimals: 6 }, { quote: 'ETH' }].map((change) => ({
        ...book,
        assets: book.assets.with(at, { ...one, ...change } as typeof one),
      })),
    ),
    { ...book, assets: [...book.assets, { ...(book.assets[0] as (typeof book.assets)[number]), symbol: 'NEW' }] },
    { ...book, assets: [...book.assets, ...book.assets] },
  ];
  for (const told of others) expect(() => agreedSettings(told, book)).toThrow('names a different chain');
  expect(() => agreedSettings(book, null)).toThrow('built without');
});

/** A chain client that returns `market` to the checking server. */
const chainOf = (now: Market) =>
  ({
    getBlock: async () => ({ timestamp: now.time }),
    multicall: async () => {
      const round = (wad = 0n) => ({ status: 'success', result: [1n, wad / 10n ** 10n, 0n, now.time, 1n] });
      const none = { status: 'failure' };
      const quote = now.quoted === undefined ? none : { status: 'success', result: [now.quoted, [0n], [0], 0n] };
      return [
        ...[quote, none, quote, none, none],
        round(now.payUsdWad),
        round(now.receiveUsdWad),
        { status: 'success', result: now.held },
        quote,
      ];
    },
  }) as never;

async function served(answer: BuyAnswer, now = market, chain = chainOf(now)) {
  const agent = {
    get: async () => ({}),
    ready: async () => ({}),
    statement: async () => ({}),
    post: async () => answer,
  };
  const request = { asset: 'BTCB', side: 'buy', amount_usd: '100', owner } as const;
  return createBuy(agent, book, [], chain)(request);
}

test('a sound draft is passed on, an unsound one is not', async () => {
  expect(await served(honest)).toEqual(honest);
  await expect(served({ ...honest, token_in: thief })).rejects.toMatchObject({ code: 'unsound_draft' });
});

test('a draft that the pool has moved away from is withheld, not called unsafe', async () => {
  expect(await served(honest, { ...market, quoted: minOut - 1n })).toMatchObject({
    calls: null,
    simulated: null,
    withheld: 'price_moved',
    verdict: 'GO',
  });
});

test('a draft that cannot be checked is not passed on', async () => {
  const silent = {
    getBlock: async () => {
      throw new Error('no answer');
    },
    multicall: async () => [],
  } as never;
  await expect(served(honest, market, silent)).rejects.toMatchObject({ code: 'chain_unavailable' });
});
