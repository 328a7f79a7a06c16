import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { approveStep } from '../chain/approve.ts';
import { useChain } from '../chain/client.ts';
import { useOwnChain } from '../chain/use-own-chain.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { count } from '../words/times.ts';
import { type Approval, approvalsQuery } from './read-approvals.ts';

interface Props {
  readonly owner: Address;
  /** Nothing is read while it is hidden. */
  readonly isShown: boolean;
  /** Whether a revocation of everything is confirmed. */
  readonly isRevoked: boolean;
}

/** Remaining approvals by name, and the steps that revoke them. Says that nothing is left only if that was read. */
export function ApprovalsLeft({ owner, isShown, isRevoked }: Props) {
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const { isElsewhere, isSwitching, isStillElsewhere, switchOver } = useOwnChain();
  const { progress, isBusy, run } = useSteps('approvals', true);
  const { data, isPending, isFetching, refetch } = useQuery({
    ...approvalsQuery(queries, client, settings, owner),
    // An earlier reading does not tell what is left now.
    gcTime: 0,
    enabled: isShown,
  });
  if (isPending || data === undefined) return <p role="status">Looking for what is still approved …</p>;
  const { left, unread, unsearched } = data;
  const steps = left.map(({ token, spender, symbol, of }) =>
    approveStep(`Take back ${symbol} from ${of}`, token, spender, 0n),
  );
  async function takeBack() {
    if (await switchOver()) await run(steps);
  }

  const isSure = unread.length === 0 && unsearched.length === 0;
  return (
    <div className="stack">
      {left.length > 0 && (
        <>
          <p>
            {isRevoked
              ? 'These approvals are still there. No plan or guard of before can use them; you can take them back, too.'
              : 'These approvals are active. Taking them back keeps plans and guards from taking tokens, and does not end them.'}
          </p>
          <ul className="approvals">
            {left.map((approval) => (
              <li key={`${approval.token}-${approval.spender}`}>{inWords(approval)}</li>
            ))}
          </ul>
        </>
      )}
      {!isSure && (
        <Notice kind="caution" title="Not every approval could be read">
          {unread.length > 0 && <p>What is approved of {unread.join(', ')} is not known.</p>}
          {unsearched.length > 0 && (
            <p>
              The page has not read all of {unsearched.join(' and ')}, so a token that is named only there may be
              missing here. “Look again” goes on from there.
            </p>
          )}
          <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
            {isFetching ? 'Looking …' : 'Look again'}
          </button>
        </Notice>
      )}
      {left.length > 0 && (
        <div className="buttons">
          <button type="button" className="button" disabled={isBusy || isSwitching} onClick={() => void takeBack()}>
            {isBusy || isSwitching ? 'Signing …' : `Take back ${count(left.length, 'approval')}`}
          </button>
          {isElsewhere && (
            <p>
              {isStillElsewhere
                ? `The wallet did not switch. Choose ${settings.chainName} in the wallet itself, or try again. Nothing was sent.`
                : `The wallet is on another network: it will first ask you to switch to ${settings.chainName}.`}
            </p>
          )}
        </div>
      )}
      {progress.state !== 'done' && <Signing progress={progress} done="" />}
      {left.length === 0 &&
        isSure &&
        !isFetching &&
        (isRevoked ? (
          <Notice
            kind="good"
            title="Everything is stopped, and nothing is approved any more to the contracts of this page"
          />
        ) : (
          <p>Nothing is approved to the contracts of this page.</p>
        ))}
    </div>
  );
}

const LIMITLESS = 2n ** 128n;

function inWords({ amount, decimals, symbol, of }: Approval): string {
  if (amount >= LIMITLESS) return `Any amount of ${symbol}, to ${of}`;
  return decimals === undefined
    ? `${amount} base units of ${symbol}, to ${of}`
    : `${shortAmount(amount, decimals)} ${symbol}, to ${of}`;
}
