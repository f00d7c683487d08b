import { type ModelRegistry, queryLimitsKey } from '@modelwire/core'
import type { RestOptions } from '../options.ts'
import { defaultQueryStringLimits } from './parse-query-string.ts'
import type { ReadingOptions } from './read-arguments.ts'

/** How arguments are read, as the options of `rest` and the version of the protocol say. */
export function readingOptions(
  registry: ModelRegistry,
  { query = {}, arrayItemDelimiters }: Pick<RestOptions, 'query' | 'arrayItemDelimiters'>
): ReadingOptions {
  const { depth = 12, conditions = 200, listItems = 2000, ...limits } = query
  return {
    version: registry.version.looseArguments ? 2 : 3,
    delimiters: arrayItemDelimiters,
    queryLimits: { ...defaultQueryStringLimits, ...limits },
    // Named as in LoopBack: scripts see these keys in the `options` of a call.
    callerOptions: {
      prohibitHiddenPropertiesInQuery: true,
      maxDepthOfQuery: depth,
      maxDepthOfData: 32,
      [queryLimitsKey]: { depth, conditions, listItems }
    }
  }
}
