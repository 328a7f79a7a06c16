import { formatUnits } from 'viem';
import { useAccount } from 'wagmi';
import { health, usd } from '../format.ts';
import { Empty, Failed, Skeleton } from '../parts/States.tsx';
import { GuardCard } from './GuardCard.tsx';
import { HealthBar } from './HealthBar.tsx';
import { NewGuard } from './NewGuard.tsx';
import { StopEverything } from './StopEverything.tsx';
import { useGuards, useLoan } from './useLoan.ts';

export function Guard() {
  const { address } = useAccount();
  const loan = useLoan(address);
  const guards = useGuards(address);
  const active = guards.data?.find(({ state }) => state.status === 1);
  const { healthWad } = loan.data ?? {};
  return (
    <section aria-labelledby="guard-title">
      <div className="section-head">
        <div>
          <h1 id="guard-title">Guard</h1>
          <p className="lead">
            If your Venus loan’s health falls below your trigger, so much of it is repaid from your own balance.
          </p>
        </div>
      </div>
      {address === undefined && (
        <Empty title="No wallet is connected">
          <p>Connect the wallet that has the Venus loan, to see its health and to guard it.</p>
        </Empty>
      )}
      {loan.isLoading && <Skeleton />}
      {loan.isError && <Failed what="Your loan" again={loan.refetch} />}
      {loan.data !== undefined && (
        <div className="card loan">
          <div className="card-head">
            <h2>Your Venus loan</h2>
            <p className="big num" data-testid="health">
              {healthWad === undefined ? 'no debt' : health(healthWad)}
            </p>
          </div>
          {healthWad !== undefined && (
            <HealthBar
              healthWad={healthWad}
              triggerWad={active?.terms.triggerHealthWad}
              targetWad={active?.terms.targetHealthWad}
            />
          )}
          <dl className="facts">
            <div>
              <dt>Debt</dt>
              <dd className="num">{usd(formatUnits(loan.data.debtUsdWad, 18))}</dd>
            </div>
            <div>
              <dt>Collateral, weighted</dt>
              <dd className="num">{usd(formatUnits(loan.data.weightedUsdWad, 18))}</dd>
            </div>
            <div>
              <dt>Health</dt>
              <dd>collateral over debt; below 1 it can be liquidated</dd>
            </div>
          </dl>
        </div>
      )}
      {address !== undefined && (
        <div className="columns">
          <div>
            <h2>Your guards</h2>
            {guards.isLoading && <Skeleton />}
            {guards.isError && <Failed what="Your guards" again={guards.refetch} />}
            {guards.data?.length === 0 && (
              <Empty title="No guard yet">
                <p>Set one here. It costs nothing until it acts, and you can cancel it at any time.</p>
              </Empty>
            )}
            {guards.data?.map((guard) => (
              <GuardCard key={String(guard.id)} guard={guard} />
            ))}
            <StopEverything account={address} />
          </div>
          <NewGuard loan={loan.data} />
        </div>
      )}
    </section>
  );
}
