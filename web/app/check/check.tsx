import type { GuardKey } from '@bowline/core/domain/guard-key';
import { Suspense } from 'react';
import { Link } from 'wouter';
import { Audit } from '../audit/audit.tsx';
import { OwnNode } from '../own-node.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { words } from '../words/en/frame.ts';

const { Part: Verify, load: loadVerify } = lazyPart(async () => (await import('./verify.tsx')).Verify);

export { loadVerify };

interface Props {
  readonly kind?: string | undefined;
  readonly id?: bigint | undefined;
  readonly guard?: GuardKey | undefined;
}

const ways = [
  ['/check', 'permission'],
  ['/check/ticket', 'ticket'],
] as const;

/** Needs no wallet: everybody's records are public. */
export function Check({ kind, id, guard }: Props) {
  const shown = kind === 'ticket' ? kind : 'permission';
  return (
    <>
      <nav className="buttons" aria-label={words.frame.sections.check}>
        {ways.map(([path, way]) => (
          <Link
            key={way}
            className={way === shown ? 'button small' : 'button quiet small'}
            href={path}
            aria-current={way === shown ? 'page' : undefined}
          >
            {words.frame.checks[way]}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Skeleton label={words.lists.reading} />}>
        {shown === 'ticket' ? (
          <Verify />
        ) : (
          <OwnNode>
            <Audit {...{ kind, id, guard }} />
          </OwnNode>
        )}
      </Suspense>
    </>
  );
}
