import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  RawContractError,
  type StateOverride,
} from 'viem';
import { lendingMarketAbi, loanGuardAbi, readLensAbi } from '../../../../abis/index.ts';
import { readLensCode } from '../../../../abis/read-lens.ts';
import { type Failure, failureOf } from '../../words/contract-errors.ts';
import { erc20Abi } from '../abis.ts';
import type { ChainClient } from '../client.ts';
import type { Guard } from '../read-guards.ts';
import type { Loan } from '../read-loan.ts';
import { type Account, accountAt, accountOf } from './account.ts';
import type { Supposed } from './reader.ts';
import { readerOf } from './readers.ts';
import { supposePrices } from './supposed-prices.ts';

/** What a guard's rescue would do, by the contract's own answer. */
export type Rescue =
  | {
      readonly guard: Guard;
      readonly isDone: true;
      /** Base units of the repay token, like `left`. */
      readonly repaid: bigint;
      /** By the protocol, after the rescue. */
      readonly after: Account;
      /** What the funder would then hold. */
      readonly left: bigint;
    }
  | { readonly guard: Guard; readonly isDone: false; readonly failure: Failure };

export interface Preview {
  /** Before any rescue. */
  readonly account: Account;
  /** Of each guard, as if it were the only one. */
  readonly rescues: readonly Rescue[];
}

/** Makes the calls of a guard that anyone may call: an address that nobody has a key for. */
const anyone: Address = '0x00000000000000000000000000000000b0111e00';

/**
 * What the protocol and the guards would answer at these prices now: an eth_call for each guard, in which the protocol's
 * oracle, and a guard's own price source, answer with them. Nothing is computed by the page.
 * @param guards active ones of this loan.
 * @throws if the loan cannot be read so, for one because the node takes no state overrides, or ignores them.
 */
export async function previewAt(
  client: ChainClient,
  loanGuard: Address,
  loan: Loan,
  guards: readonly Guard[],
  prices: readonly Supposed[],
): Promise<Preview> {
  const { protocol, borrower, markets } = loan;
  const suppose = await supposing(client, loan, guards, prices);
  const some = (markets.find(({ debt }) => debt > 0n) ?? markets[0])?.market;
  if (some === undefined) throw new Error('The account has no market.');

  async function ask(from: Address, calls: readonly { readonly target: Address; readonly data: Hex }[]) {
    const question = encodeFunctionData({ abi: readLensAbi, functionName: 'read', args: [calls] });
    const stateOverride: StateOverride = [...suppose, { address: from, code: readLensCode }];
    const { data } = await client.call({ to: from, data: question, stateOverride });
    const [, answers] = decodeFunctionResult({ abi: readLensAbi, functionName: 'read', data: data ?? '0x' });
    if (answers.length !== calls.length) throw new Error('The node answered another question.');
    return answers;
  }
  const read = (market: Hex) => ({
    target: protocol.adapter,
    data: encodeFunctionData({ abi: lendingMarketAbi, functionName: 'accrueAndRead', args: [borrower, market] }),
  });
  const [before, ...rescues] = await Promise.all([
    ask(anyone, [read(some)]),
    ...guards.map(async (guard): Promise<Rescue> => {
      const { id, market, keeper = anyone, repayToken, funder } = guard;
      const rescue = encodeFunctionData({ abi: loanGuardAbi, functionName: 'rescue', args: [id] });
      const held = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [funder] });
      const [tried, then, left] = await ask(keeper, [
        { target: loanGuard, data: rescue },
        read(market),
        { target: repayToken, data: held },
      ]);
      if (!tried?.isOk) {
        return { guard, isDone: false, failure: failureOf(new RawContractError({ data: tried?.data ?? '0x' })) };
      }
      return {
        ...{ guard, isDone: true, after: accountIn(then) },
        repaid: decodeFunctionResult({ abi: loanGuardAbi, functionName: 'rescue', data: tried.data }),
        left: decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: left?.data ?? '0x' }),
      };
    }),
  ]);
  const account = accountIn(before[0]);
  if (!isNear(account.weightedUsdWad, accountAt(loan, prices).weightedUsdWad)) {
    throw new Error('The node did not take the supposed prices.');
  }
  return { account, rescues };
}

/** Within one percent: what a block or two of interest and other prices change is far less. */
const isNear = (a: bigint, b: bigint): boolean => (a > b ? a - b : b - a) * 100n <= b;

interface Answer {
  readonly isOk: boolean;
  readonly data: Hex;
}

/** @throws if the adapter refused. */
function accountIn(answer: Answer | undefined): Account {
  if (!answer?.isOk) throw new RawContractError({ data: answer?.data ?? '0x' });
  const { debtValue, weightedCollateralValue } = decodeFunctionResult({
    ...{ abi: lendingMarketAbi, functionName: 'accrueAndRead', data: answer.data },
  });
  return accountOf(debtValue, weightedCollateralValue);
}

/** The protocol's prices, and by the same share those of the guards' own sources. */
async function supposing(
  client: ChainClient,
  loan: Loan,
  guards: readonly Guard[],
  prices: readonly Supposed[],
): Promise<StateOverride> {
  const sources = new Set(guards.flatMap(({ priceSource }) => (priceSource ? [priceSource] : [])));
  const ofSources = [...sources].map(async (source) => {
    const shares = prices.map(async ({ market, token, priceWad }) => {
      const now = loan.parts?.find((part) => part.market === market)?.priceWad ?? 0n;
      const own = await sourcePrice(client, source, token);
      return own === 0n || now === 0n ? [] : [{ of: token, priceWad: (own * priceWad) / now }];
    });
    return supposePrices(client, source, (await Promise.all(shares)).flat());
  });
  const all = await Promise.all([readerOf(loan.protocol).supposing(client, loan.protocol, prices), ...ofSources]);
  return all.flat();
}

const sourceAbi = parseAbi(['function prices(address tokenIn, address tokenOut) view returns (uint256, uint256)']);

/** Zero if the source has no price of the token. */
const sourcePrice = (client: ChainClient, address: Address, token: Address): Promise<bigint> =>
  client.readContract({ address, abi: sourceAbi, functionName: 'prices', args: [token, token] }).then(
    ([price]) => price,
    () => 0n,
  );
