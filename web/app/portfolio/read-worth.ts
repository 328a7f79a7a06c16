import { type Asked, beginReading } from '@bowline/chain/one-call';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import type { Asset, Settings } from '../api/settings.ts';
import { type ChainClient, useChain } from '../chain/client.ts';
import { datedBy } from '../chain/head.ts';
import { type Latest, latest } from '../chain/read-guarded.ts';
import { type Loan, readLoan } from '../chain/read-loan.ts';
import { readFeed, readTokens } from '../chain/read-tokens.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useNative } from '../chain/use-native.ts';
import { useSettings } from '../settings.tsx';

/** What an account holds, has supplied and owes, and Chainlink's prices. */
export interface Worth {
  /** USD per whole token with 18 decimals, by symbol; without tokens whose feed has no current price. */
  readonly prices: Latest<{ readonly of: Readonly<Record<string, bigint>> }>;
  /** Base units by symbol; undefined without an account. */
  readonly wallet: Latest<{ readonly of: Readonly<Record<string, bigint>> }> | undefined;
  /** The account's loan in each protocol, in the order of the registry. */
  readonly loans: readonly Latest<Loan>[];
  readonly time: bigint | undefined;
  /** The requests to make in the next reading. */
  readonly asked: readonly Asked[];
}

/**
 * Uses one eth_call once the previous reading has shown what to request. Never throws. A part that cannot be read keeps
 * its last known values and does not affect the others.
 */
async function readWorth(
  client: ChainClient,
  settings: Settings,
  owner: Address | undefined,
  before: Worth | undefined,
): Promise<Worth> {
  const { assets, lending } = settings;
  const reading = beginReading(client, before?.asked ?? []);
  async function readPrices() {
    const feeds = assets.map((asset) => readFeed(reading, asset));
    const answers = await Promise.allSettled(feeds);
    // Without a time, the node has not answered at all, which is no feed's fault.
    if (reading.time() === undefined) await Promise.all(feeds);
    const prices = answers.flatMap((answer, at) => {
      const price = answer.status === 'fulfilled' ? answer.value : undefined;
      return price === undefined ? [] : [[(assets[at] as Asset).symbol, price] as const];
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

/** Chainlink's prices and the account's holdings: one call per reading, plus one twice a minute for its BNB. */
export function useWorth(owner: Address | undefined) {
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const sawBlock = useSawBlock();
  const queryKey = ['chain', 'worth', owner];
  const native = useNative(owner, 30_000);
  const worth = useQuery({
    queryKey,
    queryFn: async () => {
      const at = thisMoment();
      const read = await readWorth(client, settings, owner, queries.getQueryData<Worth>(queryKey));
      return datedBy(read, at, sawBlock(read.time, at));
    },
    refetchInterval: 5_000,
  });
  return { worth: worth.data, native, refetch: worth.refetch };
}
