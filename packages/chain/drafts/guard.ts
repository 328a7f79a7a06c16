import { GUARD_COOLDOWN_SECONDS, GUARD_DAYS } from '@bowline/core/domain/defaults';
import { type GuardContracts, type GuardKey, guardContractAt, numberOf } from '@bowline/core/domain/guard-key';
import type { GuardOptions } from '@bowline/core/domain/permission-drafts';
import { type SaleRoute, UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { SALE_COOLDOWN_SECONDS, SALE_COST_BPS } from '@bowline/core/domain/sale-terms';
import type { Abi, Address, ContractFunctionArgs, Hex, TypedDataDefinition } from 'viem';
import { encodeFunctionData, erc20Abi, pad, size, zeroAddress } from 'viem';
import { collateralGuardAbi, loanGuardAbi } from '../../../abis/index.ts';
import type { Call } from '../try-as.ts';
import { addressOf } from './address.ts';
import { baseUnits } from './base-units.ts';
import { assetOf, type Deployment } from './deployment.ts';
import { epochOf, onceWithin, type Reader, structsOf } from './signed.ts';

export type { GuardOptions } from '@bowline/core/domain/permission-drafts';

/** ILoanGuard.Terms. */
export type GuardTerms = ContractFunctionArgs<typeof loanGuardAbi, 'nonpayable', 'register'>[0];
/** ICollateralGuard.Terms. */
export type SaleTerms = ContractFunctionArgs<typeof collateralGuardAbi, 'nonpayable', 'register'>[0];
/** ILoanGuard.Consent: what a funder signs to pay for another account's rescues. */
export type Consent = ContractFunctionArgs<typeof loanGuardAbi, 'nonpayable', 'registerFunded'>[0];
/** The same for either contract. */
export type AnyConsent = Omit<Consent, 'terms'> & { readonly terms: GuardTerms | SaleTerms };

/** Options for CollateralGuard's terms. Amounts are in whole units of `repay`. */
export interface SaleOptions extends GuardOptions {
  /** The market whose deposit pays: its contract in the protocol. */
  readonly collateralMarket: Address;
  /** Health, or 'unwind': repay the whole debt and leave the rest of the collateral; '1.15' if omitted. */
  readonly targetHealth: string;
  /** Maximum all-in cost of a sale in 1/10,000; 200 if omitted. */
  readonly maxCostBps?: number;
  /** 300 if omitted: with an hour, loans would be lost in a crash. */
  readonly cooldownSeconds?: number;
  /**
   * Up to three PancakeSwap v3 pools, starting from the collateral token: fee in hundredths of a basis point, and what the pool
   * pays out unless it is the last. If omitted, the caller chooses, which needs a guard with a keeper, or with a single token.
   */
  readonly route?: readonly { readonly fee: number; readonly pays?: Address }[];
  /** True if omitted: without a second source, a single oracle prices the sale. */
  readonly watchesChainlink?: boolean;
}

/**
 * The terms of a guard, as its borrower would sign them.
 * @throws Error with one line that names the option that cannot be used. LoanGuard checks its own bounds when the
 *   call is simulated.
 */
export function draftGuard(deployment: Deployment, options: GuardOptions): GuardTerms {
  const isId = size(options.market) === 32;
  const market = isId ? (options.market.toLowerCase() as Hex) : marketOf('market', options.market);
  return { ...shared(deployment, options), adapter: protocolOf(deployment, options, isId).adapter, market };
}

/** The same for a guard that pays out of a deposit. */
export function draftSale(deployment: Deployment, options: SaleOptions): SaleTerms {
  const { lending, chainId } = deployment;
  const adapter = lending.find((each) => isNamed(each, options.protocol) && each.collateralAdapter)?.collateralAdapter;
  if (adapter === undefined) {
    throw new Error(`Bowline sells no collateral of ${options.protocol ?? 'any protocol'} on chain ${chainId}.`);
  }
  const { watchesChainlink = true, maxCostBps = SALE_COST_BPS, cooldownSeconds = SALE_COOLDOWN_SECONDS } = options;
  if (!Number.isSafeInteger(maxCostBps) || maxCostBps < 1) throw new Error('maxCostBps must be 1 or more.');
  return {
    ...shared(deployment, { ...options, watchesChainlink, cooldownSeconds }),
    adapter,
    debtMarket: marketOf('market', options.market),
    collateralMarket: marketOf('collateralMarket', options.collateralMarket),
    maxCostBps,
    route: routeOf(options.route ?? []),
  };
}

const marketOf = (name: string, at: Hex): Hex => pad(addressOf(name, at).toLowerCase() as Address);

/** @param isId whether the protocol identifies its markets by id, not by address. */
function protocolOf({ lending, chainId }: Deployment, { protocol }: GuardOptions, isId: boolean) {
  const named = lending.filter((each) => isNamed(each, protocol));
  const place = named.find(({ market }) => isId === (market !== undefined));
  if (place !== undefined) return place;
  if (protocol !== undefined && named.length > 0) {
    throw new Error(`${protocol} identifies its markets by ${isId ? 'an address' : 'a 32-byte id'}.`);
  }
  throw new Error(`Bowline guards no loans of ${protocol ?? 'such a market'} on chain ${chainId}.`);
}

/** The terms that both contracts share. */
function shared(deployment: Deployment, options: GuardOptions) {
  const borrower = addressOf('borrower', options.borrower);
  const repay = assetOf(deployment, options.repay);
  const amount = (name: 'capPerRescue' | 'capPerDay' | 'minRepay') => baseUnits(name, options[name], repay.decimals);
  const { targetHealth, watchesChainlink } = options;
  return {
    borrower,
    funder: addressOf('funder', options.funder ?? borrower),
    keeper: addressOf('keeper', options.keeper ?? zeroAddress),
    priceSource: watchesChainlink === true ? deployment.contracts.chainlinkPriceSource : zeroAddress,
    triggerHealthWad: baseUnits('triggerHealth', options.triggerHealth, 18),
    targetHealthWad: targetHealth === 'unwind' ? UNWIND_HEALTH_WAD : baseUnits('targetHealth', targetHealth, 18),
    capPerRescue: amount('capPerRescue'),
    capPerDay: amount('capPerDay'),
    minRepay: amount('minRepay'),
    cooldownSeconds: options.cooldownSeconds ?? GUARD_COOLDOWN_SECONDS,
    expiresAt: options.expiresAt ?? Math.floor(Date.now() / 1_000) + GUARD_DAYS * 86_400,
  };
}

function routeOf(pools: NonNullable<SaleOptions['route']>): SaleRoute {
  if (pools.length > 3) throw new Error('route has at most three pools.');
  if (pools.some(({ pays }, at) => (pays === undefined) !== (at === pools.length - 1))) {
    throw new Error('route: every pool but the last must name the token that it pays out.');
  }
  const [first, second, third] = pools;
  const token = (pool: typeof first) => addressOf('route', pool?.pays ?? zeroAddress);
  return {
    ...{ firstFee: first?.fee ?? 0, firstToken: token(first) },
    ...{ secondFee: second?.fee ?? 0, secondToken: token(second), thirdFee: third?.fee ?? 0 },
  };
}

const isNamed = ({ name, family }: Deployment['lending'][number], protocol: string | undefined): boolean =>
  protocol === undefined || [name, family].some((each) => each?.toLowerCase() === protocol.toLowerCase());

/** The borrower's call that registers the guard, where the borrower is the funder. */
export function registerCall(
  { contracts }: { readonly contracts: GuardContracts },
  terms: GuardTerms | SaleTerms,
): Call {
  const { to, abi } = contractFor(contracts, terms);
  return { to, data: encodeFunctionData({ abi: abi as Abi, functionName: 'register', args: [terms] }) };
}

/**
 * The funder's call that lets rescues take `amount` base units of the repay token in total, including those by the
 * funder's other guards: an approval replaces the earlier one.
 */
export const approveRescuesCall = ({ contracts }: Deployment, token: Address, amount: bigint): Call => ({
  to: addressOf('token', token),
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [contracts.loanGuard, amount] }),
});

