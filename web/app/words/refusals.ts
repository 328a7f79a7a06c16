import { isWord, sentence, spaced, textOf } from '@bowline/core/texts/words';
import { ApiError } from '../api/request.ts';

/** Why a request got no answer, and when to try again. */
export function refusalOf(error: Error): string {
  if (!(error instanceof ApiError)) return `${sentence(textOf('server_unavailable'))} Try again in a moment.`;
  const { code, retryAfterSeconds: seconds = code === 'rate_limited' ? 60 : undefined } = error;
  const words = sentence(isWord(code) ? textOf(code) : `There is no answer: ${spaced(code)}`);
  if (seconds !== undefined) return `${words} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  if (code === 'timeout') return `${words} Try again, or ask something smaller.`;
  return code.endsWith('_unavailable') ? `${words} Try again in a moment.` : words;
}
