import { Suspense } from 'react';
import type { Address } from 'viem';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { words } from '../words/en/frame.ts';
import { homeWords } from '../words/en/home.ts';
import { Newcomer } from './newcomer.tsx';
import { Notifications } from './notifications.tsx';

/** Whoever comes without an account does not load the reading of one. */
const { Part: OwnHome } = lazyPart(async () => (await import('./own-home.tsx')).OwnHome);

/** The first thing that is seen: what stands, what happened last, and what needs its owner. */
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