/** The same for a deposit's receipts and CollateralGuard. */
export const approveSalesCall = ({ contracts }: Deployment, receipt: Address, receipts: bigint): Call => ({
  to: addressOf('receipt', receipt),
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [saleContract(contracts), receipts] }),
});

/** The borrower's or the funder's call that ends a guard for good. @param key its number, or `collateral-` and its number. */
export const cancelGuardCall = ({ contracts }: Deployment, key: GuardKey): Call => ({
  to: guardContractAt(contracts, key),
  // The function is the same in both contracts.
  data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [numberOf(key)] }),
});

const saleContract = (contracts: GuardContracts): Address => guardContractAt(contracts, 'collateral-0');

/** The contract for these terms: only CollateralGuard's name a collateral. */
const contractFor = (contracts: GuardContracts, terms: GuardTerms | SaleTerms) =>
  'collateralMarket' in terms
    ? { to: saleContract(contracts), abi: collateralGuardAbi, name: 'Bowline CollateralGuard' }
    : { to: contracts.loanGuard, abi: loanGuardAbi, name: 'Bowline LoanGuard' };

/**
 * What a funder consents to: these terms, once. Reads both accounts' epochs: a revocation of either voids it.
 * @param validSeconds how long the borrower may use it; a day if omitted.
 */
export async function draftConsent<Terms extends GuardTerms | SaleTerms>(
  client: Reader,
  deployment: { readonly contracts: Pick<Deployment['contracts'], 'revocations'> },
  terms: Terms,
  validSeconds = 86_400,
): Promise<Omit<Consent, 'terms'> & { readonly terms: Terms }> {
  const epoch = (owner: Address) => epochOf(client, deployment, owner);
  const [borrowerEpoch, funderEpoch] = await Promise.all([epoch(terms.borrower), epoch(terms.funder)]);
  return { terms, ...onceWithin(validSeconds), borrowerEpoch, funderEpoch };
}

/** What the funder's wallet signs (EIP-712): pass it to viem's `signTypedData`. */
export function consentTypedData(
  { chainId, contracts }: Pick<Deployment, 'chainId'> & { readonly contracts: GuardContracts },
  message: AnyConsent,
): TypedDataDefinition {
  const { to: verifyingContract, abi, name } = contractFor(contracts, message.terms);
  return {
    domain: { name, version: '1', chainId, verifyingContract },
    types: structsOf(abi, 'registerFunded'),
    primaryType: 'Consent',
    message: { ...message },
  };
}

/** The borrower's call that registers a guard for which another account pays. */
export function registerFundedCall(
  { contracts }: { readonly contracts: GuardContracts },
  consent: AnyConsent,
  signature: Hex,
): Call {
  const { to, abi } = contractFor(contracts, consent.terms);
  return {
    to,
    data: encodeFunctionData({ abi: abi as Abi, functionName: 'registerFunded', args: [consent, signature] }),
  };
}
