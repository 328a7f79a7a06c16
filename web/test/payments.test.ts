import { readPaymentPlace } from '@bowline/chain/lending/own-payments';
import type { PaymentKind } from '@bowline/core/domain/own-payments';
import { type Address, createPublicClient, formatUnits, type Hex, http, pad, parseEther, zeroAddress } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { borrow, introduce, stranger } from '../../agent/test/loans.ts';
import { erc20Abi } from '../../lab/world/abis.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { borrowInMoolah, moolahAbi, moolahMarketOf } from '../../lab/world/moolah.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { give } from '../../test/local/accounts.ts';
import type { Settings } from '../app/api/settings.ts';
import { isShown } from '../app/chain/proof.ts';
import { type Loan, type LoanMarket, readLoan } from '../app/chain/read-loan.ts';
import {
  amountToTarget,
  isInDanger,
  payableMarkets,
  paymentSteps,
  readPayment,
  targetOf,
} from '../app/guard/payment.ts';

// A borrower's own payments as the page drafts them, at the real Venus and the stand-in of Moolah. No browser.

const borrower: Address = stranger(0);
const market = moolahMarketOf('ETH');
const { vUSDT } = venus.markets;

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

function read(name: string): Promise<Loan> {
  const protocol = world.book.lending.find((each) => each.name === name);
  if (protocol === undefined) throw new Error(`${name} is not listed.`);
  return readLoan(client(), settings, protocol, borrower);
}

const placeOf = (loan: Loan, kind: PaymentKind, { market: at }: LoanMarket) =>
  readPaymentPlace(client(), loan.protocol, { borrower, market: at, kind });

/** Sends what the page would have signed, with blocks between its steps, and says whether the last receipt shows the payment. */
async function pay(loan: Loan, kind: PaymentKind, text: string, isWhole = false): Promise<boolean> {
  const [of] = payableMarkets(loan, kind);
  if (of === undefined) throw new Error('Nothing to pay.');
  const typed = { kind, market: of, text, isWhole };
  const { amount, error } = readPayment(loan, typed, of.walletBalance);
  if (amount === undefined) throw new Error(error);
  const steps = paymentSteps(typed, amount, await placeOf(loan, kind, of), borrower, 0n);
  const receipts = [];
  for (const { to, data } of steps) {
    receipts.push(...(await world.chain.sendTogether(borrower, [{ to, data }])));
    if (isWhole) await world.chain.mine({ blocks: 100 });
  }
  expect(receipts.map(({ status }) => status)).toEqual(steps.map(() => 'success'));
  const { proof } = steps.at(-1) ?? {};
  return proof !== undefined && isShown(proof, borrower, receipts.slice(-1));
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

  test(`WB-311: MAX leaves no dust in ${name}, though the debt grows until then`, async () => {
    await give(world.chain, borrower, 'USDT', '100000');
    const loan = await read(name);
    expect(await pay(loan, 'repay', '', true)).toBe(true);
    const after = await read(name);
    expect(after.markets.map(({ debt }) => debt)).toEqual(after.markets.map(() => 0n));
    expect(after.healthWad).toBeUndefined();
    // No more stays approved than a thousandth of the debt.
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
    if (name !== 'Venus') expect(why('14199')).toContain('no rest below 15');
  });
}

test('only what the registry lists is paid into, and a pause, a broker and a provider are named', async () => {
  const { chain, book } = world;
  const [ofVenus, ofLista] = [await read('Venus'), await read('Lista ETH/USDT')];
  const unlisted = (await readPaymentPlace(client(), ofVenus.protocol, {
    ...{ borrower, market: pad(venus.markets.vBNB), kind: 'repay' },
  })) as { refusal: unknown };
  expect(unlisted.refusal).toBe('market_not_listed');
  const [debt] = payableMarkets(ofVenus, 'repay') as [LoanMarket];
  expect((await placeOf(ofVenus, 'repay', debt)).spender).toBe(vUSDT);
  // A node that names other parameters of the market.
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
