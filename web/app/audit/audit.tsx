import type { GuardKey } from '@bowline/core/domain/guard-key';
import { halfWidth } from '@bowline/core/domain/typed-amount';
import { useState } from 'react';
import { useLocation } from 'wouter';
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

export function Audit({ kind, id, guard }: Props) {
  if (guard !== undefined) return <GuardAudit key={String(guard)} id={guard} />;
  if (kind === undefined) return <Choice />;
  if (id !== undefined && kind === 'plan') return <PlanAudit key={String(id)} id={id} />;
  return <NotFound />;
}

function Choice() {
  const [, go] = useLocation();
  const [number, setNumber] = useState('');
  const id = halfWidth(number.trim());
  const isNumber = /^[1-9]\d{0,19}$/.test(id);
  const open = (kind: 'plan' | 'guard') => () => go(`/check/${kind}/${id}`);
  return (
    <>
      <Title title={words.frame.sections.check} lead={<Explained text={auditWords.lead} />} />
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
