import type { Failure } from '@bowline/core/domain/result';
import { sendProblem } from '@bowline/http/problem';
import { isProblemCode } from '@bowline/http/problems';
import type { Response } from 'express';

/** Responds with one of our failures as a problem. */
export const sendFailure = (response: Response, { code, message }: Failure): void =>
  sendProblem(response, isProblemCode(code) ? code : 'internal', message);
