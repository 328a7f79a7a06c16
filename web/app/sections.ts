import { useEffect, useSyncExternalStore } from 'react';

export const sections = [
  { id: 'portfolio', name: 'Portfolio' },
  { id: 'plans', name: 'Plans' },
  { id: 'guard', name: 'Guard' },
  { id: 'buy', name: 'Buy once' },
  { id: 'ask', name: 'Ask' },
] as const;

export type Section = (typeof sections)[number]['id'];

/** The section in the hash: #/plans. Any other hash means the first section. */
export function useSection(): Section {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  const section = sections.find(({ id }) => hash === `#/${id}`) ?? sections[0];
  useEffect(() => {
    document.title = `${section.name} · Bowline`;
    window.scrollTo(0, 0);
  }, [section]);
  return section.id;
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}
