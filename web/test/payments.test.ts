import { readPaymentPlace } from '@bowline/chain/lending/own-payments';
import type { PaymentKind } from '@bowline/core/domain/own-payments';
import {
  type Address,
  createPublicClient,
  formatUnits,
  type Hex,
  http,
  pad,
  parseEther,
  toFunctionSelector,
  zeroAddress,
} from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { borrow, introduce, stranger } from '../../agent/test/loans.ts';
import { comptrollerAbi, erc20Abi, vBnbAbi } from '../../lab/world/abis.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { borrowInMoolah, moolahAbi, moolahMarketOf } from '../../lab/world/moolah.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { give } from '../../test/local/accounts.ts';
import type { Asset, Settings } from '../app/api/settings.ts';
import type { ChainClient } from '../app/chain/client.ts';
import { isShown } from '../app/chain/proof.ts';
import { type Loan, type LoanMarket, readLoan } from '../app/chain/read-loan.ts';
import type { Step } from '../app/chain/step.ts';
import { unwrapStep, wrapStep } from '../app/chain/wrap-steps.ts';
import {
  amountToTarget,
  inBnb,
  isInDanger,
  payableMarkets,
  paymentSteps,
  readPayment,
  targetOf,
} from '../app/guard/payment.ts';
import { tryCalls } from '../app/guard/use-tried.ts';

// A borrower's own payments as the page drafts them, with the real Venus and a stand-in for Moolah. No browser.

const borrower: Address = stranger(0);
const market = moolahMarketOf('ETH');
const { vUSDT, vBNB } = venus.markets;
/** Borrows BNB against BNB. */
const ofBnb: Address = stranger(1);
/** The wallet's reserve for fees. */
const reserve = parseEther('0.01');

let world: DeployedChain;
let settings: Settings;
let clean: Hex;

beforeAll(async () => {
  world = await startDeployedChain();
  const { chain, book } = world;
  await introduce(chain, borrower);
  await borrow(chain, borrower, '28000', { ETH: '10' });
  const deposit = await give(chain, borrower, 'ETH', '5');
  await chain.sendTogether(borrower, borrowInMoolah(market, borrower, deposit, parseEther('14200')));
  await give(chain, borrower, 'ETH', '20');
  await introduce(chain, ofBnb);
  await chain.send(ofBnb, vBNB, { abi: vBnbAbi, functionName: 'mint' }, parseEther('20'));
  await chain.send(ofBnb, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBNB]] });
  await chain.send(ofBnb, vBNB, { abi: vBnbAbi, functionName: 'borrow', args: [parseEther('12')] });
  settings = {
    contracts: { loanGuard: book.own.loanGuard, priceSource: book.own.chainlinkPriceSource },
    ...{ lending: book.lending, assets: [] },
  } as unknown as Settings;
}, 180_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  clean = await world.chain.snapshot();
});
afterEach(() => world.chain.revert({ id: clean }));

const client = () => createPublicClient({ transport: http(world.url), cacheTime: 0 });
const names = ['Venus', 'Lista ETH/USDT'] as const;

async function readInBnb(): Promise<Loan> {
  const loan = await read('Venus', ofBnb);
  return inBnb(loan, await client().getBalance({ address: ofBnb }), reserve);
}

function read(name: string, of = borrower): Promise<Loan> {
  const protocol = world.book.lending.find((each) => each.name === name);
  if (protocol === undefined) throw new Error(`${name} is not listed.`);
  return readLoan(client(), settings, protocol, of);
}

const placeOf = (loan: Loan, kind: PaymentKind, { market: at }: LoanMarket) =>
  readPaymentPlace(client(), loan.protocol, { borrower: loan.borrower, market: at, kind });

/** Sends what the page would ask to sign, with blocks in between; returns whether the last receipt proves payment. */
async function pay(loan: Loan, kind: PaymentKind, text: string, isWhole = false): Promise<boolean> {
  const payer = loan.borrower;
  const [of] = payableMarkets(loan, kind);
  if (of === undefined) throw new Error('Nothing to pay.');
  const typed = { kind, market: of, text, isWhole };
  const { amount, error } = readPayment(loan, typed, of.walletBalance);
  if (amount === undefined) throw new Error(error);
  const steps = paymentSteps(typed, amount, await placeOf(loan, kind, of), payer, 0n);
  const receipts = [];
  for (const { to, data, value = 0n } of steps) {
    receipts.push(...(await world.chain.sendTogether(payer, [{ to, data, value }])));
    if (isWhole) await world.chain.mine({ blocks: 100 });
  }
  expect(receipts.map(({ status }) => status)).toEqual(steps.map(() => 'success'));
  const { proof } = steps.at(-1) ?? {};
  return proof !== undefined && isShown(proof, payer, receipts.slice(-1));
}

