import { isPlainObject, problemOf } from '@modelwire/server'
import { type ErrorOptions, ErrorOptionsSchema } from '@modelwire/rest'
import type { AddNote } from '../../boot-report.ts'
import { ConfigValueInvalid } from '../../errors.ts'
import type { MiddlewareEntry } from '@modelwire/loopback/express'

const names: readonly string[] = ['debug', 'log', 'safeFields', 'rootProperty', 'negotiateContentType', 'defaultType']

/**
 * The parameters of `strong-error-handler`.
 * @throws {ConfigValueInvalid} one of them has the wrong type
 */
export function errorOptions(
  { params, file, key }: Pick<MiddlewareEntry, 'params' | 'file' | 'key'>,
  add: AddNote
): ErrorOptions {
  const entries = Object.entries(isPlainObject(params) ? params : {})
  for (const [name] of entries.filter(([each]) => !names.includes(each)))
    add('ignored', { file, key: `${key}.params.${name}` }, 'unknown parameter', {
      effect: 'differs',
      advice: 'remove it'
    })
  const options = Object.fromEntries(entries.filter(([name, value]) => names.includes(name) && value !== null))
  const problem = problemOf(ErrorOptionsSchema, options)
  if (problem === undefined) return options
  throw new ConfigValueInvalid(problem.expected, { file, key: `${key}.params.${problem.key}` })
}

/** The parameters of version 2's `loopback#errorHandler`. */
export function errorOptions2({ params }: MiddlewareEntry): ErrorOptions {
  const { includeStack, log } = isPlainObject(params) ? params : {}
  return {
    ...(typeof log === 'boolean' ? { log } : {}),
    ...(includeStack === false ? { disableStackTrace: true } : {})
  }
}
