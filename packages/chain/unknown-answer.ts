import { BowlineError } from '@bowline/core/domain/result';

/** An answer that this code does not know, such as a new status. It affects only this request. */
export class UnknownAnswer extends BowlineError {
  constructor(message: string) {
    super('internal', message);
    this.name = 'UnknownAnswer';
  }
}
