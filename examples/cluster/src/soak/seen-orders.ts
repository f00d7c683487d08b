import type { ChangeEvent } from './event-reader.ts'

/** How often each order was told to have been made. */
export class SeenOrders {
  readonly #counts = new Map<string, number>()

  /** Takes an event of a stream. */
  take({ type, data }: ChangeEvent): void {
    if (type === 'create') this.add(String(data?.['reference']))
  }

  add(reference: string): void {
    this.#counts.set(reference, (this.#counts.get(reference) ?? 0) + 1)
  }

  get size(): number {
    return this.#counts.size
  }

  /** Of these orders how many were told never, and how many more than once. */
  compare(references: readonly string[]): { readonly missed: number; readonly repeated: number } {
    const counts = references.map((reference) => this.#counts.get(reference) ?? 0)
    return {
      missed: counts.filter((count) => count === 0).length,
      repeated: counts.filter((count) => count > 1).length
    }
  }
}
