import type { Address, ContractFunctionArgs, Hex, PublicClient, TypedDataDefinition } from 'viem';
import { bytesToBigInt, encodeFunctionData, erc20Abi, pad, size, zeroAddress } from 'viem';
import { loanGuardAbi, revocationsAbi } from '../../../abis/index.ts';
import { addressOf } from './address.ts';
import { baseUnits } from './base-units.ts';
import type { Call } from './call.ts';
import { assetOf, type Deployment } from './deployment.ts';

/** ILoanGuard.Terms. */
export type GuardTerms = ContractFunctionArgs<typeof loanGuardAbi, 'nonpayable', 'register'>[0];
/** ILoanGuard.Consent: what a funder signs to pay for another account's rescues. */
export type Consent = ContractFunctionArgs<typeof loanGuardAbi, 'nonpayable', 'registerFunded'>[0];

export interface GuardOptions {
  readonly borrower: Address;
  /** Whose tokens repay; the borrower's if omitted. Another funder must sign a consent. */
  readonly funder?: Address;
  /** The lending protocol's name; if omitted, the one that knows markets by what `market` is. */
  readonly protocol?: string;
  /** The market whose debt is repaid, as its protocol knows it: a contract's address, or an id of 32 bytes. */
  readonly market: Hex;
  /**
   * Symbol or address of the token that repays, which the amounts below are of: the market's own, as the adapter's
   * `repayToken(market)` says. LoanGuard takes that one, whatever is named here.
   */
  readonly repay: string;
  /** A rescue needs health below this, and restores the target: '1.1', '1.25'. */
  readonly triggerHealth: string;
  readonly targetHealth: string;
  /** Maximum of one rescue and of one UTC day, and minimum of one rescue, in whole units of `repay`. */
  readonly capPerRescue: string;
  readonly capPerDay: string;
  readonly minRepay: string;
  /** 3,600 if omitted. */
  readonly cooldownSeconds?: number;
  /** Unix seconds; a year from now if omitted. */
  readonly expiresAt?: number;
  /** The only account that may call the rescue; anybody if omitted, which is safer. */
  readonly keeper?: Address;
  /** Whether Chainlink's prices trigger a rescue beside the protocol's own; false if omitted. */
  readonly watchesChainlink?: boolean;
}

const YEAR = 365 * 86_400;

/**
 * The terms of a guard, as its borrower would sign them.
 * @throws Error with one line that names the option that cannot be used. LoanGuard's own bounds are checked by it, when the
 *   call is simulated.
 */
export function draftGuard(deployment: Deployment, options: GuardOptions): GuardTerms {
  const { protocol } = options;
  const borrower = addressOf('borrower', options.borrower);
  const { contracts, lending } = deployment;
  const isId = size(options.market) === 32;
  const place = lending.find((each) => isNamed(each, protocol) && isId === (each.market !== undefined));
  if (place === undefined) throw new Error(`Bowline guards no loans of ${protocol} on chain ${deployment.chainId}.`);
  const repay = assetOf(deployment, options.repay);
  const amount = (name: 'capPerRescue' | 'capPerDay' | 'minRepay') => baseUnits(name, options[name], repay.decimals);
  return {
    borrower,
    funder: addressOf('funder', options.funder ?? borrower),
    adapter: place.adapter,
    market: isId
      ? (options.market.toLowerCase() as Hex)
      : pad(addressOf('market', options.market).toLowerCase() as Hex),
    keeper: addressOf('keeper', options.keeper ?? zeroAddress),
    priceSource: options.watchesChainlink === true ? contracts.chainlinkPriceSource : zeroAddress,
    triggerHealthWad: baseUnits('triggerHealth', options.triggerHealth, 18),
    targetHealthWad: baseUnits('targetHealth', options.targetHealth, 18),
    capPerRescue: amount('capPerRescue'),
    capPerDay: amount('capPerDay'),
    minRepay: amount('minRepay'),
    cooldownSeconds: options.cooldownSeconds ?? 3_600,
    expiresAt: options.expiresAt ?? Math.floor(Date.now() / 1_000) + YEAR,
  };
}

const isNamed = ({ name, family }: Deployment['lending'][number], protocol: string | undefined): boolean =>
  protocol === undefined || [name, family].some((each) => each?.toLowerCase() === protocol.toLowerCase());

/** The borrower's call that registers the guard, where the borrower is the funder. */
export const registerCall = ({ contracts }: Deployment, terms: GuardTerms): Call => ({
  to: contracts.loanGuard,
  data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'register', args: [terms] }),
});

/**
 * The funder's call that lets rescues take `amount` base units of the repay token in all, those of the funder's other guards
 * included: an approval replaces the earlier one.
 */
export const approveRescuesCall = ({ contracts }: Deployment, token: Address, amount: bigint): Call => ({
  to: addressOf('token', token),
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [contracts.loanGuard, amount] }),
});

/** The borrower's or the funder's call that ends a guard for good. */
export const cancelGuardCall = ({ contracts }: Deployment, guardId: bigint): Call => ({
  to: contracts.loanGuard,
  data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [guardId] }),
});

/**
 * What a funder consents to: these terms, once. Reads both accounts' epochs: a revocation of either voids it.
 * @param validSeconds how long the borrower may use it; a day if omitted.
 */
export async function draftConsent(
  client: Pick<PublicClient, 'readContract'>,
  { contracts }: Deployment,
  terms: GuardTerms,
  validSeconds = 86_400,
): Promise<Consent> {
  const epochOf = (owner: Address) =>
    client.readContract({
      address: contracts.revocations,
      abi: revocationsAbi,
      functionName: 'epochOf',
      args: [owner],
    });
  const [borrowerEpoch, funderEpoch] = await Promise.all([epochOf(terms.borrower), epochOf(terms.funder)]);
  const nonce = bytesToBigInt(crypto.getRandomValues(new Uint8Array(32)));
  return { terms, nonce, deadline: BigInt(Math.floor(Date.now() / 1_000) + validSeconds), borrowerEpoch, funderEpoch };
}

const consentTypes = {
  Consent: [
    { name: 'terms', type: 'Terms' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'borrowerEpoch', type: 'uint64' },
    { name: 'funderEpoch', type: 'uint64' },
  ],
  Terms: [
    { name: 'borrower', type: 'address' },
    { name: 'funder', type: 'address' },
    { name: 'adapter', type: 'address' },
    { name: 'market', type: 'bytes32' },
    { name: 'keeper', type: 'address' },
    { name: 'priceSource', type: 'address' },
    { name: 'triggerHealthWad', type: 'uint64' },
    { name: 'targetHealthWad', type: 'uint64' },
    { name: 'capPerRescue', type: 'uint128' },
    { name: 'capPerDay', type: 'uint128' },
    { name: 'minRepay', type: 'uint128' },
    { name: 'cooldownSeconds', type: 'uint32' },
    { name: 'expiresAt', type: 'uint40' },
  ],
} as const;

/** What the funder's wallet signs (EIP-712): pass it to viem's `signTypedData`. */
export const consentTypedData = (
  { chainId, contracts }: Deployment,
  message: Consent,
): TypedDataDefinition<typeof consentTypes, 'Consent'> => ({
  domain: { name: 'Bowline LoanGuard', version: '1', chainId, verifyingContract: contracts.loanGuard },
  types: consentTypes,
  primaryType: 'Consent',
  message,
});

/** The borrower's call that registers a guard for which another account pays. */
export const registerFundedCall = ({ contracts }: Deployment, consent: Consent, signature: Hex): Call => ({
  to: contracts.loanGuard,
  data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'registerFunded', args: [consent, signature] }),
});
