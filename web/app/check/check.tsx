import { type GuardKey, numberOf, readGuardKey } from '@bowline/core/domain/guard-key';
import { halfWidth } from '@bowline/core/domain/typed-amount';
import { Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { GuardAudit } from '../audit/guard-audit.tsx';
import { PlanAudit } from '../audit/plan-audit.tsx';
import { NotFound } from '../not-found.tsx';
import { OwnNode } from '../own-node.tsx';
import { Field } from '../parts/field.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Explained } from '../parts/term.tsx';
import { Title } from '../parts/title.tsx';
import { auditWords } from '../words/en/audit.ts';
import { words } from '../words/en/frame.ts';

export const loadOthers = () => import('./others.ts');
const { Part: Executor } = lazyPart(async () => (await loadOthers()).Executor);
const { Part: Verify } = lazyPart(async () => (await loadOthers()).Verify);

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
      <Suspense fallback={<Skeleton label={words.lists.reading} />}>
        {shown === 'ticket' ? (
          <Verify />
        ) : (
          <OwnNode>{shown === 'executor' ? <Executor /> : <Audit {...{ kind, id, guard }} />}</OwnNode>
        )}
      </Suspense>
    </>
  );
}

function Audit({ kind, id, guard }: Props) {
  if (guard !== undefined) return <GuardAudit key={String(guard)} id={guard} />;
  if (kind === undefined) return <Choice />;
  if (id !== undefined && kind === 'plan') return <PlanAudit key={String(id)} id={id} />;
  return <NotFound />;
}

function Choice() {
  const [, go] = useLocation();
  const [number, setNumber] = useState('');
  const key = readGuardKey(halfWidth(number));
  const guard = key !== undefined && numberOf(key) > 0n ? key : undefined;
  const isPlan = typeof guard === 'bigint';
  const open = (kind: 'plan' | 'guard') => () => go(`/check/${kind}/${guard}`);
  return (
    <>
      <Title title={words.frame.sections.check} lead={<Explained text={auditWords.lead} />} />
      <form
        className="card form"
        onSubmit={(event) => {
          event.preventDefault();
          if (guard !== undefined) open(isPlan ? 'plan' : 'guard')();
        }}
      >
        <Field
          label={auditWords.number}
          value={number}
          onChange={setNumber}
          inputMode="text"
          error={guard === undefined ? auditWords.enterNumber : undefined}
        />
        <div className="buttons">
          <button type="submit" className="button primary" disabled={!isPlan}>
            {auditWords.auditPlan}
          </button>
          <button type="button" className="button" disabled={guard === undefined} onClick={open('guard')}>
            {auditWords.auditGuard}
          </button>
        </div>
      </form>
    </>
  );
}
