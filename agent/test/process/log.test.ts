import { describe, expect, it } from 'vitest';
import { createLog, type LogLevel } from '../../src/process/log.ts';

function logger(secrets: string[] = [], level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = createLog({ level, secrets }, { write: (line) => void lines.push(line) });
  return { log, lines, read: () => lines.map((line) => JSON.parse(line)) };
}

describe('createLog', () => {
  it('writes one line of JSON a call, with amounts as text', () => {
    const { log, lines, read } = logger();
    log.info('run.executed', { planId: 3n, deep: { amounts: [10n ** 30n] }, absent: undefined });
    log.warn('plain');
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    const [first, second] = read();
    expect(first).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      event: 'run.executed',
      planId: '3',
      deep: { amounts: [`1${'0'.repeat(30)}`] },
    });
    expect(second).toMatchObject({ level: 'warn', event: 'plain' });
  });

  it('writes an error in one line each, with its causes', () => {
    const { log, read } = logger();
    log.error('tick.failed', { error: new Error('first\nsecond', { cause: new TypeError('deeper') }) });
    expect(read()[0].error).toEqual({
      name: 'Error',
      message: 'first',
      cause: { name: 'TypeError', message: 'deeper' },
    });
  });

  it('lets no secret into a line, wherever it stands', () => {
    const secrets = ['https://node.example/k3y', 'pass"word\\1', ''];
    const { log, lines, read } = logger(secrets);
    const error = new Error('HTTP request failed. URL: https://node.example/k3y', { cause: new Error(secrets[1]) });
    log.error('failed', { error, 'https://node.example/k3y': [secrets[1]] });
    for (const secret of ['k3y', 'pass', 'word']) expect(lines.join()).not.toContain(secret);
    expect(read()[0].error.message).toBe('HTTP request failed. URL: [secret]');
  });

  it('survives what cannot be written', () => {
    const { log, read } = logger();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    log.info('odd', circle);
    expect(read()[0]).toMatchObject({ event: 'odd', fields: 'could not be written' });
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = logger([], 'error');
    log.info('a');
    log.warn('b');
    log.error('c');
    expect(lines).toHaveLength(1);
  });
});
