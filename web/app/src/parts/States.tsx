import type { ReactNode } from 'react';

/** While something is loaded. */
export const Skeleton = ({ rows = 3 }: { rows?: number }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
      <div key={at} />
    ))}
  </div>
);

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <h3>{title}</h3>
    {children}
  </div>
);

export const Failed = ({ what, again }: { what: string; again: () => unknown }) => (
  <div className="notice bad" role="alert">
    <p>{what} could not be read just now.</p>
    <button type="button" onClick={() => void again()}>
      Try again
    </button>
  </div>
);
