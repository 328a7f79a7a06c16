import { expect, test } from 'vitest';
import { record } from '../../lab/transcripts/record.ts';
import { changesIn } from '../../lab/transcripts/recorded.ts';

// Every answer of every API, and the logs of a run, a deferral and a rescue. After a change that is meant:
// npm run lab -- transcripts --record
test('every answer and log line is as recorded', async () => {
  expect(changesIn(await record()).join('\n\n')).toBe('');
}, 300_000);
