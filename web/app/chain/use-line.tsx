import { createContext, useContext, useSyncExternalStore } from 'react';
import { elapsed, type Moment } from '../api/age.ts';
import type { Line } from './line.ts';
import { useNewestBlock } from './use-clock.ts';

const Context = createContext<Line | undefined>(undefined);

export const LineProvider = Context.Provider;

/** Without a new block for that long the node shows an old chain. */
const STUCK_MS = 60_000;

/**
 * What the page's connection to the chain is worth now. `unknown`: no answer yet. `silent`: no answer since then.
 * `stuck`: it answers, and shows no newer block since then.
 */
export type Network =
  | { readonly state: 'unknown' | 'live' }
  | { readonly state: 'silent' | 'stuck'; readonly since: Moment };

export function useNetwork(): Network {
  const line = useContext(Context);
  if (line === undefined) throw new Error('useNetwork outside of LineProvider');
  const { answered, silentSince } = useSyncExternalStore(line.subscribe, line.state, line.state);
  const block = useNewestBlock();
  if (silentSince !== undefined) return { state: 'silent', since: answered ?? silentSince };
  if (answered === undefined) return { state: 'unknown' };
  const isStuck = block?.stillAt !== undefined && elapsed(block.at, block.stillAt) >= STUCK_MS;
  if (isStuck) return { state: 'stuck', since: block.at };
  return { state: 'live' };
}
