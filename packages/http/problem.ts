import type { Response } from 'express';
import { type ProblemCode, problems, titles } from './problems.ts';

/** Where both servers explain every code: docs/problems.md as a page. */
export const problemsPath = '/docs/problems.html';

/**
 * Problem details (RFC 9457) as JSON. `type` links to the code's explanation at `publicUrl`; without one it is a
 * relative reference to the same server.
 */
export function problemJson(
  publicUrl: string,
  code: ProblemCode,
  detail: string,
  reason?: string,
  more?: Readonly<Record<string, unknown>>,
): string {
  const { status } = problems[code];
  const type = `${publicUrl}${problemsPath}#${code}`;
  return JSON.stringify({ type, title: titles[status], status, code, reason, detail, ...more });
}

/**
 * Responds with a problem, at the app's public address (`app.locals.publicUrl`). `detail` is our own sentence, never a
 * third party's. `reason` names the cause if one code has several; `more` are members of a code's own.
 */
export function sendProblem(
  response: Response,
  code: ProblemCode,
  detail: string,
  reason?: string,
  more?: Readonly<Record<string, unknown>>,
): void {
  response
    .status(problems[code].status)
    .type('application/problem+json')
    .send(problemJson(response.app.locals.publicUrl ?? '', code, detail, reason, more));
}

/**
 * Responds to a request that Express or its body parser could not read.
 * @returns false if the error has another cause: nothing was sent.
 */
export function sendUnreadable(response: Response, error: unknown): boolean {
  const { status, limit } = error as { readonly status?: unknown; readonly limit?: unknown };
  switch (status) {
    case 400:
      // A parameter in the path: whatever it was meant to be, it does not exist.
      if (error instanceof URIError) sendProblem(response, 'not_found', 'The path is not valid percent-encoding.');
      else sendProblem(response, 'invalid_json', 'The body is not valid JSON.');
      return true;
    case 413:
      sendProblem(response, 'body_too_large', `The body is over ${limit} bytes.`);
      return true;
    case 415:
      sendProblem(response, 'unsupported_media_type', 'Send application/json, uncompressed or gzip, in UTF-8.');
      return true;
    default:
      return false;
  }
}
