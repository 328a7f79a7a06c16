import type { GuardKey } from '@bowline/core/domain/guard-key';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { NotFound } from '../not-found.tsx';
import { Field } from '../parts/field.tsx';
import { Explained } from '../parts/term.tsx';
import { Title } from '../parts/title.tsx';
import { auditWords } from '../words/en/audit.ts';
import { words } from '../words/en/frame.ts';
import { GuardAudit } from './guard-audit.tsx';
import { PlanAudit } from './plan-audit.tsx';

interface Props {
  readonly kind?: string | undefined;
  readonly id?: bigint | undefined;
  readonly guard?: GuardKey | undefined;
}

/** Needs no wallet: everybody's records are public. */
export function Audit({ kind, id, guard }: Props) {
  if (guard !== undefined) return <GuardAudit key={String(guard)} id={guard} />;
  if (id === undefined) return <Choice />;
  if (kind === 'plan') return <PlanAudit key={String(id)} id={id} />;
  return <NotFound />;
}

function Choice() {
  const [, go] = useLocation();
  const [number, setNumber] = useState('');
  const isNumber = /^[1-9]\d{0,19}$/.test(number.trim());
  const open = (kind: 'plan' | 'guard') => () => go(`/audit/${kind}/${number.trim()}`);
  return (
    <>
      <Title
        title={words.frame.sections.audit}
        lead={
          <>
            <Explained text={auditWords.lead} /> <Link href="/executor">{auditWords.reportCard}</Link> {auditWords.and}{' '}
            <Link href="/verify">{auditWords.verifying}</Link>
            {auditWords.leadEnd}
          </>
        }
      />
      <form
        className="card form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNumber) open('plan')();
        }}
      >
        <Field
          label={auditWords.number}
          value={number}
          onChange={setNumber}
          inputMode="numeric"
          error={isNumber ? undefined : auditWords.enterNumber}
        />
        <div className="buttons">
          <button type="submit" className="button primary" disabled={!isNumber}>
            {auditWords.auditPlan}
          </button>
          <button type="button" className="button" disabled={!isNumber} onClick={open('guard')}>
            {auditWords.auditGuard}
          </button>
        </div>
      </form>
    </>
  );
}
