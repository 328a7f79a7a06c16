import { forAddress, WATCHED } from './wallet/use-owner.ts';

/** First parts of paths as links may still have them, and where each leads now. */
const moved: Readonly<Record<string, string>> = {
  ...{ guard: 'loans', buy: 'trade', audit: 'check', verify: 'check/ticket', executor: 'check/executor' },
};

/** Where a path leads now. */
export function currentPath(path: string): string {
  const [, first = '', ...rest] = path.split('/');
  return Object.hasOwn(moved, first) ? ['', moved[first], ...rest].join('/') : path;
}

/** Has the address bar show where an older link leads now. */
export function followOldLink(): void {
  const { pathname, search, hash } = location;
  if (currentPath(pathname) !== pathname) history.replaceState(null, '', currentPath(pathname) + search + hash);
}

/** Keeps the watched address in links from one section to another. */
export function keepWatched(path: string): string {
  const watched = new URLSearchParams(location.search).get(WATCHED);
  return watched === null || path.includes('?') ? path : forAddress(path, encodeURIComponent(watched));
}
