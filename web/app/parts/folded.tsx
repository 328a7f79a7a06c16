import { type ReactNode, useState } from 'react';

interface Props {
  readonly summary: ReactNode;
  /** Whether it is open at first. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** Content that few people need: rendered, and its data loaded, only once it is unfolded. */
export function Folded({ summary, isOpen: isOpenAtFirst = false, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details
      className="more"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen((currentTarget as unknown as { readonly open: boolean }).open)}
    >
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  );
}
