import type { GuardKey } from '@bowline/core/domain/guard-key';
import { Link } from 'wouter';
import { Audit } from '../audit/audit.tsx';
import { Executor } from '../executor/executor.tsx';
import { OwnNode } from '../own-node.tsx';
import { Verify } from '../verify/verify.tsx';
import { words } from '../words/en/frame.ts';

interface Props {
  readonly kind?: string | undefined;
  readonly id?: bigint | undefined;
  readonly guard?: GuardKey | undefined;
}

const ways = [
  ['/check', 'permission'],
  ['/check/ticket', 'ticket'],
  ['/check/executor', 'executor'],
] as const;

/** Needs no wallet: everybody's records are public. */
export function Check({ kind, id, guard }: Props) {
  const shown = kind === 'ticket' || kind === 'executor' ? kind : 'permission';
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
      {shown === 'ticket' ? (
        <Verify />
      ) : (
        <OwnNode>{shown === 'executor' ? <Executor /> : <Audit {...{ kind, id, guard }} />}</OwnNode>
      )}
    </>
  );
}
