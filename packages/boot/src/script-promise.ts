import { createRequire } from 'node:module'

/** As much of bluebird as this file needs: it has no types of its own. */
interface Library {
  getNewLibraryCopy(): Library
  config(options: { readonly asyncHooks: boolean }): void
  resolve(promise: Promise<unknown>): PromiseLike<unknown>
}

let library: Library | undefined

/** Loaded when a script first gets a promise; a copy, since settings belong to a whole library. */
function load(): Library {
  const bluebird = createRequire(import.meta.url)('bluebird') as Library // see above
  const copy = bluebird.getNewLibraryCopy()
  // What runs after it belongs to the same request and transaction.
  copy.config({ asyncHooks: true })
  return copy
}

/**
 * A promise as LoopBack returns it to scripts: one of bluebird, with `spread`, `map`, `filter`, `tap`, `asCallback` and
 * so on. An unhandled rejection is written to stderr, and does not end the process.
 */
export function scriptPromise(promise: Promise<unknown>): PromiseLike<unknown> {
  library ??= load()
  return library.resolve(promise)
}
