import { forAddress, WATCHED } from './wallet/use-owner.ts';

// The part of a link's path that the first edition kept behind a hash: #/plans.
const hashPath = /^#(\/[a-z0-9][a-z0-9/]*)?\/?$/;

/** Sends links of the first edition to the path that they mean. */
export function followHashLinks(): void {
  const follow = () => {
    const [, path] = hashPath.exec(location.hash) ?? [];
    if (path !== undefined) history.replaceState(null, '', path + location.search);
  };
  follow();
  addEventListener('hashchange', follow);
}

/** Keeps the watched address in links from one section to another. */
export function keepWatched(path: string): string {
  const watched = new URLSearchParams(location.search).get(WATCHED);
  return watched === null || path.includes('?') ? path : forAddress(path, encodeURIComponent(watched));
}
