import { type AnswerBounds, defaultDataDepth } from '@modelwire/core/plugin'
import type { RestSettings } from '../options.ts'
import type { ReadingOptions } from './read-arguments.ts'
import type { ReadQuery } from './read-query.ts'

/** The largest answer by the options of `rest`. */
export function answerBounds({ records, bytes }: RestSettings['answer']): AnswerBounds {
  return { rows: records, bytes, options: { rows: 'answer.records', bytes: 'answer.bytes' } }
}

/** How arguments are read, by the options of `rest`. */
export function readingOptions(settings: RestSettings, answer: AnswerBounds, readQuery: ReadQuery): ReadingOptions {
  const { query, arrayItemDelimiters } = settings
  const { depth, conditions, listItems } = query
  return {
    delimiters: arrayItemDelimiters,
    readQuery,
    // Named as in LoopBack: scripts see these keys in the `options` of a call.
    callerOptions: {
      prohibitHiddenPropertiesInQuery: true,
      maxDepthOfQuery: depth,
      maxDepthOfData: defaultDataDepth
    },
    clientLimits: { depth, conditions, listItems, answer },
    settings
  }
}
