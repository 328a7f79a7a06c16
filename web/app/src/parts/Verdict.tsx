import type { Finding, VerdictWord } from '../../../wire.ts';
import { inWords } from '../words.ts';

const shown: Record<VerdictWord, string> = { GO: 'Fair', CAUTION: 'Caution', NO_GO: 'Not fair', NO_DATA: 'No data' };

export const Badge = ({ verdict }: { verdict: VerdictWord }) => (
  <span className={`badge ${verdict.toLowerCase()}`}>
    {shown[verdict]} <span className="code">{verdict}</span>
  </span>
);

const marks: Record<Finding['outcome'], string> = { pass: '✓', caution: '!', no_go: '✕', no_data: '?' };
const spoken: Record<Finding['outcome'], string> = {
  pass: 'passes',
  caution: 'caution',
  no_go: 'fails',
  no_data: 'no data',
};

/** Every check with what it measured. */
export const Findings = ({ findings }: { findings: readonly Finding[] }) => (
  <ul className="findings">
    {findings.map(({ check, question, outcome, reason, detail }) => (
      <li key={check} className={outcome}>
        <span className="mark" role="img" aria-label={spoken[outcome]}>
          {marks[outcome]}
        </span>
        <div>
          <strong>{question}</strong>
          <p>
            {detail}
            {reason !== null && (
              <>
                {' '}
                {inWords(reason)} <code>{reason}</code>
              </>
            )}
          </p>
        </div>
      </li>
    ))}
  </ul>
);
