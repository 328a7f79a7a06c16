import type { Moment } from './age.ts';

/**
 * When each part of a query's data was read or dated, by the wall clock, in milliseconds: a reading whose parts can fail
 * keeps what was read before, and is "updated" all the same. A part that was never read has no time.
 * @param updatedAt of data without a time of its own; 0 if there is none.
 */
export function timesOf(data: unknown, updatedAt: number): readonly number[] {
  const times = partsOf(data).flatMap((part) => momentOf(part)?.wall ?? []);
  if (times.length > 0) return times;
  return updatedAt > 0 && !partsOf(data).some(isLatest) ? [updatedAt] : [];
}

/** The data itself, and its parts: `{ loans: [{ data, error }], plans: { data, error } }`. */
function partsOf(data: unknown): readonly object[] {
  if (!isObject(data)) return [];
  if (momentOf(data) !== undefined) return [data];
  const parts = Object.values(data).flatMap((part: unknown) => (Array.isArray(part) ? part : [part]));
  return parts.filter(isObject).flatMap((part) => (isLatest(part) && isObject(part.data) ? [part.data] : [part]));
}

const isObject = (part: unknown): part is object => typeof part === 'object' && part !== null;

const isLatest = (part: object): part is { readonly data: unknown; readonly error: unknown } =>
  'data' in part && 'error' in part;

function momentOf(part: object): Moment | undefined {
  if ('readAt' in part) return part.readAt as Moment;
  return 'asOf' in part ? (part.asOf as Moment) : undefined;
}
