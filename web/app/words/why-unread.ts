import { BaseError, ContractFunctionRevertedError, HttpRequestError, TimeoutError } from 'viem';
import { ApiError } from '../api/request.ts';

/** Why a reading failed, as far as its error tells; never a third party's own text. */
export function whyUnread(error: unknown): string {
  if (error instanceof ApiError) {
    return error.code === 'server_unavailable'
      ? 'The page’s server did not answer.'
      : `The page’s server answered with an error (${error.code}).`;
  }
  if (!(error instanceof BaseError)) return 'The cause is not known.';
  const isSilent = error.walk(
    (each) => each instanceof TimeoutError || (each instanceof HttpRequestError && each.status === undefined),
  );
  if (isSilent) return 'The chain’s node did not answer.';
  if (error.walk((each) => each instanceof ContractFunctionRevertedError)) return 'A contract refused to be read.';
  return 'The chain’s node answered with an error.';
}
