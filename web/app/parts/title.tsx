import type { ReactNode } from 'react';
import { Explained } from './term.tsx';

interface Props {
  readonly title: string;
  /** What the section is for. */
  readonly lead?: ReactNode;
  /** Shown next to the heading. */
  readonly children?: ReactNode;
}

/** A section's heading. */
export const Title = ({ title, lead, children }: Props) => (
  <div className="title-row spread">
    <div>
      <h1>{title}</h1>
      {lead && <p className="lead">{typeof lead === 'string' ? <Explained text={lead} /> : lead}</p>}
    </div>
    {children}
  </div>
);
