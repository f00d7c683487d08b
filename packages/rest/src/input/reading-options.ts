import type { ModelRegistry } from '@modelwire/core'
import type { AnswerBounds } from '@modelwire/core/plugin'
import type { RestOptions } from '../options.ts'
import { defaultQueryStringLimits } from './parse-query-string.ts'
import type { ReadingOptions } from './read-arguments.ts'

const megabyte = 1024 * 1024

/** What an answer may be at most, as the options of `rest` say. */
export function answerBounds({ records = 10_000, bytes = 16 * megabyte }: RestOptions['answer'] = {}): AnswerBounds {
  return { rows: records, bytes, options: { rows: 'answer.records', bytes: 'answer.bytes' } }
}

/** How arguments are read, as the options of `rest` and the version of the protocol say. */
export function readingOptions(
  registry: ModelRegistry,
  { query = {}, arrayItemDelimiters }: Pick<RestOptions, 'query' | 'arrayItemDelimiters'>,
  answer: AnswerBounds
): ReadingOptions {
  const { depth = 12, conditions = 200, listItems = 2000, ...limits } = query
  return {
    version: registry.rules.readsArgumentsLoosely ? 2 : 3,
    delimiters: arrayItemDelimiters,
    queryLimits: { ...defaultQueryStringLimits, ...limits },
    // Named as in LoopBack: scripts see these keys in the `options` of a call.
    callerOptions: {
      prohibitHiddenPropertiesInQuery: true,
      maxDepthOfQuery: depth,
      maxDepthOfData: 32
    },
    clientLimits: { depth, conditions, listItems, answer }
  }
}
