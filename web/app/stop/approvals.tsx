import { grouped } from '@bowline/core/domain/readable';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Address } from 'viem';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { approveStep } from '../chain/approve.ts';
import { useChain } from '../chain/client.ts';
import { useOwnChain } from '../chain/use-own-chain.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { exactAsOf } from '../words/times.ts';
import { type Approval, approvalsQuery } from './read-approvals.ts';
import { revocable } from './revoked.ts';

interface Props {
  readonly owner: Address;
  /** Nothing is read while it is hidden. */
  readonly isShown: boolean;
  /** The block of a confirmed revocation of everything; undefined if there is none. */
  readonly revokedAt: bigint | undefined;
}

/** Remaining approvals by name, and the steps that revoke them. Reports that nothing is left only if that was read. */
export function ApprovalsLeft({ owner, isShown, revokedAt }: Props) {
  const moment = useMoment();
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const { isElsewhere, isSwitching, isStillElsewhere, switchOver } = useOwnChain();
  const { progress, isBusy: isTaking, run } = useSteps('approvals', true);
  const [isTrying, setTrying] = useState(false);
  const isBusy = isTaking || isTrying;
  const { data, isPending, isFetching, refetch } = useQuery({
    ...approvalsQuery(queries, client, settings, owner),
    // An earlier reading does not tell what is left now.
    gcTime: 0,
    enabled: isShown,
    refetchInterval: AGAIN_MS,
  });
  if (isPending || data === undefined || (isFetching && isReadingOld(data, moment)))
    return <p role="status">{words.stop.looking}</p>;
  const { left, unread, unsearched } = data;
  const steps = left.map(({ token, spender, symbol, of }) =>
    approveStep(words.stop.takeBackStep(symbol, of), token, spender, 0n),
  );
  async function takeBack() {
    if (!(await switchOver())) return;
    setTrying(true);
    const possible = await revocable(client, owner, steps);
    setTrying(false);
    await run(possible);
  }

  const asOf = exactAsOf(data.readAt.wall);
  const isOld = isReadingOld(data, moment);
  const isSure = unread.length === 0 && unsearched.length === 0;
  return (
    <div className="stack">
      {left.length > 0 && (
        <>
          <p>{revokedAt !== undefined ? words.stop.stillThere : words.stop.active}</p>
          <ul className="approvals">
            {left.map((approval) => (
              <li key={`${approval.token}-${approval.spender}`}>{inWords(approval)}</li>
            ))}
          </ul>
        </>
      )}
      {!isSure && (
        <Notice kind="caution" title={words.stop.notAllRead}>
          {unread.length > 0 && <p>{words.stop.unread(unread)}</p>}
          {unsearched.length > 0 && <p>{words.stop.unsearched(unsearched)}</p>}
          <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
            {isFetching ? words.stop.lookingAgain : words.stop.lookAgain}
          </button>
        </Notice>
      )}
      {left.length > 0 && (
        <div className="buttons">
          <button type="button" className="button" disabled={isBusy || isSwitching} onClick={() => void takeBack()}>
            {isBusy || isSwitching ? words.signing.signing : words.stop.takeBack(left.length)}
          </button>
          {isElsewhere && (
            <p>
              {isStillElsewhere
                ? words.wallet.notSwitched(settings.chainName) + words.failures.nothingSent
                : words.stop.elsewhere(settings.chainName)}
            </p>
          )}
        </div>
      )}
      {progress.state !== 'done' && <Signing progress={progress} done="" />}
      {left.length === 0 && isSure && !isOld && revokedAt === undefined && <p>{words.stop.nothingApproved(asOf)}</p>}
      {left.length === 0 && isSure && !isOld && revokedAt !== undefined && (
        <Notice kind="good" title={words.stop.allStopped} more={words.stop.allStoppedMore(grouped(revokedAt), asOf)} />
      )}
      {(left.length > 0 || !isSure || isOld) && <p className="faint">{words.stop.readAt(asOf)}</p>}
    </div>
  );
}

/** Poll interval. Each token is one call. */
const AGAIN_MS = 15_000;

/** Half of an unlimited approval, because some of it may have been used since. */
const LIMITLESS = 2n ** 127n;

function inWords({ amount, decimals, symbol, of }: Approval): string {
  if (amount >= LIMITLESS) return words.stop.anyAmount(symbol, of);
  return decimals === undefined
    ? words.stop.baseUnits(amount, symbol, of)
    : words.stop.approved(`${shortAmount(amount, decimals)} ${symbol}`, of);
}
