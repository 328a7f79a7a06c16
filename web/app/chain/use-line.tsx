import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Moment } from '../api/age.ts';
import { useMoment } from '../api/use-moment.ts';
import { asOfHead, isStill } from './head.ts';
import type { Line } from './line.ts';
import { useHead } from './use-clock.ts';

const Context = createContext<Line | undefined>(undefined);

export const LineProvider = Context.Provider;

/**
 * The state of the page's connection to the chain. `unknown`: no answer yet. `silent`: no answer since `since`.
 * `stuck`: it answers, but with no newer block since `since`. `old`: it answers, but its newest block is of `since`.
 * `clock`: the chain is current, but the browser's clock is wrong by `fastMs`. `live`: all is well; the time of a local
 * chain may have been moved forward by `movedMs`.
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

/** Whether the node's answers show the chain's current state, so that something new may be offered on their basis. */
export const isCurrent = ({ state }: Network): boolean => state === 'live' || state === 'clock';
