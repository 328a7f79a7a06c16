import { parseAbi } from 'viem';
import { feesMillionths, pathOf, type Trade } from '../../sound-offer.ts';
import type { Asset, Settings } from '../api/settings.ts';
import { isRevert } from './as-account.ts';
import type { ChainClient } from './client.ts';

// `view` marks what an eth_call can ask without a change of state.
const abi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) view returns (uint256 amountOut, uint160[] sqrtPriceX96After, uint32[] initializedTicksCrossed, uint256 gasEstimate)',
]);

export type Route = Trade['route'];

interface Found {
  readonly route: Route;
  readonly amountOut: bigint;
}

/** The executor takes no longer ones. */
const MAX_POOLS = 3;

/**
 * The route that pays most now, over up to three pools: greedy, as the agent searches (contracts/lens/RouteSearch.sol).
 * Each leg takes the pool that pays most for what arrives there. Undefined if no pool trades the two.
 * @param client one that puts together what is asked together.
 */
export async function bestRoute(
  client: ChainClient,
  { contracts, hubs, assets }: Settings,
  { pay, buy, amountIn }: { readonly pay: Asset; readonly buy: Asset; readonly amountIn: bigint },
): Promise<Found | undefined> {
  const between = assets.filter(
    (asset) => asset !== pay && asset !== buy && hubs.some((hub) => hub.toLowerCase() === asset.address.toLowerCase()),
  );
  const most = async (route: Route, token: Asset): Promise<Found | undefined> => {
    const quoted = await Promise.all(
      feesMillionths.map(async (feeMillionths) => {
        const longer = [...route, { feeMillionths, token }];
        return { route: longer, amountOut: await quoteOf(client, contracts.quoter, pay, longer, amountIn) };
      }),
    );
    return best(quoted);
  };
  let ends: readonly Found[] = [{ route: [], amountOut: amountIn }];
  const whole: Found[] = [];
  for (let pools = 1; pools <= MAX_POOLS; pools++) {
    const legs = ends.flatMap(({ route }) => {
      const isNew = (hub: Asset) => route.every(({ token }) => token !== hub);
      const next = pools === MAX_POOLS ? [buy] : [buy, ...between.filter(isNew)];
      return next.map((token) => most(route, token));
    });
    const found = (await Promise.all(legs)).filter((each) => each !== undefined);
    whole.push(...found.filter(({ route }) => route.at(-1)?.token === buy));
    ends = found.filter(({ route }) => route.at(-1)?.token !== buy);
  }
  return best(whole);
}

/** What a route pays now, in base units; zero if one of its pools does not exist or is empty. */
export const quoteOf = (
  client: ChainClient,
  quoter: Settings['contracts']['quoter'],
  pay: Asset,
  route: Route,
  amountIn: bigint,
): Promise<bigint> =>
  client
    .readContract({ address: quoter, abi, functionName: 'quoteExactInput', args: [pathOf(pay, route), amountIn] })
    .then(
      ([amountOut]) => amountOut,
      (error: unknown) => {
        if (isRevert(error)) return 0n;
        throw error;
      },
    );

/** The first of several equal ones. */
function best(found: readonly Found[]): Found | undefined {
  const [first] = found
    .filter(({ amountOut }) => amountOut > 0n)
    .toSorted((a, b) => (a.amountOut < b.amountOut ? 1 : -1));
  return first;
}
