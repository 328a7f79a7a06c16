import { faultOf, isUnreachable } from '@bowline/chain/errors';
import { ApiError } from '../api/request.ts';
import { words } from './en/frame.ts';

/** Why a reading failed, as far as its error tells; never a third party's own text. */
export function whyUnread(error: unknown): string {
  if (error instanceof ApiError) {
    return error.code === 'server_unavailable' ? words.readings.serverSilent : words.readings.serverError(error.code);
  }
  const { causeUnknown, contractRefused, nodeSilent, nodeError } = words.readings;
  const fault = faultOf(error);
  if (fault === 'ours') return causeUnknown;
  if (fault === 'contract') return contractRefused;
  return isUnreachable(error) ? nodeSilent : nodeError;
}
