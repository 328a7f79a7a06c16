import { BaseError, ContractFunctionRevertedError, decodeErrorResult, type Hex, UserRejectedRequestError } from 'viem';
import { loanGuardAbi, planRegistryAbi, quoteDeskAbi } from '../../../abis/index.ts';

// What our contracts refuse with, in words. Only those that a user's own call can meet.
const said: Readonly<Record<string, string>> = {
  PlanUnknown: 'There is no such plan.',
  NotOwner: 'Only the plan’s owner may do this.',
  LoanGuardRefused: 'A plan cannot deliver to LoanGuard.',
  RecipientRefused: 'The plan cannot deliver to this address.',
  ExecutorRefused: 'The plan’s executor is not one that can run it.',
  TokensRefused: 'The plan cannot pay with, or buy, this token.',
  AmountRefused: 'The amount of one run must be above zero, and not larger than the registry can count.',
  PeriodRefused: 'Runs must be at least a minute apart.',
  WindowRefused: 'A run’s window must lie within its period.',
  MaxRunsRefused: 'A plan has one run at least.',
  ExpiryRefused: 'The expiry must lie in the future, and after the first run.',
  PriceSourceRefused: 'The registry does not accept this source of prices.',
  PriceBoundMissing: 'A plan needs a source of prices, a limit price, or both.',
  SlippageRefused: 'The plan allows more slippage than the registry does: 10 % at most.',
  PlanNotPaused: 'The plan is not paused, so it cannot be resumed.',
  RunsChanged: 'The plan ran since this page read it. Look at the runs, then resume it again.',
  PlanExpired: 'The plan has expired.',
  GuardUnknown: 'There is no such guard.',
  NotBorrower: 'Only the borrower may do this.',
  AdapterRefused: 'LoanGuard does not know this lending protocol.',
  MarketNotListed: 'Venus does not list this market.',
  TriggerRefused: 'The trigger must be at least 1.',
  TargetRefused: 'The target must lie at least 2 % above the trigger, and at 10 at most.',
  MinRepayRefused: 'The least repayment must lie between one unit and either cap.',
  QuoteExpired: 'The quote has expired: ask for a new one.',
  QuoteUsedUp: 'The quote was used or withdrawn: ask for a new one.',
  NotBuyer: 'The quote was signed for another account.',
  SignatureRefused: 'The quote’s signature is not the maker’s.',
  DeliveryInexact: 'The token did not arrive to the unit, so nothing was traded.',
};

const abi = [...planRegistryAbi, ...loanGuardAbi, ...quoteDeskAbi].filter(({ type }) => type === 'error');

/** The word of a custom error in revert data, or undefined. */
function errorNameOf(data: Hex): string | undefined {
  try {
    return decodeErrorResult({ abi, data }).errorName;
  } catch {
    return undefined;
  }
}

/** `replaced`: the wallet cancelled it, or sent another transaction in its place. */
export type Failure = { readonly kind: 'rejected' | 'reverted' | 'failed' | 'replaced'; readonly words: string };

/** What went wrong before anything was sent, in words; never the wallet's or the node's own text. */
export function failureOf(error: unknown): Failure {
  if (isRejection(error)) return { kind: 'rejected', words: 'You declined it in your wallet. Nothing was sent.' };
  if (error instanceof BaseError) {
    const data = revertData(error);
    const name = data === undefined ? undefined : errorNameOf(data);
    // These two carry a text or a number of anybody's.
    if (name !== undefined && name !== 'Error' && name !== 'Panic')
      return { kind: 'reverted', words: said[name] ?? `The contract refuses: ${spaced(name)}.` };
    if (data !== undefined || error.walk((each) => each instanceof ContractFunctionRevertedError)) {
      return { kind: 'reverted', words: 'The contract refuses this as things stand. Nothing was sent.' };
    }
    const text = error.shortMessage.toLowerCase();
    if (text.includes('insufficient funds') || text.includes('exceeds the balance')) {
      return { kind: 'failed', words: 'The account has too little BNB to pay the network’s fee. Nothing was sent.' };
    }
  }
  return { kind: 'failed', words: 'It could not be sent: the wallet or the chain did not take it. Nothing was sent.' };
}

function isRejection(error: unknown): boolean {
  if (error instanceof BaseError && error.walk((each) => each instanceof UserRejectedRequestError)) return true;
  return (error as { readonly code?: unknown } | null)?.code === 4001;
}

/** Revert data lies at different depths, by which call was made. */
function revertData(error: BaseError): Hex | undefined {
  const holder = error.walk((each) => hexIn((each as { data?: unknown }).data) !== undefined);
  return hexIn((holder as { data?: unknown } | null)?.data);
}

function hexIn(data: unknown): Hex | undefined {
  const value = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return typeof value === 'string' && /^0x[0-9a-f]{8,}$/i.test(value) ? (value as Hex) : undefined;
}

const spaced = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
