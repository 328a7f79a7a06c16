/** The first key of a request, wherever it may have one. Blank ones are none: all who send such a header would have one key. */
export const idempotencyKeyIn = (...places: readonly unknown[]): string | undefined =>
  places.find((given): given is string => typeof given === 'string' && given.trim() !== '');
