import { isNativeMarket } from '@bowline/core/domain/lending';
import type { PaymentKind, PaymentRefusal } from '@bowline/core/domain/own-payments';
import { wholeDebtUp } from '@bowline/core/domain/own-payments';
import { sameAddress } from '@bowline/core/domain/same-address';
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  slice,
  zeroAddress,
} from 'viem';
import { inOneCall, type Reads } from '../reads.ts';
import type { Call } from '../try-as.ts';
import { moolahAbi, paramsCall, positionCall } from './lista.ts';
import type { Protocol } from './reader.ts';
import { MINT, pausedOf, REPAY } from './venus.ts';

// How a borrower pays into its own loan, at the protocol's own contracts. Their addresses come from the registry: one
// that a node names is refused unless the registry has it, because the approval goes there.

export const vTokenPaymentAbi = parseAbi([
  'function repayBorrow(uint256 amount) returns (uint256)',
  'function mint(uint256 amount) returns (uint256)',
  'event RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)',
  'event Mint(address minter, uint256 mintAmount, uint256 mintTokens, uint256 totalSupply)',
]);

export const moolahPaymentAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function repay(MarketParams params, uint256 assets, uint256 shares, address onBehalf, bytes data) returns (uint256, uint256)',
  'function supplyCollateral(MarketParams params, uint256 assets, address onBehalf, bytes data)',
  'function brokers(bytes32 id) view returns (address)',
  'function providers(bytes32 id, address token) view returns (address)',
  'event Repay(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets, uint256 shares)',
  'event SupplyCollateral(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets)',
]);

/** vBNB is paid in BNB, and takes no more than what is owed. */
const vBnbPaymentAbi = parseAbi(['function repayBorrow() payable', 'function mint() payable']);
const repaysAllAbi = parseAbi(['function repayBehalfExplicit(address borrower, address vBnb) payable']);

export interface Payment {
  /** With the wei of BNB that it carries, if any. */
  readonly call: Call & { readonly value?: bigint };
  /** Allowance that `call.to` needs, in base units. Zero if BNB is paid. */
  readonly approval: bigint;
}

/** How a borrower can pay into a market. */
export interface PaymentPlace {
  readonly family: 'venus' | 'vBnb' | 'moolah';
  /** The contract that is called and takes the tokens. */
  readonly spender: Address;
  readonly refusal: PaymentRefusal | undefined;
  /** The protocol's contract that pays a whole debt of BNB in the borrower's name. */
  readonly repaysAll?: Address;
  /**
   * @param amount base units.
   * @param isWhole repays the whole debt and leaves none. `amount` is then the debt as last read.
   */
  readonly pay: (amount: bigint, isWhole: boolean) => Payment;
}

interface Asked {
  readonly borrower: Address;
  /** The market of the debt, or of the collateral, as the protocol's reader names it. */
  readonly market: Hex;
  readonly kind: PaymentKind;
}

/** @throws viem's errors if the protocol cannot be read, and an error for a protocol without support for payments. */
export function readPaymentPlace(client: Reads, protocol: Protocol, asked: Asked): Promise<PaymentPlace> {
  if (protocol.payable !== undefined) return venusPlace(client, protocol, protocol.payable, asked);
  if (protocol.market !== undefined) return moolahPlace(client, protocol, asked);
  throw new Error(`Payments into ${protocol.name} are not supported.`);
}

async function venusPlace(
  client: Reads,
  protocol: Protocol,
  payable: readonly Address[],
  { borrower, market, kind }: Asked,
): Promise<PaymentPlace> {
  const isRepay = kind === 'repay';
  const named = slice(market, 12);
  const inBnb = isNativeMarket(protocol, market) ? protocol.native : undefined;
  const spender = inBnb?.market ?? payable.find((each) => sameAddress(each, named));
  const functionName = isRepay ? 'repayBorrow' : 'mint';
  // Given the largest number, Venus repays exactly what is owed.
  const encoded = (amount: bigint) => encodeFunctionData({ abi: vTokenPaymentAbi, functionName, args: [amount] });
  const isPaused = spender && (await pausedOf(client, protocol.core, market, [isRepay ? REPAY : MINT])).includes(true);
  return {
    family: inBnb ? 'vBnb' : 'venus',
    spender: spender ?? named,
    refusal: refusalOf(kind, { isListed: spender !== undefined, isPaused }),
    ...(inBnb && { repaysAll: inBnb.repaysAll }),
    pay: (amount, isWhole) => {
      const isAll = isRepay && isWhole;
      if (inBnb) return paymentInBnb(inBnb, { borrower, kind, amount, isAll });
      return {
        call: { to: spender ?? named, data: encoded(isAll ? maxUint256 : amount) },
        approval: isAll ? wholeDebtUp(amount) : amount,
      };
    },
  };
}

