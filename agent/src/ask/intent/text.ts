/** A question that is read by taking out of it, one after the other, what has been understood. */
export class Text {
  value: string;

  constructor(value: string) {
    this.value = value.normalize('NFKC').replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  }

  lower(): void {
    this.value = this.value.toLowerCase().replace(/'s\b/g, '');
  }

  /** Signs that stand for something from here on: @ for an asset, capitals for numbers. */
  clearMarks(): void {
    this.value = this.value.replaceAll('@', ' at ').replaceAll('&', ' and ').replaceAll('#', ' ').replaceAll('~', ' ');
  }

  /** Single spaces. */
  tidy(): string {
    this.value = this.value.replace(/\s+/g, ' ').trim();
    return this.value;
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.value);
  }

  /** Takes the first match out and leaves a word in its place; undefined where there is none. */
  take(pattern: RegExp, leave = ''): RegExpExecArray | undefined {
    const match = pattern.exec(this.value);
    if (match === null) return undefined;
    this.value = `${this.value.slice(0, match.index)} ${leave} ${this.value.slice(match.index + match[0].length)}`;
    return match;
  }
}
