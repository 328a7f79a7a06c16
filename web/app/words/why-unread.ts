import { BaseError, ContractFunctionRevertedError, HttpRequestError, TimeoutError } from 'viem';
import { ApiError } from '../api/request.ts';
import { words } from './en/frame.ts';

/** Why a reading failed, as far as its error tells; never a third party's own text. */
export function whyUnread(error: unknown): string {
  if (error instanceof ApiError) {
    return error.code === 'server_unavailable' ? words.readings.serverSilent : words.readings.serverError(error.code);
  }
  if (!(error instanceof BaseError)) return words.readings.causeUnknown;
  const isSilent = error.walk(
    (each) => each instanceof TimeoutError || (each instanceof HttpRequestError && each.status === undefined),
  );
  if (isSilent) return words.readings.nodeSilent;
  if (error.walk((each) => each instanceof ContractFunctionRevertedError)) return words.readings.contractRefused;
  return words.readings.nodeError;
}
