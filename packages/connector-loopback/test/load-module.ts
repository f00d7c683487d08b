import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** A module of LoopBack, which has no types. */
export function loadModule(name: string): unknown {
  return load(name)
}
