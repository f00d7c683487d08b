import type { Request } from './traffic.ts'

/** Values that the old server made up, such as tokens and ids, with those that the new one made instead. */
export class Substitutions {
  readonly #known = new Map<string, string>()

  /** Learns from two answers to the same request: texts that differ at the same place, and look made up. */
  learn(old: unknown, now: unknown): void {
    if (typeof old === 'string' && typeof now === 'string') {
      if (old !== now && old.length >= 20 && /^[\w.~+/=-]+$/.test(old)) this.#known.set(old, now)
      return
    }
    if (typeof old !== 'object' || typeof now !== 'object' || old === null || now === null) return
    for (const [key, value] of Object.entries(old)) this.learn(value, (now as Record<string, unknown>)[key]) // by any key
  }

  /** A request of the old server's client as a client of the new one would send it. */
  apply(request: Request): Request {
    if (this.#known.size === 0) return request
    const headers = Object.entries(request.headers).map(([name, value]) => [name, this.#replace(value)] as const)
    return {
      ...request,
      path: this.#replace(request.path),
      headers: Object.fromEntries(headers),
      ...(request.body === undefined ? {} : { body: this.#replace(request.body) })
    }
  }

  #replace(text: string): string {
    let replaced = text
    for (const [old, now] of this.#known) replaced = replaced.replaceAll(old, now)
    return replaced
  }
}
