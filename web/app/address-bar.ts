import { forAddress, WATCHED } from './wallet/use-owner.ts';

/** Keeps the watched address in links from one section to another. */
export function keepWatched(path: string): string {
  const watched = new URLSearchParams(location.search).get(WATCHED);
  return watched === null || path.includes('?') ? path : forAddress(path, encodeURIComponent(watched));
}
