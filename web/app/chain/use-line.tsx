import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Moment } from '../api/age.ts';
import { useMoment } from '../api/use-moment.ts';
import { asOfHead, isStill } from './head.ts';
import type { Line } from './line.ts';
import { useHead } from './use-clock.ts';

const Context = createContext<Line | undefined>(undefined);

export const LineProvider = Context.Provider;

/**
 * What the page's connection to the chain is worth now. `unknown`: no answer yet. `silent`: no answer since then.
 * `stuck`: it answers, and shows no newer block since then. `old`: it answers, and its newest block is of then. `clock`:
 * the browser's clock is wrong by so much, the chain is as it is now. `live`: as it should be; on a local chain its time
 * may have been moved on.
 */
export type Network =
  | { readonly state: 'unknown'; readonly isSlow: boolean }
  | { readonly state: 'live'; readonly isSlow: boolean; readonly movedMs?: number }
  | { readonly state: 'clock'; readonly fastMs: number }
  | { readonly state: 'silent' | 'stuck'; readonly since: Moment }
  | { readonly state: 'old'; readonly since: Moment; readonly lagMs: number; readonly isSure: boolean };

export function useNetwork(): Network {
  const line = useContext(Context);
  if (line === undefined) throw new Error('useNetwork outside of LineProvider');
  const { answered, silentSince, isSlow } = useSyncExternalStore(line.subscribe, line.state, line.state);
  const head = useHead(useMoment());
  if (silentSince !== undefined) return { state: 'silent', since: answered ?? silentSince };
  if (answered === undefined) return { state: 'unknown', isSlow };
  if (head === undefined) return { state: 'live', isSlow };
  const { seen, age } = head;
  if (age.state === 'old') return { ...age, since: asOfHead(seen, age) };
  if (isStill(seen)) return { state: 'stuck', since: seen.at };
  if (age.state === 'clock') return age;
  return { state: 'live', isSlow, ...(age.state === 'moved' && { movedMs: age.byMs }) };
}

/** Whether what the node answers is of the chain as it is now, so that something new may be offered by it. */
export const isCurrent = ({ state }: Network): boolean => state === 'live' || state === 'clock';
