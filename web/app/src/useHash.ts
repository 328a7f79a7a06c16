import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
};

/** The section that the address names: "#/plans" is "plans". */
export const useHash = (): string => useSyncExternalStore(subscribe, () => window.location.hash.replace(/^#\/?/, ''));
