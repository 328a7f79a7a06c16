import { type GuardKey, numberOf, readGuardKey } from '@bowline/core/domain/guard-key';
import type { ComponentType } from 'react';
import { matchRoute, useLocation, useRouter } from 'wouter';
import { type LazyPart, lazyPart } from './parts/lazy-part.tsx';
import { words } from './words/en/frame.ts';

/** The parts of a path after its section. */
interface PageProps {
  /** The number at the end of /plans/3. */
  readonly id?: bigint | undefined;
  /** The key of a guard, in whichever contract it is. */
  readonly guard?: GuardKey | undefined;
  /** "plan" in /check/plan/3. */
  readonly kind?: string | undefined;
}

/** One section of the page. Its code is loaded when it is first shown. */
export interface Section {
  readonly id: keyof typeof words.frame.sections;
  /** Its paths, the usual one first. `:id` is a number from 1 on. */
  readonly paths: readonly string[];
  readonly Page: ComponentType<PageProps>;
  readonly load: LazyPart<PageProps>['load'];
  /** Also loads the parts that are otherwise loaded when they are shown. */
  readonly loadAll: () => Promise<unknown>;
}

type Load = () => Promise<ComponentType<PageProps>>;

function section(id: Section['id'], paths: readonly string[], find: Load, loadParts?: () => Promise<unknown>): Section {
  const { Part: Page, load } = lazyPart(find);
  return { id, paths, Page, load, loadAll: () => Promise.all([load(), loadParts?.()]) };
}

/** Every section has a folder and a line here. The first is shown at /. */
export const sections: readonly Section[] = [
  section('home', ['/', '/home'], async () => (await import('./home/home.tsx')).Home),
  section('plans', ['/plans', '/plans/:id'], async () => (await import('./plans/plans.tsx')).Plans),
  section(
    'loans',
    ['/loans', '/loans/:id'],
    async () => (await import('./guard/guard.tsx')).Guard,
    async () => (await import('./guard/guard.tsx')).loadForms(),
  ),
  section('trade', ['/trade'], async () => (await import('./buy/buy.tsx')).Buy),
  section('portfolio', ['/portfolio'], async () => (await import('./portfolio/portfolio.tsx')).Portfolio),
  section('ask', ['/ask'], async () => (await import('./ask/ask.tsx')).Ask),
  section(
    'check',
    ['/check', '/check/:kind', '/check/:kind/:id'],
    async () => (await import('./check/check.tsx')).Check,
    async () => (await import('./check/check.tsx')).loadOthers(),
  ),
];

/** Loads the code of the section at a path before the first render. A failure is reported where it is shown. */
export function loadAhead(path: string): void {
  const start = (of: string) => of.split('/')[1];
  const section = sections.find(({ paths }) => paths.some((each) => start(each) === start(path)));
  void section?.load().catch(() => undefined);
}

/** As the navigation, headings and titles call it. */
export const nameOf = ({ id }: Section): string => words.frame.sections[id];

interface Place extends PageProps {
  readonly section: Section;
}

/** The section at the current path; undefined if there is none. */
export function usePlace(): Place | undefined {
  const [path] = useLocation();
  const { parser } = useRouter();
  for (const section of sections) {
    for (const pattern of section.paths) {
      const [isMatch, params] = matchRoute<Record<string, string>>(parser, pattern, path);
      if (!isMatch) continue;
      const { id, kind } = params;
      if (id === undefined) return { section, kind };
      const key = readGuardKey(id);
      if (key === undefined || String(key) !== id || numberOf(key) === 0n) return undefined;
      if (section.id === 'loans' || kind === 'guard') return { section, kind, guard: key };
      return typeof key === 'bigint' ? { section, kind, id: key } : undefined;
    }
  }
  return undefined;
}

/** What the browser's tab and history show: "Plans 3 · Bowline". */
export function titleOf(place: Place | undefined): string {
  if (place === undefined) return `${words.frame.noTitle} · Bowline`;
  const { section, kind, id, guard } = place;
  const parts = [nameOf(section), kind && (words.frame.kinds[kind] ?? kind), id ?? guard];
  return `${parts.filter((part) => part !== undefined).join(' ')} · Bowline`;
}
