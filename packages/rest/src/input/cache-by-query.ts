import { type Argument, writtenQuery } from '@modelwire/core/plugin'
import type { ReadArguments } from './argument-reader.ts'

/** Characters of all query strings that one operation keeps, and of one of them. */
const cachedCharacters = 500_000
const longestCached = 2000

/**
 * Reads arguments that the query string alone decides once per text. They are frozen, since several calls share them: no
 * code of the application may get them.
 */
export function cacheByQuery(accepts: readonly Argument[], read: ReadArguments): ReadArguments {
  const cache = new Map<string, Record<string, unknown>>()
  let characters = 0
  const shared = accepts.filter(({ source }) => source === 'query').map(({ name }) => name)
  const keep = (text: string, args: Record<string, unknown>): void => {
    characters += text.length
    cache.set(text, args)
    for (const oldest of cache.keys()) {
      if (characters <= cachedCharacters) return
      characters -= oldest.length
      cache.delete(oldest)
    }
  }
  return (request, reply, context) => {
    const text = writtenQuery(request)
    const cached = cache.get(text)
    if (cached !== undefined) return { ...cached, options: context.options }
    const args = read(request, reply, context)
    if (text.length <= longestCached) keep(text, shareable(args, shared))
    return args
  }
}

/** With room for `options`: a copy that grows costs ten times one that does not. */
function shareable(args: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const frozen = names.map((name) => [name, deepFreeze(args[name])] as const)
  return Object.fromEntries([...frozen, ['options', undefined]])
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}
