import { erc20Abi } from '@bowline/chain/erc20-abi';
import {
  moolahPaymentAbi,
  type Payment,
  type PaymentPlace,
  vTokenPaymentAbi,
} from '@bowline/chain/lending/own-payments';
import { GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { isNativeMarket } from '@bowline/core/domain/lending';
import type { LoanValues } from '@bowline/core/domain/loan-health';
import { collateralsOf } from '@bowline/core/domain/loan-prices';
import {
  type AmountRefusal,
  afterRepaying,
  afterSupplying,
  type PaymentKind,
  repayForTarget,
  repayRefusal,
  supplyForTarget,
  supplyRefusal,
  wholeDebtUp,
} from '@bowline/core/domain/own-payments';
import { UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { formatUnits, largest, smallest } from '@bowline/core/domain/units';
import { type Address, pad, parseUnits } from 'viem';
import { approveStep } from '../chain/approve.ts';
import { BNB } from '../chain/bnb.ts';
import { type Proof, proofBy } from '../chain/proof.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import type { Step } from '../chain/step.ts';
import { moneyOf, parseAmount } from '../words/amounts.ts';
import { paymentWords } from '../words/en/payment.ts';
import { health, healthTone } from '../words/health.ts';

interface Watching {
  readonly guard: Pick<Guard, 'triggerHealthWad' | 'targetHealthWad'>;
}

/** Whether its owner should act now: liquidation is near or forced, or a rescue is due and has not come. */
export const isInDanger = ({ healthWad, forcedMarkets }: Loan, guards: readonly Watching[]): boolean =>
  healthWad !== undefined &&
  (healthTone(healthWad) === 'bad' ||
    (forcedMarkets?.length ?? 0) > 0 ||
    guards.some(({ guard }) => healthWad < guard.triggerHealthWad));

/** The health to restore: the guards' highest target, or else the default target of a guard. */
export function targetOf(guards: readonly Watching[]): bigint {
  const targets = guards.map(({ guard }) => guard.targetHealthWad).filter((wad) => wad !== UNWIND_HEALTH_WAD);
  return targets.length === 0 ? parseUnits(GUARD_TARGET_HEALTH, 18) : largest(targets);
}

/** Markets that a borrower can pay into: those with debt, or with collateral that counts. The most helpful is first. */
export function payableMarkets(loan: Loan, kind: PaymentKind): readonly LoanMarket[] {
  const priceOf = ({ market }: LoanMarket) =>
    loan.prices[market.toLowerCase()] ?? loan.parts?.find((part) => part.market === market)?.priceWad ?? 0n;
  const worth = (of: LoanMarket) => {
    if (!isPayable(loan.protocol, of)) return -1n;
    const held = kind === 'repay' ? smallest([of.walletBalance, of.debt]) : of.walletBalance;
    return held * priceOf(of);
  };
  const all =
    kind === 'repay'
      ? loan.markets.filter(({ debt }) => debt > 0n)
      : (collateralsOf(loan) ?? []).map(({ market }) => market);
  return all.toSorted((a, b) => (worth(a) === worth(b) ? 0 : worth(a) > worth(b) ? -1 : 1));
}

/** Whether the registry lists the market's contract. Isolated markets all share one contract. */
const isPayable = (protocol: Loan['protocol'], { market }: LoanMarket): boolean =>
  protocol.payable === undefined ||
  isNativeMarket(protocol, market) ||
  protocol.payable.some((each) => sameAddress(pad(each), market));

/** wei of the wallet's BNB that can be paid in; the reserve for fees is kept. */
export const spareBnb = (native: bigint, reserve: bigint): bigint => largest([0n, native - reserve]);

/** The loan with BNB itself as the payment token where the protocol takes it. @param native wei in the wallet. */
export const inBnb = (loan: Loan, native: bigint, reserve: bigint): Loan => ({
  ...loan,
  markets: loan.markets.map((of) =>
    isNativeMarket(loan.protocol, of.market) ? { ...of, ...BNB, walletBalance: spareBnb(native, reserve) } : of,
  ),
});

/** Whether the wallet can repay a market's whole debt, including the excess sent with BNB. */
export const canRepayAll = (
  { protocol }: Pick<Loan, 'protocol'>,
  { market, debt }: LoanMarket,
  held: bigint,
): boolean => held >= (isNativeMarket(protocol, market) ? wholeDebtUp(debt) : debt);

/** A form's initial amount: what reaches the target, or as much of it as the wallet has. Zero if nothing is needed. */
export function amountToTarget(loan: Loan, kind: PaymentKind, market: LoanMarket, targetHealthWad: bigint): bigint {
  const { walletBalance } = market;
  if (kind === 'repay') return repayForTarget(loan, market.market, walletBalance, targetHealthWad);
  return supplyForTarget(loan, depositOf(loan, market), walletBalance, targetHealthWad);
}

function depositOf(loan: Pick<GuardedLoan, 'parts'>, { market, supplied }: LoanMarket) {
  const part = loan.parts?.find((each) => each.market === market);
  return { supplied, weightedWad: part?.weightedAt(part.priceWad) ?? 0n };
}

export interface Typed {
  readonly kind: PaymentKind;
  readonly market: LoanMarket;
  readonly text: string;
  /** Whether MAX was pressed for a debt that the wallet can repay whole. Repays the debt as it is at execution. */
  readonly isWhole: boolean;
}

/** A payment as it was typed, or why it cannot be made. */
export function readPayment(loan: Loan, { kind, market, text, isWhole }: Typed, held: bigint) {
  const parsed = isWhole ? { ok: true as const, value: market.debt } : parseAmount(text, market.decimals);
  if (!parsed.ok) return { amount: undefined, after: undefined, error: parsed.why };
  const amount = parsed.value;
  const minDebt = loan.minDebts?.[market.market.toLowerCase()] ?? 0n;
  const refusal =
    kind === 'repay'
      ? repayRefusal(amount, isWhole, { debt: market.debt, held, minDebt })
      : supplyRefusal(amount, held);
  if (refusal !== undefined) return { amount: undefined, after: undefined, error: whyNot(refusal, market, minDebt) };
  const after =
    kind === 'repay'
      ? afterRepaying(loan, market.market, amount)
      : afterSupplying(loan, depositOf(loan, market), amount);
  return { amount, after, error: undefined };
}

function whyNot(refusal: AmountRefusal, market: LoanMarket, minDebt: bigint): string {
  const { amountRefusals } = paymentWords;
  if (refusal === 'amount_over_balance') return amountRefusals[refusal](market.symbol);
  return amountRefusals[refusal](moneyOf(market).cost(refusal === 'amount_over_debt' ? market.debt : minDebt));
}

/** The steps to sign: the exact approval, unless it exists or BNB is paid, then the protocol's own call. */
export function paymentSteps(
  { kind, market, isWhole }: Typed,
  amount: bigint,
  { family, spender, repaysAll, pay }: PaymentPlace,
  borrower: Address,
  allowance: bigint,
): readonly Step[] {
  const { call, approval } = pay(amount, isWhole);
  const { exact, cost } = moneyOf(market);
  const label =
    kind === 'supply'
      ? paymentWords.supplyStep(exact(amount))
      : isWhole
        ? paymentWords.repayAllStep(cost(amount))
        : paymentWords.repayStep(exact(amount));
  return [
    ...(approval === 0n || approval === allowance
      ? []
      : [approveStep(paymentWords.approveStep(exact(approval)), market.token, spender, approval, 0n)]),
    {
      label,
      ...call,
      proof: proofOf(kind, family, spender, {
        ...{ borrower, payer: (isWhole && repaysAll) || borrower, amount: isWhole ? undefined : amount },
      }),
    },
  ];
}

interface Paid {
  readonly borrower: Address;
  /** The payer that the protocol's own event names. */
  readonly payer: Address;
  /** Undefined: any amount. */
  readonly amount: bigint | undefined;
}

function proofOf(
  kind: PaymentKind,
  family: PaymentPlace['family'],
  at: Address,
  { borrower, payer, amount }: Paid,
): Proof {
  const [paid, added, repaid] = [
    ...[amount !== undefined && { assets: amount }, amount !== undefined && { mintAmount: amount }],
    amount !== undefined && { repayAmount: amount },
  ];
  // This market is older and reports a deposit in another form. In both forms, the market itself sends the receipts.
  if (family === 'vBnb' && kind === 'supply')
    return { ...proofBy(at, erc20Abi, 'Transfer', { from: at, to: borrower }), isCommon: true };
  if (family === 'moolah') {
    const by = { caller: borrower, onBehalf: borrower, ...paid };
    return proofBy(at, moolahPaymentAbi, kind === 'repay' ? 'Repay' : 'SupplyCollateral', by);
  }
  return kind === 'repay'
    ? proofBy(at, vTokenPaymentAbi, 'RepayBorrow', { payer, borrower, ...repaid })
    : proofBy(at, vTokenPaymentAbi, 'Mint', { minter: borrower, ...added });
}

/** What exactly is paid once signed, as one sentence each. */
export function paymentSummary(
  { kind, market, isWhole }: Typed,
  loan: Loan,
  amount: bigint,
  after: LoanValues,
  { call: { value = 0n }, approval }: Payment,
): readonly string[] {
  const money = moneyOf(market);
  const short = money.amount(amount);
  const exactly = money.exact;
  const { name } = loan.protocol;
  const [from, to] = [
    health(loan.healthWad ?? 0n),
    after.healthWad === undefined ? undefined : health(after.healthWad),
  ];
  return [
    isWhole
      ? paymentWords.repaysAll(market.symbol, short)
      : kind === 'repay'
        ? paymentWords.repays(short, name)
        : paymentWords.supplies(short, name),
    to === undefined ? paymentWords.noDebtLeft : paymentWords.brings(from, to),
    ...(approval > 0n
      ? [paymentWords.approves(exactly(approval), name), ...(isWhole ? [paymentWords.surplus(name)] : [])]
      : [paymentWords.sends(exactly(value), name), ...(isWhole ? [paymentWords.returns(name)] : [])]),
    ...(kind === 'repay' && !isWhole && amount === market.debt ? [paymentWords.interestLeft] : []),
  ];
}

export const textOf = (amount: bigint, { decimals }: LoanMarket): string =>
  amount === 0n ? '' : formatUnits(amount, decimals);