for (const name of names) {
  test(`in danger the prefilled amount restores the target in ${name}, and the receipt shows it`, async () => {
    await setPrice(world.chain, borrower, 'ETH', 3_600_00000000n);
    const before = await read(name);
    expect(isInDanger(before, [])).toBe(true);
    const target = targetOf([]);
    for (const kind of ['repay', 'supply'] as const) {
      const [of] = payableMarkets(before, kind);
      const amount = amountToTarget(before, kind, of as LoanMarket, target);
      const state = await world.chain.snapshot();
      expect(await pay(before, kind, formatUnits(amount, 18))).toBe(true);
      const { healthWad = 0n } = await read(name);
      expect(healthWad, kind).toBeGreaterThanOrEqual(target);
      expect(Number(healthWad) / 1e18, kind).toBeCloseTo(1.25, 3);
      await world.chain.revert({ id: state });
    }
  }, 60_000);

  test(`WB-310: MAX leaves no dust in ${name}, though the debt grows until then`, async () => {
    await give(world.chain, borrower, 'USDT', '100000');
    const loan = await read(name);
    expect(await pay(loan, 'repay', '', true)).toBe(true);
    const after = await read(name);
    expect(after.markets.map(({ debt }) => debt)).toEqual(after.markets.map(() => 0n));
    expect(after.healthWad).toBeUndefined();
    // At most a thousandth of the debt stays approved.
    const [of] = payableMarkets(loan, 'repay');
    const { spender } = await placeOf(loan, 'repay', of as LoanMarket);
    const left = await world.chain.readContract({
      ...{ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [borrower, spender] },
    });
    expect(left).toBeLessThanOrEqual((of as LoanMarket).debt / 1_000n + 1n);
  }, 60_000);

  test(`what cannot be paid in ${name} is refused with its reason before anything is signed`, async () => {
    const loan = await read(name);
    const [of] = payableMarkets(loan, 'repay') as [LoanMarket];
    const why = (text: string, held = of.walletBalance) =>
      readPayment(loan, { kind: 'repay', market: of, text, isWhole: false }, held).error;
    expect(why('1000')).toBeUndefined();
    expect(why('99999')).toContain('You owe only');
    expect(why('1000', parseEther('999'))).toContain('Your wallet holds less USDT');
    if (name !== 'Venus') expect(why('14199')).toContain('no remaining debt below 15');
  });
}

const bnbOf = () => client().getBalance({ address: ofBnb });
/** More than a transaction's fee here. */
const fee = parseEther('0.001');
/** Makes a payment, and returns the BNB spent in addition to the amount, such as the fee. */
async function takenBeside(amount: bigint, payment: Promise<Loan>, ...how: [PaymentKind, string, boolean?]) {
  const before = await bnbOf();
  expect(await pay(await payment, ...how)).toBe(true);
  return before - (await bnbOf()) - amount;
}
const owedBnb = async () => (await readInBnb()).markets[0]?.debt ?? 0n;

test('WB-310: a debt of BNB is repaid and BNB added without an approval, and the receipt shows it', async () => {
  const loan = await readInBnb();
  const [of] = payableMarkets(loan, 'repay') as [LoanMarket];
  expect(of).toMatchObject({ symbol: 'BNB', walletBalance: (await bnbOf()) - reserve });
  const before = await owedBnb();
  expect(await takenBeside(parseEther('2.5'), readInBnb(), 'repay', '2.5')).toBeLessThan(fee);
  // One block of interest is added.
  expect(before - (await owedBnb())).toBeGreaterThan(parseEther('2.4999'));
  const spent = await takenBeside(parseEther('3'), readInBnb(), 'supply', '3');
  expect(spent > 0n && spent < fee).toBe(true);
  const { markets, healthWad = 0n } = await readInBnb();
  expect(Number(markets[0]?.supplied) / 1e18).toBeCloseTo(23, 6);
  expect(healthWad).toBeGreaterThan(loan.healthWad ?? 0n);
}, 60_000);

test('WB-310: MAX leaves nothing owed of BNB, and what was sent above it comes back', async () => {
  const loan = await readInBnb();
  await world.chain.mine({ blocks: 200 });
  const [{ debt }] = payableMarkets(loan, 'repay') as [LoanMarket];
  const spent = await takenBeside(debt, Promise.resolve(loan), 'repay', '', true);
  expect(await owedBnb()).toBe(0n);
  expect((await readInBnb()).healthWad).toBeUndefined();
  // Of the thousandth sent above the debt, only interest and the fee are spent.
  expect(spent > 0n && spent < debt / 10_000n + fee).toBe(true);
}, 60_000);

