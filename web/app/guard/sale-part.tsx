import { type ComponentType, type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { guardWords } from '../words/en/guard.ts';

/** @param meanwhile shown while the code loads; a part below others needs nothing. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>, meanwhile?: ReactNode) {
  const { Part } = lazyPart(load);
  return (props: Props) => (
    <ErrorBoundary what={guardWords.theLoan}>
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

const Loading = () => <Skeleton label={guardWords.loadingForm} />;
export const loading = <Loading />;

/** Few guards sell collateral. */
export const SalePart = part(async () => (await import('./set-sale.tsx')).SetSale, loading);
