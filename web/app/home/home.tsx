import { Suspense } from 'react';
import type { Address } from 'viem';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { words } from '../words/en/frame.ts';
import { homeWords } from '../words/en/home.ts';
import { Newcomer } from './newcomer.tsx';
import { Notifications } from './notifications.tsx';

/** Visitors without an account do not load the code that reads one. */
const { Part: OwnHome } = lazyPart(async () => (await import('./own-home.tsx')).OwnHome);

/** The first screen: status, recent activity, and what needs the owner. */
export function Home() {
  const { owner, isOwn } = useOwner();
  return (
    <>
      <h1 className="unseen">{words.frame.sections.home}</h1>
      {owner === undefined ? <Newcomer /> : <Own key={owner} owner={owner} isOwn={isOwn} />}
    </>
  );
}

const Own = ({ owner, isOwn }: { readonly owner: Address; readonly isOwn: boolean }) => (
  <>
    <Suspense fallback={<Skeleton lines={4} label={homeWords.reading} />}>
      <OwnHome owner={owner} isOwn={isOwn} />
    </Suspense>
    {isOwn && <Notifications />}
  </>
);
