import { BaseError, ContractFunctionRevertedError, HttpRequestError, TimeoutError } from 'viem';
import { ApiError } from '../api/request.ts';
import { partWords } from './en/parts.ts';

/** Why a reading failed, as far as its error tells; never a third party's own text. */
export function whyUnread(error: unknown): string {
  if (error instanceof ApiError) {
    return error.code === 'server_unavailable' ? partWords.serverSilent : partWords.serverError(error.code);
  }
  if (!(error instanceof BaseError)) return partWords.causeUnknown;
  const isSilent = error.walk(
    (each) => each instanceof TimeoutError || (each instanceof HttpRequestError && each.status === undefined),
  );
  if (isSilent) return partWords.nodeSilent;
  if (error.walk((each) => each instanceof ContractFunctionRevertedError)) return partWords.contractRefused;
  return partWords.nodeError;
}