interface InBnb {
  readonly borrower: Address;
  readonly kind: PaymentKind;
  readonly amount: bigint;
  /** Whether all of a debt is repaid. */
  readonly isAll: boolean;
}

function paymentInBnb(
  { market, repaysAll }: NonNullable<Protocol['native']>,
  { borrower, kind, amount, isAll }: InBnb,
): Payment {
  if (isAll) {
    const data = encodeFunctionData({ abi: repaysAllAbi, args: [borrower, market] });
    return { call: { to: repaysAll, data, value: wholeDebtUp(amount) }, approval: 0n };
  }
  const functionName = kind === 'repay' ? 'repayBorrow' : 'mint';
  const data = encodeFunctionData({ abi: vBnbPaymentAbi, functionName });
  return { call: { to: market, data, value: amount }, approval: 0n };
}

async function moolahPlace(client: Reads, protocol: Protocol, { borrower, kind }: Asked): Promise<PaymentPlace> {
  const { core: spender, market: id } = protocol as Protocol & { readonly market: Hex };
  const isRepay = kind === 'repay';
  const moolah = { address: spender, abi: moolahPaymentAbi } as const;
  const [params, [, shares], isPaused, broker] = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: [
      paramsCall(protocol),
      positionCall(protocol, borrower),
      { address: spender, abi: moolahAbi, functionName: 'paused' },
      { ...moolah, functionName: 'brokers', args: [id] },
    ],
  });
  const provider = await client.readContract({
    ...{ ...moolah, functionName: 'providers', args: [id, params.collateralToken] },
  });
  const encoded = encodeAbiParameters(parseAbiParameters('address, address, address, address, uint256'), [
    ...[params.loanToken, params.collateralToken, params.oracle, params.irm],
    params.lltv,
  ] as never);
  // Repays the whole debt by shares: an amount would leave the interest that accrues until then.
  const repaying = (amount: bigint, isWhole: boolean) =>
    encodeFunctionData({
      ...{ abi: moolahPaymentAbi, functionName: 'repay' },
      args: [params, isWhole ? 0n : amount, isWhole ? shares : 0n, borrower, '0x'],
    });
  const supplying = (amount: bigint) =>
    encodeFunctionData({
      ...{ abi: moolahPaymentAbi, functionName: 'supplyCollateral', args: [params, amount, borrower, '0x'] },
    });
  return {
    family: 'moolah',
    spender,
    refusal: refusalOf(kind, {
      isListed: keccak256(encoded) === id,
      isPaused,
      isOthers: (isRepay ? broker : provider) !== zeroAddress,
    }),
    pay: (amount, isWhole) => ({
      call: { to: spender, data: isRepay ? repaying(amount, isWhole) : supplying(amount) },
      approval: isRepay && isWhole ? wholeDebtUp(amount) : amount,
    }),
  };
}

interface Found {
  readonly isListed: boolean;
  readonly isPaused: boolean | undefined;
  /** Whether only another contract may pay here. */
  readonly isOthers?: boolean;
}

function refusalOf(kind: PaymentKind, { isListed, isPaused, isOthers = false }: Found): PaymentRefusal | undefined {
  const isRepay = kind === 'repay';
  if (!isListed) return 'market_not_listed';
  if (isPaused) return isRepay ? 'repay_paused' : 'supply_paused';
  if (isOthers) return isRepay ? 'repaid_by_broker_only' : 'supplied_by_provider_only';
  return undefined;
}
