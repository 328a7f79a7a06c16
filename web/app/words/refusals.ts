import { faultOf, isUnreachable } from '@bowline/chain/errors';
import { ApiError } from '../api/request.ts';
import { isWord, sentence, spaced, textOf } from './core-words.ts';
import { words } from './en/frame.ts';

/** Why a request got no answer, and when to try again. */
export function refusalOf(error: Error): string {
  const { refusals } = words;
  if (!(error instanceof ApiError)) return refusals.inAMoment(sentence(textOf('server_unavailable')));
  const { code, retryAfterSeconds: seconds = code === 'rate_limited' ? 60 : undefined } = error;
  const why = isWord(code) ? sentence(textOf(code)) : refusals.noAnswer(spaced(code));
  if (seconds !== undefined) return refusals.inSeconds(why, seconds);
  if (code === 'timeout') return refusals.orSmaller(why);
  return code.endsWith('_unavailable') ? refusals.inAMoment(why) : why;
}

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
