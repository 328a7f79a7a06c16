import type { PricedPart } from '@bowline/core/domain/loan-part';
import { smallest, WAD } from '@bowline/core/domain/units';
import { type Address, type Hex, pad, parseAbi, slice, zeroAddress } from 'viem';
import { lendingMarketAbi } from '../../../abis/index.ts';
import { inOneCall, type Reads } from '../reads.ts';
import type { LendingReader } from './reader.ts';

const comptrollerAbi = parseAbi([
  'function getAssetsIn(address account) view returns (address[])',
  'function vaiController() view returns (address)',
  'function protocolPaused() view returns (bool)',
  'function actionPaused(address market, uint8 action) view returns (bool)',
  'function oracle() view returns (address)',
  'function getAllMarkets() view returns (address[])',
  'function getEffectiveLiquidationIncentive(address account, address vToken) view returns (uint256)',
  'function getEffectiveLtvFactor(address account, address vToken, uint8 strategy) view returns (uint256)',
]);

const oracleAbi = parseAbi(['function getUnderlyingPrice(address vToken) view returns (uint256)']);

const vTokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function exchangeRateStored() view returns (uint256)',
]);

/** The comptroller's numbers for actions. */
export const [MINT, REDEEM, REPAY, TRANSFER] = [0, 1, 3, 6] as const;
/** The comptroller's number for weights by liquidation threshold. */
const BY_THRESHOLD = 1;

/** What one account has in one market. */
interface Holding {
  readonly thresholdWad: bigint;
  readonly exchangeRate: bigint;
  /** In vTokens. */
  readonly balance: bigint;
  /** Base units of the underlying token. */
  readonly debt: bigint;
}

/** What a holding is worth, by the comptroller's sums and roundings. */
export function worthOf({
  thresholdWad,
  exchangeRate,
  balance,
  debt,
}: Holding): Pick<PricedPart, 'weightedAt' | 'debtAt'> {
  const share = (thresholdWad * exchangeRate) / WAD;
  return {
    weightedAt: (priceWad) => (((share * priceWad) / WAD) * balance) / WAD,
    debtAt: (priceWad) => (debt * priceWad) / WAD,
  };
}

/** Markets are the addresses of vTokens and of the VAI controller, in 32 bytes. */
export const venus: LendingReader = {
  name: 'Venus',

  async held(client, { core, adapter }, account) {
    const comptroller = { address: core, abi: comptrollerAbi } as const;
    const [entered, vaiController] = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [
        { ...comptroller, functionName: 'getAssetsIn', args: [account] },
        { ...comptroller, functionName: 'vaiController' },
      ],
    });
    const ofVai = { address: adapter, abi: lendingMarketAbi, functionName: 'storedDebt' } as const;
    const [vaiDebt, ...vTokens] = await Promise.all([
      // Debt in VAI is not in any market that an account can enter.
      vaiController === zeroAddress ? 0n : client.readContract({ ...ofVai, args: [account, pad(vaiController)] }),
      ...entered.map(async (vToken) => ({ market: pad(vToken), supplied: await suppliedTo(client, vToken, account) })),
    ]);
    return vaiDebt > 0n ? [...vTokens, { market: pad(vaiController), supplied: 0n }] : vTokens;
  },

  isRepayPaused: async (client, { core }, market) => (await pausedOf(client, core, market, [REPAY])).includes(true),

  async salePauses(client, { core }, market) {
    const [transfer = true, withdrawal = true] = await pausedOf(client, core, market, [TRANSFER, REDEEM]);
    return { transfer, withdrawal };
  },

  async parts(client, { core }, account, owed) {
    const comptroller = { address: core, abi: comptrollerAbi } as const;
    const [oracle, vaiController] = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [
        { ...comptroller, functionName: 'oracle' },
        { ...comptroller, functionName: 'vaiController' },
      ],
    });
    return Promise.all(
      owed.map(async ({ market, debt }) => {
        // Venus values VAI at one USD, and takes none as collateral.
        if (market === pad(vaiController)) {
          return { market, priceWad: 0n, weightedAt: () => 0n, debtAt: () => debt };
        }
        const vToken = slice(market, 12);
        const [priceWad, thresholdWad, balance, exchangeRate] = await client.multicall({
          ...inOneCall,
          allowFailure: false,
          contracts: [
            { address: oracle, abi: oracleAbi, functionName: 'getUnderlyingPrice', args: [vToken] },
            { ...comptroller, functionName: 'getEffectiveLtvFactor', args: [account, vToken, BY_THRESHOLD] },
            { address: vToken, abi: vTokenAbi, functionName: 'balanceOf', args: [account] },
            { address: vToken, abi: vTokenAbi, functionName: 'exchangeRateStored' },
          ],
        });
        return { market, priceWad, ...worthOf({ thresholdWad, exchangeRate, balance, debt }) };
      }),
    );
  },

  async penaltyWad(client, { core }) {
    const comptroller = { address: core, abi: comptrollerAbi } as const;
    const vTokens = await client.readContract({ ...comptroller, functionName: 'getAllMarkets' });
    const incentives = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      // For accounts that are in no e-mode.
      contracts: vTokens.map((vToken) => {
        return {
          ...comptroller,
          functionName: 'getEffectiveLiquidationIncentive',
          args: [zeroAddress, vToken],
        } as const;
      }),
    });
    return smallest(incentives.filter((wad) => wad > WAD).map((wad) => wad - WAD));
  },

  oracle: (client, { core }) => client.readContract({ address: core, abi: comptrollerAbi, functionName: 'oracle' }),

  // By market, and by token.
  oracleAnswers: async (_, prices) =>
    prices.flatMap(({ market, token, priceWad }) => [slice(market, 12), token].map((of) => ({ of, answer: priceWad }))),
};

/** Whether each action is paused in the market, or all are. */
export async function pausedOf(
  client: Reads,
  core: Address,
  market: Hex,
  actions: readonly number[],
): Promise<boolean[]> {
  const comptroller = { address: core, abi: comptrollerAbi } as const;
  const contracts = [
    { ...comptroller, functionName: 'protocolPaused' },
    ...actions.map((action) => ({ ...comptroller, functionName: 'actionPaused', args: [slice(market, 12), action] })),
  ];
  // viem cannot type a list of two functions of variable length.
  const read = client.multicall({ ...inOneCall, allowFailure: false, contracts: contracts as never });
  const [all = true, ...each] = (await read) as unknown as readonly boolean[];
  return each.map((paused) => all || paused);
}

/** Base units of the market's token. */
async function suppliedTo(client: Reads, vToken: Address, account: Address): Promise<bigint> {
  const of = { abi: vTokenAbi, address: vToken } as const;
  const [shares, rate] = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: [
      { ...of, functionName: 'balanceOf', args: [account] },
      { ...of, functionName: 'exchangeRateStored' },
    ],
  });
  return (shares * rate) / WAD;
}