test('WB-310: BNB goes to the contracts of the registry alone, as much as was typed, whatever a node says', async () => {
  const loan = await readInBnb();
  const [of] = payableMarkets(loan, 'repay') as [LoanMarket];
  for (const kind of ['repay', 'supply'] as const) {
    const place = await placeOf(loan, kind, of);
    for (const isWhole of [false, true]) {
      const { call, approval } = place.pay(parseEther('1'), isWhole);
      const isAll = isWhole && kind === 'repay';
      expect([call.to, approval]).toEqual([isAll ? venus.maximillion : vBNB, 0n]);
      expect(call.value).toBe(isAll ? parseEther('1.001') : parseEther('1'));
    }
  }
  // A BNB market that only a node names does not count.
  const named = { ...of, market: pad(borrower) };
  expect((await placeOf(loan, 'repay', named)).refusal).toBe('market_not_listed');
  // The wallet cannot pay with its fee reserve, nor more than it holds.
  const why = (text: string) =>
    readPayment(loan, { kind: 'supply', market: of, text, isWhole: false }, of.walletBalance);
  expect(why(formatUnits(of.walletBalance, 18)).error).toBeUndefined();
  expect(why(formatUnits(of.walletBalance + 1n, 18)).error).toContain('Your wallet holds less BNB');
});

test('WB-330: what sends or brings BNB is tried before it is signed, with its fee', async () => {
  const loan = await readInBnb();
  const [of] = payableMarkets(loan, 'repay') as [LoanMarket];
  const tried = (steps: readonly Step[]) => tryCalls(client() as unknown as ChainClient, ofBnb, steps);
  const place = await placeOf(loan, 'repay', of);
  const whole = paymentSteps({ kind: 'repay', market: of, text: '', isWhole: true }, of.debt, place, ofBnb, 0n);
  // An estimate shows only the digits that it knows: interest grows until the payment.
  const uneven = paymentSteps({ kind: 'repay', market: of, text: '', isWhole: true }, of.debt + 1n, place, ofBnb, 0n);
  expect(uneven[0]?.label).toMatch(/^Repay the whole debt of about [\d,]+(\.\d{1,6})? BNB$/);
  const wrapped = { symbol: 'WBNB', address: tokens.WBNB, decimals: 18 } as Asset;
  const there = [wrapStep(wrapped, ofBnb, 5n), unwrapStep(wrapped, ofBnb, 5n)];
  for (const steps of [whole, there]) {
    const { refused, cost } = await tried(steps);
    expect([refused, cost === undefined]).toEqual([undefined, false]);
  }
  // vBNB accepts no more than is owed, and WBNB that is not there cannot be unwrapped.
  const above = [{ ...(whole[0] as Step), to: vBNB, data: toFunctionSelector('repayBorrow()') }];
  for (const steps of [above, there.slice(1)]) expect((await tried(steps)).refused?.kind).toBe('refused');
});

test('only what the registry lists is paid into, and a pause, a broker and a provider are named', async () => {
  const { chain, book } = world;
  const [ofVenus, ofLista] = [await read('Venus'), await read('Lista ETH/USDT')];
  const unlisted = (await readPaymentPlace(client(), ofVenus.protocol, {
    ...{ borrower, market: pad(venus.vaiController), kind: 'repay' },
  })) as { refusal: unknown };
  expect(unlisted.refusal).toBe('market_not_listed');
  const [debt] = payableMarkets(ofVenus, 'repay') as [LoanMarket];
  expect((await placeOf(ofVenus, 'repay', debt)).spender).toBe(vUSDT);
  // The node names other parameters of the market.
  const { params, moolah: core } = market;
  const lying = {
    ...client(),
    multicall: async () => [{ ...params, loanToken: borrower }, [0n, 1n, 1n], false, zeroAddress],
    readContract: async () => zeroAddress,
  } as never;
  const lied = await readPaymentPlace(lying, ofLista.protocol, { borrower, market: market.id, kind: 'repay' });
  expect(lied.refusal).toBe('market_not_listed');

  const refusal = async (kind: PaymentKind) => {
    const [of] = payableMarkets(ofLista, kind) as [LoanMarket];
    return (await placeOf(ofLista, kind, of)).refusal;
  };
  expect([await refusal('repay'), await refusal('supply')]).toEqual([undefined, undefined]);
  await chain.send(borrower, core, {
    abi: moolahAbi,
    functionName: 'setBroker',
    args: [market.id, book.own.loanGuard],
  });
  expect([await refusal('repay'), await refusal('supply')]).toEqual(['repaid_by_broker_only', undefined]);
  await chain.send(borrower, core, { abi: moolahAbi, functionName: 'setPaused', args: [true] });
  expect([await refusal('repay'), await refusal('supply')]).toEqual(['repay_paused', 'supply_paused']);
}, 60_000);
