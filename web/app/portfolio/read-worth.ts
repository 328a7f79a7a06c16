import { type Asked, beginReading } from '@bowline/chain/one-call';
import { type Address, parseAbi } from 'viem';
import { usdWad } from '../../read-market.ts';
import type { Settings } from '../api/settings.ts';
import type { ChainClient } from '../chain/client.ts';
import { readTokens } from '../chain/read-balances.ts';
import { type Latest, latest } from '../chain/read-guarded.ts';
import { type Loan, readLoan } from '../chain/read-loan.ts';

const abi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** What an account holds, has supplied and owes, and Chainlink's prices. */
export interface Worth {
  /** USD per whole token with 18 decimals, by symbol; without those of which the feed gives no price of now. */
  readonly prices: Latest<{ readonly of: Readonly<Record<string, bigint>> }>;
  /** Base units by symbol; undefined without an account. */
  readonly wallet: Latest<{ readonly of: Readonly<Record<string, bigint>> }> | undefined;
  /** The account's loan in each protocol, in the order of the registry. */
  readonly loans: readonly Latest<Loan>[];
  readonly time: bigint | undefined;
  /** For the next reading. */
  readonly asked: readonly Asked[];
}

/**
 * In one eth_call, once the reading before has shown what there is to ask. Never throws. A part that cannot be read keeps
 * its last known values, and takes nothing from the others.
 */
export async function readWorth(
  client: ChainClient,
  settings: Settings,
  owner: Address | undefined,
  before: Worth | undefined,
): Promise<Worth> {
  const { assets, lending } = settings;
  const reading = beginReading(client, before?.asked ?? []);
  async function readPrices() {
    const rounds = assets.map(({ feed: address }) =>
      reading.client.readContract({ address, abi, functionName: 'latestRoundData' }),
    );
    const answers = await Promise.allSettled(rounds);
    const time = reading.time();
    // Then the node has not answered at all, which is no feed's fault.
    if (time === undefined) await Promise.all(rounds);
    const prices = answers.flatMap((answer, at) => {
      const asset = assets[at] as Settings['assets'][number];
      const price = answer.status === 'fulfilled' ? usdWad(asset, time ?? 0n, answer.value) : undefined;
      return price === undefined ? [] : [[asset.symbol, price] as const];
    });
    return { of: Object.fromEntries(prices) };
  }
  const [prices, wallet, ...loans] = await Promise.all([
    latest(readPrices, before?.prices),
    owner && latest(async () => ({ of: await readTokens(reading.client, assets, owner) }), before?.wallet),
    ...(owner ? lending : []).map((protocol, at) =>
      latest(() => readLoan(reading.client, settings, protocol, owner as Address), before?.loans[at]),
    ),
  ]);
  return { prices, wallet, loans, time: reading.time(), asked: reading.asked() };
}
