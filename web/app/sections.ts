import { useEffect, useSyncExternalStore } from 'react';

export const sections = [
  { id: 'portfolio', name: 'Portfolio' },
  { id: 'plans', name: 'Plans' },
  { id: 'guard', name: 'Guard' },
  { id: 'buy', name: 'Buy once' },
  { id: 'ask', name: 'Ask' },
] as const;

export type Section = (typeof sections)[number]['id'];

/** The section that the hash names: #/plans. Anything else is the first. */
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
