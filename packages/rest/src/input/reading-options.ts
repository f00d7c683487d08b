import type { ModelRegistry } from '@modelwire/core'
import type { AnswerBounds } from '@modelwire/core/plugin'
import type { RestSettings } from '../options.ts'
import { defaultQueryStringLimits } from './parse-query-string.ts'
import type { ReadingOptions } from './read-arguments.ts'

/** What an answer may be at most, as the options of `rest` say. */
export function answerBounds({ records, bytes }: RestSettings['answer']): AnswerBounds {
  return { rows: records, bytes, options: { rows: 'answer.records', bytes: 'answer.bytes' } }
}

/** How arguments are read, as the options of `rest` and the version of the protocol say. */
export function readingOptions(
  registry: ModelRegistry,
  { query, arrayItemDelimiters }: Pick<RestSettings, 'query' | 'arrayItemDelimiters'>,
  answer: AnswerBounds
): ReadingOptions {
  const { depth, conditions, listItems, ...limits } = query
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
