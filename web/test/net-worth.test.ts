import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import type { Settings } from '../app/api/settings.ts';
import type { Loan } from '../app/chain/read-loan.ts';
import { netWords, netWorth } from '../app/portfolio/net-worth.ts';
import { usdWad } from '../read-market.ts';

// An account's net worth at Chainlink's prices, less its debts. The page names what is left out.

const wad = parseEther;
const at = (digit: string) => `0x${digit.repeat(40)}` as const;
const asset = (symbol: string, digit: string, decimals = 18) => ({
  symbol,
  address: at(digit),
  decimals,
  feedDecimals: 8,
});
const settings = {
  assets: [asset('USDT', '1'), asset('WBNB', '2'), asset('ETH', '3', 8)],
  lending: [{ name: 'Venus' }, { name: 'Lista BTCB', family: 'Lista' }],
} as unknown as Settings;
const readAt = { wall: 0, steady: 0 };
const part = <Data extends object>(data: Data | undefined) => ({ data: data && { ...data, readAt }, error: undefined });
const market = (token: `0x${string}`, symbol: string, decimals: number, supplied: bigint, debt: bigint) => ({
  ...{ market: token, token, symbol, decimals, supplied, debt, walletBalance: 0n, allowance: 0n },
});
const loanIn = (protocol: object, markets: Loan['markets'], parts?: Loan['parts']) =>
  ({ protocol, markets, parts }) as unknown as Loan;
const venus = loanIn({ name: 'Venus' }, [
  market(at('3'), 'ETH', 8, 200_000_000n, 0n),
  market(at('1'), 'USDT', 18, 0n, wad('1500')),
]);
const lista = loanIn({ name: 'Lista BTCB', family: 'Lista' }, []);
const prices = { USDT: wad('1'), WBNB: wad('600'), ETH: wad('2000') };
type Read = Parameters<typeof netWorth>[0];
const read = (changes: Partial<Read> = {}): Read => ({
  ...{ prices: part({ of: prices }), wallet: part({ of: { USDT: wad('100'), WBNB: 0n, ETH: 0n } }), native: wad('2') },
  ...{ loans: [part(venus), part(lista)] },
  ...changes,
});
const worth = (changes: Partial<Read> = {}) => netWorth(read(changes), settings);
const said = (changes: Partial<Read> = {}) => netWords(worth(changes));

test('WB-224: net worth is the wallet with BNB, and what is supplied less what is owed, by protocol', () => {
  expect(worth()).toEqual({
    usdWad: wad('3800'),
    walletUsdWad: wad('1300'),
    protocols: [{ name: 'Venus', suppliedUsdWad: wad('4000'), owedUsdWad: wad('1500') }],
    leftOut: [],
  });
  // Debts round up, everything else rounds down.
  const crumbs = [market(at('3'), 'ETH', 8, 1n, 1n)];
  const third = { ...prices, ETH: wad('0.3') + 1n };
  const [odd] = worth({
    prices: part({ of: third }),
    loans: [part(loanIn(venus.protocol, crumbs)), part(lista)],
  }).protocols;
  expect(odd).toEqual({ name: 'Venus', suppliedUsdWad: 3_000_000_000n, owedUsdWad: 3_000_000_001n });
});

test('WB-224: what has no price or was not read is left out by name, and a debt among it leaves no sum', () => {
  const { ETH: _, ...others } = prices;
  expect(said()).toBe('$3,800.00');
  // Something supplied or held is left out: the sum is a lower bound.
  expect(worth({ prices: part({ of: others }) })).toMatchObject({ usdWad: -wad('200'), leftOut: ['ETH'] });
  expect(said({ native: undefined })).toBe('at least $2,600.00');
  expect(worth({ native: undefined }).leftOut).toEqual(['BNB']);
  // Something owed, or possibly owed, is left out: there is no sum.
  const { USDT: __, ...noDollar } = prices;
  expect(said({ prices: part({ of: noDollar }) })).toBe('—');
  expect(said({ loans: [part(venus), part<Loan>(undefined)] })).toBe('—');
  expect(worth({ loans: [part(venus), part<Loan>(undefined)] }).leftOut).toEqual(['Lista BTCB']);
  expect(said({ wallet: part<{ of: Record<string, bigint> }>(undefined) })).toBe('—');
  // No holding has a price; then nothing is held.
  const none = { loans: [part(lista), part(lista)] };
  expect(said({ ...none, prices: part({ of: {} }) })).toBe('—');
  expect(
    said({ ...none, prices: part({ of: {} }), native: 0n, wallet: part({ of: { USDT: 0n, WBNB: 0n, ETH: 0n } }) }),
  ).toBe('$0.00');
  expect(netWords(undefined)).toBe('—');
});

test('WB-224: an unlisted token counts at its protocol’s own price, and a debt at no price is not worth nothing', () => {
  const of = (priceWad: bigint, debtAt: (price: bigint) => bigint) =>
    worth({
      loans: [
        part(
          loanIn(
            { name: 'Venus' },
            [market(at('9'), 'XVS', 18, wad('10'), wad('1'))],
            [{ market: at('9'), priceWad, weightedAt: () => 0n, debtAt }],
          ),
        ),
        part(lista),
      ],
    });
  const [own] = of(wad('5'), (price) => price).protocols;
  expect(own).toEqual({ name: 'Venus', suppliedUsdWad: wad('50'), owedUsdWad: wad('5') });
  expect(of(0n, (price) => price)).toMatchObject({ usdWad: undefined, leftOut: ['XVS'] });
});

test('WB-12: of a feed only a price above zero of the last day counts', () => {
  const of = (answer: bigint, updatedAt: bigint) =>
    usdWad(settings.assets[0] as Settings['assets'][number], 1_800_000_000n, [1n, answer, 0n, updatedAt, 1n]);
  expect(of(100_000_000n, 1_800_000_000n)).toBe(wad('1'));
  expect(of(0n, 1_800_000_000n)).toBeUndefined();
  expect(of(-1n, 1_800_000_000n)).toBeUndefined();
  expect(of(100_000_000n, 1_800_000_000n - 27n * 3_600n)).toBeUndefined();
});
