import { readFileSync } from 'node:fs';
import { mulDivDown, mulDivUp, WAD } from '@bowline/core/domain/units';
import { type Abi, encodeAbiParameters, keccak256, zeroAddress } from 'viem';
import type { Artifact } from '../world/artifacts.ts';
import { moolahAbi } from '../world/moolah.ts';
import { morphoArtifacts } from '../world/morpho.ts';
import { treasurer } from '../world/replica.ts';
import type { Contract, Deployer } from './deployer.ts';

// A stand-in for Lista's Moolah on Morpho's code, with one market that lends USDT against BTCB, and our adapter to it.

const ORACLE_SCALE = 10n ** 36n;
const LLTV = (WAD * 8n) / 10n;
/** Totals of all debts: a share is not worth a round number, so a debt in shares is rounded. */
export const borrowed = { assets: 10n ** 24n + 12_345n, shares: 970n * 10n ** 27n + 678n };
/** With the virtual amounts that Morpho adds. */
const [total, shares] = [borrowed.assets + 1n, borrowed.shares + 10n ** 6n];

export type Moolah = Awaited<ReturnType<typeof deployMoolah>>;

export async function deployMoolah(by: Deployer, USDT: Contract, BTCB: Contract) {
  const { Morpho } = JSON.parse(readFileSync(await morphoArtifacts(), 'utf8')) as { Morpho: Artifact };
  const code = await by.create(Morpho, [treasurer]);
  const feeds = { USDT: await by.deploy('MockFeed', [8]), BTCB: await by.deploy('MockFeed', [8]) };
  const priced = [USDT, BTCB].map(({ address }) => address);
  const oracle = await by.deploy('MoolahOracleStandIn', [priced, [feeds.USDT.address, feeds.BTCB.address]]);
  const standIn = await by.deploy('SettableMoolah', [code.address, treasurer]);
  const moolah = { ...standIn, abi: [...standIn.abi, ...(moolahAbi as Abi)] };
  const adapter = await by.deploy('MoolahMarket', [moolah.address]);
  // Without a rate model, debts stay as they are set.
  const params = [USDT.address, BTCB.address, oracle.address, zeroAddress, LLTV] as const;
  const [loanToken, collateralToken, , irm, lltv] = params;
  await by.transact(moolah, 'enableIrm', irm);
  await by.transact(moolah, 'enableLltv', lltv);
  await by.transact(moolah, 'createMarket', { loanToken, collateralToken, oracle: oracle.address, irm, lltv });
  const types = ['address', 'address', 'address', 'address', 'uint256'].map((type) => ({ type }));
  return { moolah, feeds, adapter, market: keccak256(encodeAbiParameters(types, params)) };
}

/** Its prices in dollars with 8 decimals. Both stay within what `collateralFor` needs. */
export interface Prices {
  /** At most 1. */
  readonly loan: bigint;
  /** Below that of the loan's token. */
  readonly collateral: bigint;
}

/** Shares that make up a debt of about this size. */
export const sharesOf = (debt: bigint): bigint => mulDivDown(debt, shares, total);
export const debtOf = (of: bigint): bigint => mulDivUp(of, total, shares);
export const unitWadOf = ({ loan }: Prices): bigint => loan * 10n ** 10n;

/** Collateral that weighs exactly this many dollars: at these prices, rounding skips no number. */
export function collateralFor(weightedUsdWad: bigint, prices: Prices): bigint {
  const weighted = ((weightedUsdWad + 1n) * WAD - 1n) / unitWadOf(prices);
  const price = (ORACLE_SCALE * prices.collateral) / prices.loan;
  return mulDivUp(mulDivUp(weighted, WAD, LLTV), ORACLE_SCALE, price);
}
