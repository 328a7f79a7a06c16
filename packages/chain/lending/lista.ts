import { smallest, WAD } from '@bowline/core/domain/units';
import { type Address, type Hex, pad, parseAbi } from 'viem';
import { erc20Abi } from '../erc20-abi.ts';
import { inOneCall } from '../reads.ts';
import type { LendingReader, Protocol } from './reader.ts';

export const moolahAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function position(bytes32 id, address account) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
  'function idToMarketParams(bytes32 id) view returns (MarketParams params)',
  'function paused() view returns (bool)',
]);

const oracleAbi = parseAbi(['function peek(address token) view returns (uint256)']);

/** Converts the oracle's price of a whole token, with 8 decimals, to the price of 1e18 base units. */
const scaleOf = (decimals: number): bigint => 10n ** BigInt(28 - decimals);

const ORACLE_SCALE = 10n ** 36n;
/** Moolah's own: a liquidation takes at most this multiple of what it repays. The multiple falls as `lltv` rises. */
const MAX_LIQUIDATION_FACTOR_WAD = (115n * WAD) / 100n;
const LIQUIDATION_CURSOR_WAD = (3n * WAD) / 10n;

/** A market is Moolah's id. Its collateral is named by its token's address in 32 bytes; nothing is owed there. */
export const lista: LendingReader = {
  name: 'Lista',

  async held(client, protocol, account) {
    const [[, shares, collateral], { collateralToken }] = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [positionCall(protocol, account), paramsCall(protocol)],
    });
    if (shares === 0n && collateral === 0n) return [];
    return [
      { market: marketOf(protocol), supplied: 0n },
      { market: pad(collateralToken), supplied: collateral, collateral: collateralToken },
    ];
  },

  async penaltyWad(client, protocol) {
    const { lltv } = await client.readContract(paramsCall(protocol));
    const factorWad = (WAD * WAD) / (WAD - (LIQUIDATION_CURSOR_WAD * (WAD - lltv)) / WAD);
    return smallest([MAX_LIQUIDATION_FACTOR_WAD, factorWad]) - WAD;
  },

  isRepayPaused: (client, { core }) => client.readContract({ address: core, abi: moolahAbi, functionName: 'paused' }),

  async parts(client, protocol, account, owed) {
    const { loanToken, collateralToken, oracle, lltv } = await client.readContract(paramsCall(protocol));
    const [[, , collateral], loanUsd, collateralUsd, loanDecimals, collateralDecimals] = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [
        positionCall(protocol, account),
        { address: oracle, abi: oracleAbi, functionName: 'peek', args: [loanToken] },
        { address: oracle, abi: oracleAbi, functionName: 'peek', args: [collateralToken] },
        { address: loanToken, abi: erc20Abi, functionName: 'decimals' },
        { address: collateralToken, abi: erc20Abi, functionName: 'decimals' },
      ],
    });
    const unitWad = loanUsd * scaleOf(loanDecimals);
    if (unitWad === 0n) throw new Error(`${protocol.name} has no price of the loan token.`);
    return owed.map(({ market, debt }) => {
      if (market === marketOf(protocol)) {
        const debtAt = (priceWad: bigint) => (debt * priceWad + WAD - 1n) / WAD;
        return { market, priceWad: unitWad, weightedAt: () => 0n, debtAt };
      }
      // The adapter's formula: in the loan token first, whose price cancels out except for rounding.
      const weightedAt = (priceWad: bigint) => {
        const inLoanToken = (collateral * ((priceWad * ORACLE_SCALE) / unitWad)) / ORACLE_SCALE;
        return (((inLoanToken * lltv) / WAD) * unitWad) / WAD;
      };
      return { market, priceWad: collateralUsd * scaleOf(collateralDecimals), weightedAt, debtAt: () => 0n };
    });
  },

  oracle: async (client, protocol) => (await client.readContract(paramsCall(protocol))).oracle,

  oracleAnswers: (client, prices) =>
    Promise.all(
      prices.map(async ({ token, priceWad }) => {
        const decimals = await client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' });
        return { of: token, answer: priceWad / scaleOf(decimals) };
      }),
    ),

  async used(client, entries, account) {
    const positions = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: entries.map((entry) => positionCall(entry, account)),
    });
    return positions.map(([, shares, collateral]) => shares > 0n || collateral > 0n);
  },
};

function marketOf({ name, market }: Protocol): Hex {
  if (market === undefined) throw new Error(`${name} names no market.`);
  return market;
}

export const positionCall = (protocol: Protocol, account: Address) => {
  const args = [marketOf(protocol), account] as const;
  return { address: protocol.core, abi: moolahAbi, functionName: 'position', args } as const;
};

export const paramsCall = (protocol: Protocol) => {
  const args = [marketOf(protocol)] as const;
  return { address: protocol.core, abi: moolahAbi, functionName: 'idToMarketParams', args } as const;
};
