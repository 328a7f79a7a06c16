import { isWord, sentence, spaced, textOf } from '@bowline/core/texts/words';
import { ApiError } from '../api/request.ts';

/** Why a request got no answer, and when to try again. */
export function refusalOf(error: Error): string {
  if (!(error instanceof ApiError)) return `${sentence(textOf('server_unavailable'))} Try again in a moment.`;
  const { code, retryAfterSeconds = 60 } = error;
  const words = sentence(isWord(code) ? textOf(code) : `There is no answer: ${spaced(code)}`);
  if (code === 'rate_limited') return `${words} Try again in ${retryAfterSeconds} seconds.`;
  return code.endsWith('_unavailable') || code === 'timeout' ? `${words} Try again in a moment.` : words;
}
