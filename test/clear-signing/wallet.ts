import { type ClearSigResult, type ClearSigTypedInput, decodeData, eip712 } from 'micro-eth-signer/abi.js';
import { type Address, type Hex, parseEther, zeroAddress } from 'viem';
import { filled } from '../../cli/descriptors.ts';
import type { Deployment } from '../../cli/record.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { localChainId } from '../../lab/world/fork.ts';

// What a wallet shows with the descriptors: micro-eth-signer implements ERC-7730 for wallets, without a network.

const numbered = (digit: number): Address => `0x${`${digit}`.repeat(40)}`;

export const own = {
  chainId: localChainId,
  planRegistry: numbered(1),
  loanGuard: numbered(2),
  revocations: numbered(3),
  quoteDesk: numbered(4),
  swapExecutor: numbered(5),
  venusMarket: numbered(6),
  chainlinkPriceSource: numbered(7),
  venusPriceSource: numbered(8),
  venusCollateral: `0x${'12'.repeat(20)}`,
  collateralGuard: `0x${'34'.repeat(20)}`,
} as const satisfies Deployment;

/** The owner and a second person. */
export const alice: Address = '0x0000000000000000000000000000000000000a11';
export const bob: Address = '0x0000000000000000000000000000000000000b0b';

/** Tokens that the wallet knows by their addresses: those of the chain, and one with 6 decimals. */
export const sixDecimals = numbered(9);
const known = new Map<string, { symbol: string; decimals: number }>([
  ...Object.entries(tokens).map(([symbol, token]) => [token.toLowerCase(), { symbol, decimals: 18 }] as const),
  [sixDecimals, { symbol: 'SIX', decimals: 6 }],
]);

const knowledge = {
  clearSig: filled(own),
  resolveToken: async ({ address }: { address: string }) => known.get(address.toLowerCase()),
};

/** The lines of a call: its sentence or intent, then its rows. Undefined if no descriptor is for it. */
export async function linesOfCall(to: Address, data: Hex, chainId = localChainId): Promise<string[] | undefined> {
  const decoded = decodeData(to, data, 0n, { ...knowledge, chainId: BigInt(chainId) });
  if (decoded === undefined || Array.isArray(decoded) || decoded.clearSig === undefined) return undefined;
  return lines(await decoded.clearSig);
}

/** An EIP-712 message with its types. */
export interface TypedMessage {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: Address;
  };
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly message: object;
}

/** The lines of an EIP-712 message, as `linesOfCall`. */
export async function linesOfMessage(message: TypedMessage): Promise<string[] | undefined> {
  const result = await eip712(message as unknown as ClearSigTypedInput, knowledge);
  return result && lines(result);
}

const lines = ({ intent, interpolatedIntent, fields }: ClearSigResult) => [
  interpolatedIntent ?? intent,
  ...Object.entries(fields).map(([label, { value }]) => `${label}: ${value}`),
];

export const planTerms = {
  owner: alice,
  recipient: alice,
  executor: own.swapExecutor,
  verdictSigner: bob,
  tokenIn: tokens.USDT,
  tokenOut: tokens.BTCB,
  amountPerRun: parseEther('100'),
  startAt: 1_800_000_000,
  periodSeconds: 604_800,
  windowSeconds: 5_400,
  maxRuns: 52,
  expiresAt: 1_831_536_000,
  priceSource: own.chainlinkPriceSource,
  limitPriceWad: parseEther('60000'),
  maxSlippageBps: 50,
  farLimit: false,
  triggerPriceWad: parseEther('59000'),
} as const;

export const guardTerms = {
  borrower: alice,
  funder: bob,
  adapter: own.venusMarket,
  market: `0x${'0'.repeat(24)}${venus.markets.vUSDT.slice(2).toLowerCase()}`,
  keeper: zeroAddress,
  priceSource: own.chainlinkPriceSource,
  triggerHealthWad: parseEther('1.1'),
  targetHealthWad: parseEther('1.25'),
  capPerRescue: parseEther('500'),
  capPerDay: parseEther('1500.5'),
  minRepay: parseEther('10'),
  cooldownSeconds: 3_600,
  expiresAt: 1_831_536_000,
} as const;
