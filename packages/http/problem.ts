import type { Response } from 'express';
import { type ProblemCode, problems, titles } from './problems.ts';

/** Where both servers explain every code: docs/problems.md as a page. */
export const problemsPath = '/docs/problems.html';

/**
 * Responds with problem details (RFC 9457). `detail` is our own sentence, never a third party's. `reason` names the
 * cause if one code has several; `more` are members of a code's own. `type` leads to the code's explanation at the app's
 * `publicUrl` (`app.locals`); without one it is a reference that leads to the same server.
 */
export function sendProblem(
  response: Response,
  code: ProblemCode,
  detail: string,
  reason?: string,
  more?: Readonly<Record<string, unknown>>,
): void {
  const { status } = problems[code];
  const type = `${response.app.locals.publicUrl ?? ''}${problemsPath}#${code}`;
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type, title: titles[status], status, code, reason, detail, ...more }));
}
