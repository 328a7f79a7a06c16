import {
  type Abi,
  type Address,
  type ContractFunctionName,
  decodeFunctionData,
  decodeFunctionResult,
  getAbiItem,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseUnits,
  toFunctionSelector,
} from 'viem';
import { lendingMarketAbi, loanGuardAbi } from '../../../abis/index.ts';
import type { Told } from './node.ts';

// What the node must have told the page before a claim is allowed, decided independently of the page's code.

const WAD = 10n ** 18n;
const guardSelector = toFunctionSelector(getAbiItem({ abi: loanGuardAbi, name: 'guard' }));

const erc20 = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
]);

/** The successful answers of one function among those told, with the call's target and arguments. */
function answersOf<const abi extends Abi>(told: readonly Told[], abi: abi, name: ContractFunctionName<abi>) {
  return told.flatMap(({ target, data, isOk, answer }) => {
    if (!isOk) return [];
    try {
      const { functionName, args } = decodeFunctionData({ abi: abi as Abi, data });
      if (functionName !== name) return [];
      return [{ target, args, value: decodeFunctionResult({ abi: abi as Abi, functionName, data: answer }) }];
    } catch {
      return [];
    }
  });
}

interface Guard {
  readonly terms: {
    readonly funder: Address;
    readonly minRepay: bigint;
    readonly expiresAt: number;
    readonly triggerHealthWad: bigint;
    readonly targetHealthWad: bigint;
    readonly capPerRescue: bigint;
    readonly capPerDay: bigint;
  };
  readonly repayToken: Address;
  readonly state: { readonly status: number };
  readonly isRevoked: boolean;
}

/**
 * Whether what was told allows "guarded". Some guard must be active and unexpired, its funder must hold and have
 * approved its minimum repayment, and the market must take its token: without all of these no rescue is possible. Some
 * loan must also not be below its trigger: otherwise a rescue is due and has not come.
 * @param time of the block, unix seconds.
 */
export const mayBeGuarded = (told: readonly Told[], loanGuard: Address, time: bigint): boolean =>
  ableGuards(told, loanGuard, time).some(({ terms }) =>
    answersOf(told, lendingMarketAbi, 'accrueAndRead').some(({ value }) => {
      const { debtValue, weightedCollateralValue } = value as Position;
      return debtValue > 0n && weightedCollateralValue * WAD >= terms.triggerHealthWad * debtValue;
    }),
  );

function ableGuards(told: readonly Told[], loanGuard: Address, time: bigint): readonly Guard[] {
  const guards = answersOf(told, loanGuardAbi, 'guard').map(({ value }) => value as Guard);
  const tokens = answersOf(told, lendingMarketAbi, 'repayToken').map(({ value }) => value as Address);
  const debts = answersOf(told, lendingMarketAbi, 'accrueAndRead').map(({ value }) => value as { debtValue: bigint });
  const held = answersOf(told, erc20, 'balanceOf');
  const allowed = answersOf(told, erc20, 'allowance').filter(({ args }) => args?.[1] === loanGuard);
  const has = (of: typeof held, { terms, repayToken }: Guard) =>
    of.some(
      ({ target, args, value }) =>
        isAddressEqual(target, repayToken) &&
        isAddressEqual(args?.[0] as Address, terms.funder) &&
        (value as bigint) >= terms.minRepay,
    );
  return guards.filter(
    (guard) =>
      guard.state.status === 1 &&
      !guard.isRevoked &&
      BigInt(guard.terms.expiresAt) > time &&
      tokens.some((token) => isAddressEqual(token, guard.repayToken)) &&
      debts.some(({ debtValue }) => debtValue > 0n) &&
      has(held, guard) &&
      has(allowed, guard),
  );
}

/** Whether the page was told of any debt. */
export const owesSomething = (told: readonly Told[]): boolean =>
  answersOf(told, lendingMarketAbi, 'accrueAndRead').some(({ value }) => (value as Position).debtValue > 0n);

/** Whether the page was told of any allowance, or of one that could not be read. */
export function isSomethingApproved(told: readonly Told[]): boolean {
  const selector: Hex = '0xdd62ed3e';
  return told.some(
    ({ data, isOk, answer }) => data.startsWith(selector) && (!isOk || /[1-9a-f]/.test(answer.slice(2))),
  );
}

interface Position {
  readonly debtValue: bigint;
  readonly weightedCollateralValue: bigint;
  readonly repayTokenPriceWad: bigint;
}

const priced = parseAbi(['function getUnderlyingPrice(address vToken) view returns (uint256)']);
/** Answers that may be dishonest while the price is still judged: guards, allowances, balances. */
const judged = ['0xdd62ed3e', '0x70a08231', guardSelector];
const keyOf = ({ target, data }: Told) => `${target}${data}`.toLowerCase();
const saidBy = ({ isOk, answer }: Told): Hex => (isOk ? answer : '0x');

/** Answers of an honest round, keyed by call. */
export const usualOf = (told: readonly Told[]): ReadonlyMap<string, Hex> =>
  new Map(told.map((each) => [keyOf(each), saidBy(each)]));

/**
 * Whether what was told allows "funded until ETH alone falls to $2,910.00": some guard may act, and what it may take
 * at once brings the loan to its target at that price of its only collateral. The price is judged only if the loan was
 * told honestly, because contradictory parts and sums can lead to any price.
 */
export function mayBeFunded(
  told: readonly Told[],
  loanGuard: Address,
  time: bigint,
  sentence: string,
  usual: ReadonlyMap<string, Hex>,
): boolean {
  const guards = ableGuards(told, loanGuard, time);
  const isUsual = (each: Told) =>
    judged.some((selector) => each.data.startsWith(selector)) || usual.get(keyOf(each)) === saidBy(each);
  const [, text] = /funded until \S+ alone falls to \$([\d,.]+\d)/.exec(sentence) ?? [];
  if (guards.length === 0 || text === undefined || !told.every(isUsual)) return guards.length > 0;
  // A cent more, to allow for the page's rounding.
  const price = parseUnits(text.replaceAll(',', ''), 18) + 10n ** 16n;
  const prices = answersOf(told, priced, 'getUnderlyingPrice').map(({ value }) => value as bigint);
  const positions = answersOf(told, lendingMarketAbi, 'accrueAndRead').map(({ value }) => value as Position);
  const held = answersOf(told, erc20, 'balanceOf').map(({ value }) => value as bigint);
  const allowed = answersOf(told, erc20, 'allowance').map(({ value }) => value as bigint);
  const most = (values: readonly bigint[]) => values.reduce((all, each) => (each > all ? each : all), 0n);
  return guards.some(({ terms }) =>
    positions.some(({ debtValue, weightedCollateralValue, repayTokenPriceWad }) => {
      const taken = [terms.capPerRescue, terms.capPerDay, most(held), most(allowed)];
      const repaid = (taken.reduce((least, each) => (each < least ? each : least)) * repayTokenPriceWad) / WAD;
      const left = debtValue > repaid ? debtValue - repaid : 0n;
      return prices.some(
        (now) => now > 0n && weightedCollateralValue * price * WAD >= terms.targetHealthWad * left * now,
      );
    }),
  );
}
