import { type Address, type PublicClient, pad, parseAbi, slice, zeroAddress } from 'viem';
import { lendingMarketAbi } from '../../../../abis/index.ts';
import { inOneCall } from '../client.ts';
import type { LendingReader } from './reader.ts';

const comptrollerAbi = parseAbi([
  'function getAssetsIn(address account) view returns (address[])',
  'function vaiController() view returns (address)',
  'function protocolPaused() view returns (bool)',
  'function actionPaused(address market, uint8 action) view returns (bool)',
]);

const vTokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function exchangeRateStored() view returns (uint256)',
]);

const WAD = 10n ** 18n;
/** The comptroller's number for the repay action. */
const REPAY = 3;

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

  async isRepayPaused(client, { core }, market) {
    const comptroller = { address: core, abi: comptrollerAbi } as const;
    const paused = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [
        { ...comptroller, functionName: 'protocolPaused' },
        { ...comptroller, functionName: 'actionPaused', args: [slice(market, 12), REPAY] },
      ],
    });
    return paused.includes(true);
  },
};

/** Base units of the market's token. */
async function suppliedTo(client: PublicClient, vToken: Address, account: Address): Promise<bigint> {
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
