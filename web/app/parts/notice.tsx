import type { ReactNode } from 'react';

interface Props {
  readonly kind: 'good' | 'caution' | 'bad' | 'plain';
  readonly title: string;
  readonly children?: ReactNode;
}

/** Announced to screen readers when it appears; immediately if it is an error. */
export const Notice = ({ kind, title, children }: Props) => (
  <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    <p className="notice-title">{title}</p>
    {children}
  </div>
);
