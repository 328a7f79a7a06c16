import { type ComponentProps, Suspense } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { guardWords } from '../words/en/guard.ts';

/** Few loans are guarded by what they hold: the form's code comes when it is asked for. */
const { Part: SetSale } = lazyPart(async () => (await import('./set-sale.tsx')).SetSale);

export const SalePart = (props: ComponentProps<typeof SetSale>) => (
  <ErrorBoundary what={guardWords.saleForm}>
    <Suspense fallback={<Skeleton label={guardWords.loadingForm} />}>
      <SetSale {...props} />
    </Suspense>
  </ErrorBoundary>
);
