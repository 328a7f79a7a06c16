import type { ReactNode } from 'react';

interface Props {
  readonly kind: 'good' | 'caution' | 'bad' | 'plain';
  readonly title: string;
  /** What it means, in a paragraph. */
  readonly more?: ReactNode;
  readonly children?: ReactNode;
}

/** Announced to screen readers when it appears; immediately if it is an error. */
export const Notice = ({ kind, title, more, children }: Props) => (
  <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    <p className="notice-title">{title}</p>
    {more && <p>{more}</p>}
    {children}
  </div>
);
