import { errorIn, refusalOf } from '@bowline/chain/errors';
import { type Abi, BaseError, type Hex, RawContractError, UserRejectedRequestError } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import { isWord, sentence, spaced, textOf, wordOfError } from './core-words.ts';
import { words } from './en/frame.ts';

const abi: Abi[number][] = planRegistryAbi.filter(({ type }) => type === 'error');

/** Adds the errors of another contract, whose code is loaded later. */
export const tellErrorsOf = (other: Abi): void => void abi.push(...other.filter(({ type }) => type === 'error'));

/**
 * `refused`: a simulation failed before the wallet was asked. `reverted`: it is in a block and did nothing.
 * `replaced`: the wallet cancelled it or sent another transaction in its place. `other`: it sent something else.
 * `missing`: the chain does not show it, but it may still happen. `unfinished`: the steps before it were confirmed, but
 * it was never requested. `partial`: the chain does not show all of the steps that were sent as one.
 */
export interface Failure {
  readonly kind:
    | 'rejected'
    | 'refused'
    | 'reverted'
    | 'failed'
    | 'replaced'
    | 'other'
    | 'missing'
    | 'unfinished'
    | 'partial';
  readonly words: string;
}

/** Whether the request may have happened anyway. */
export const isUnsure = ({ kind }: Failure): boolean => kind === 'other' || kind === 'missing';

/**
 * A request that the wallet clearly refused or never received. Undefined for any other wallet error, because the wallet
 * may have sent the transaction anyway.
 */
export function walletRefusal(error: unknown): Failure | undefined {
  const is = (...names: readonly string[]) =>
    error instanceof BaseError
      ? error.walk((each) => names.includes((each as Error).name)) !== null
      : names.includes((error as Partial<Error> | null)?.name ?? '');
  if (isRejection(error)) return { kind: 'rejected', words: words.failures.declined };
  if (is('ChainMismatchError', 'ConnectorChainMismatchError')) {
    return { kind: 'failed', words: words.failures.otherNetwork };
  }
  if (is('ConnectorNotConnectedError', 'ConnectorAccountNotFoundError', 'UnauthorizedProviderError')) {
    return {
      kind: 'failed',
      words: words.failures.notConnected,
    };
  }
  return undefined;
}

/** An error of a simulation, before the wallet was asked, in the page's words; never the node's own text. */
export function failureOf(error: unknown): Failure {
  const refusal = refusalOf(error);
  if (refusal !== undefined) {
    const name = errorIn(abi, refusal.data)?.errorName;
    // These two carry arbitrary text or a number.
    if (name !== undefined && name !== 'Error' && name !== 'Panic') {
      const word = wordOfError(name);
      return refused(isWord(word) ? sentence(textOf(word)) : words.failures.refusedAs(spaced(word)));
    }
    return refused(words.failures.refused);
  }
  if (error instanceof BaseError) {
    const text = error.shortMessage.toLowerCase();
    if (text.includes('insufficient funds') || text.includes('exceeds the balance')) {
      return { kind: 'failed', words: words.failures.noFee };
    }
  }
  return { kind: 'failed', words: words.failures.noReason };
}

const refused = (why: string): Failure => ({ kind: 'refused', words: why + words.failures.nothingSent });

/** Why a simulation failed, without the sentence that nothing was sent, for cases that would send nothing. */
export const reasonIn = (failure: Pick<Failure, 'words'>): string =>
  failure.words.replace(words.failures.nothingSent, '');

/** A transaction that is in a block and did nothing. @param cause why the same call fails now, if it does. */
export function revertedFailure(cause: Failure | undefined): Failure {
  const { reverted, revertedBecause } = words.failures;
  return { kind: 'reverted', words: cause?.kind === 'refused' ? revertedBecause(reasonIn(cause)) : reverted };
}

function isRejection(error: unknown): boolean {
  if (error instanceof BaseError && error.walk((each) => each instanceof UserRejectedRequestError)) return true;
  return (error as { readonly code?: unknown } | null)?.code === 4001;
}

/** The same for the revert data of a simulated call. */
export const refusalIn = ({ data }: { readonly data: Hex }): Failure => failureOf(new RawContractError({ data }));
