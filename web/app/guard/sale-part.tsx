import { type ComponentProps, Suspense } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { guardWords } from '../words/en/guard.ts';

/** Few guards sell collateral, so the form's code is loaded on request. */
const { Part: SetSale } = lazyPart(async () => (await import('./set-sale.tsx')).SetSale);

export const SalePart = (props: ComponentProps<typeof SetSale>) => (
  <ErrorBoundary what={guardWords.saleForm}>
    <Suspense fallback={<Skeleton label={guardWords.loadingForm} />}>
      <SetSale {...props} />
    </Suspense>
  </ErrorBoundary>
);
