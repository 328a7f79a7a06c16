import type { GuardContracts } from '@bowline/core/domain/guard-key';
import type { FundedGuard, GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { type LoanValues, loanValues } from '@bowline/core/domain/loan-health';
import { valuesAt } from '@bowline/core/domain/loan-prices';
import type { Address, Hex } from '@bowline/core/domain/units';
import { decodeFunctionResult, encodeFunctionData, RawContractError, type StateOverride } from 'viem';
import { lendingMarketAbi } from '../../../abis/index.ts';
import { erc20Abi } from '../erc20-abi.ts';
import { priceSourceAbi } from '../price-source-abi.ts';
import type { Calls, Reads } from '../reads.ts';
import { repaidIn, rescueCall } from '../rescue-calls.ts';
import { type Answer, type Call, tryAs } from '../try-as.ts';
import type { Protocol, Supposed } from './reader.ts';
import { readerOf } from './readers.ts';
import { supposePrices } from './supposed-prices.ts';

/** A guard whose rescue is tried. */
type Tried = Pick<FundedGuard, 'id' | 'sale' | 'market' | 'keeper' | 'repayToken' | 'funder'> & {
  readonly priceSource?: Address | undefined;
};

/** What a guard's rescue would do, by the contract's own answer. */
export type Rescue<Guard> =
  | {
      readonly guard: Guard;
      readonly isDone: true;
      /** Base units of the repay token, like `left`. */
      readonly repaid: bigint;
      /** By the protocol, after the rescue. */
      readonly after: LoanValues;
      /** What the funder would then hold. */
      readonly left: bigint;
    }
  | { readonly guard: Guard; readonly isDone: false; readonly refusal: RawContractError };

export interface Preview<Guard> {
  /** Before any rescue. */
  readonly account: LoanValues;
  /** Of each guard, as if it were the only one. */
  readonly rescues: readonly Rescue<Guard>[];
}

/** A listed protocol's loan, with what it is made of. */
type Loan = GuardedLoan & { readonly protocol: Protocol; readonly borrower: Address };

/** Sender for guards that anyone may call: an address that nobody has a key for. */
const anyone: Address = '0x00000000000000000000000000000000b0111e00';

/**
 * What the protocol and the guards would answer at these prices now: one eth_call per guard, in which the protocol's
 * oracle and the guard's own price source return these prices. Nothing is computed here.
 * @param guards active guards of this loan.
 * @throws if the loan cannot be read this way, for example because the node rejects or ignores state overrides.
 */
export async function previewAt<Guard extends Tried>(
  client: Calls,
  own: GuardContracts,
  loan: Loan,
  guards: readonly Guard[],
  prices: readonly Supposed[],
): Promise<Preview<Guard>> {
  const { protocol, borrower, markets } = loan;
  const supposed = await supposing(client, loan, guards, prices);
  const some = (markets.find(({ debt }) => debt > 0n) ?? markets[0])?.market;
  if (some === undefined) throw new Error('The account has no market.');

  const ask = (from: Address, calls: readonly Call[]) => tryAs(client, from, calls, { supposed });
  const read = (market: Hex) => ({
    to: protocol.adapter,
    data: encodeFunctionData({ abi: lendingMarketAbi, functionName: 'accrueAndRead', args: [borrower, market] }),
  });
  const [before, ...rescues] = await Promise.all([
    ask(anyone, [read(some)]),
    ...guards.map(async (guard): Promise<Rescue<Guard>> => {
      const { market, keeper = anyone, repayToken, funder } = guard;
      const held = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [funder] });
      const [tried, then, left] = await ask(keeper, [
        rescueCall(own, guard),
        read(market),
        { to: repayToken, data: held },
      ]);
      if (!tried?.isOk) return { guard, isDone: false, refusal: refused(tried) };
      return {
        ...{ guard, isDone: true, after: accountIn(then) },
        repaid: repaidIn(tried.data),
        left: decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: left?.data ?? '0x' }),
      };
    }),
  ]);
  const account = accountIn(before[0]);
  if (!isNear(account.weightedUsdWad, valuesAt(loan, prices).weightedUsdWad)) {
    throw new Error('The node did not apply the overridden prices.');
  }
  return { account, rescues };
}

/** Within one percent: in a block or two, interest and other prices change far less. */
const isNear = (a: bigint, b: bigint): boolean => (a > b ? a - b : b - a) * 100n <= b;

const refused = (answer: Answer | undefined) => new RawContractError({ data: answer?.data ?? '0x' });

/** @throws if the adapter refused. */
function accountIn(answer: Answer | undefined): LoanValues {
  if (!answer?.isOk) throw refused(answer);
  const { debtValue, weightedCollateralValue } = decodeFunctionResult({
    ...{ abi: lendingMarketAbi, functionName: 'accrueAndRead', data: answer.data },
  });
  return loanValues(debtValue, weightedCollateralValue);
}

/** Overrides the protocol's prices, and by the same ratio those of the guards' own sources. */
async function supposing(
  client: Calls,
  { protocol, parts }: Loan,
  guards: readonly Tried[],
  prices: readonly Supposed[],
): Promise<StateOverride> {
  const reader = readerOf(protocol);
  if (reader === undefined) throw new Error(`${protocol.name} has no reader.`);
  const sources = new Set(guards.flatMap(({ priceSource }) => (priceSource ? [priceSource] : [])));
  const ofSources = [...sources].map(async (source) => {
    const shares = prices.map(async ({ market, token, priceWad }) => {
      const now = parts?.find((part) => part.market === market)?.priceWad ?? 0n;
      const own = await sourcePriceWad(client, source, token);
      return own === 0n || now === 0n ? [] : [{ of: token, answer: (own * priceWad) / now }];
    });
    return supposePrices(client, source, (await Promise.all(shares)).flat());
  });
  const [oracle, ofProtocol] = await Promise.all([
    reader.oracle(client, protocol),
    reader.oracleAnswers(client, prices),
  ]);
  return (await Promise.all([supposePrices(client, oracle, ofProtocol), ...ofSources])).flat();
}

/** A source's price of a token; zero if it has none. */
const sourcePriceWad = (client: Reads, address: Address, token: Address): Promise<bigint> =>
  client.readContract({ address, abi: priceSourceAbi, functionName: 'prices', args: [token, token] }).then(
    ([price]) => price,
    () => 0n,
  );
