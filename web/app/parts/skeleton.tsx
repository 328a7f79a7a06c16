/** A placeholder for content that is loading. */
export const Skeleton = ({ lines = 3, label }: { readonly lines?: number; readonly label: string }) => (
  <div className="skeleton stack small" role="status" aria-label={label}>
    {Array.from({ length: lines }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
      <span key={at} />
    ))}
  </div>
);
