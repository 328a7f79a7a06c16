import { useEffect, useRef } from 'react';
import type { Address } from 'viem';
import { useMoment } from '../api/use-moment.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useOverview } from '../chain/use-overview.ts';
import icon from '../icon.svg';
import { useSettings } from '../settings.tsx';
import type { Known } from './known.ts';
import { show } from './notification-choice.ts';
import { newsOf } from './told.ts';
import { useKnown } from './use-known.ts';

/** Two calls a minute, even while the page is hidden: its owner turned notifications on. */
const EVERY_MS = 30_000;

/** Notifies the account's owner of news, in every section. */
export function Watcher({ owner }: { readonly owner: Address }) {
  const settings = useSettings();
  const { data } = useOverview(owner, { every: EVERY_MS, isAlways: true });
  const { known, sure } = useKnown(data, useChainTime(), useMoment());
  const before = useRef<Known>(undefined);
  const isSure = sure.loans && sure.guards && sure.plans;
  useEffect(() => {
    // A reading with gaps shows neither what is new nor what has ended.
    if (known === undefined || !isSure) return;
    const news = before.current === undefined ? [] : newsOf(before.current, known, settings);
    before.current = known;
    for (const { tag, title, body } of news) void show(title, { tag, body, icon });
  }, [known, isSure, settings]);
  return null;
}
