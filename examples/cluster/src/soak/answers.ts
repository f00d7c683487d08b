/** Counts answers of a kind of request by their status and code. */
export class Answers {
  readonly #counts = new Map<string, number>()

  count(kind: string, status: number | string, code = ''): void {
    const key = [kind, status, code].filter((part) => part !== '').join(' ')
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  toObject(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => a.localeCompare(b)))
  }
}
