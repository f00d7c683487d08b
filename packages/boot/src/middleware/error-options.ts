import { isPlainObject } from '@modelwire/core/plugin'
import { ErrorOptionsSchema, type RestOptions } from '@modelwire/rest'
import { Value } from '@sinclair/typebox/value'
import type { AddNote } from '../boot-report.ts'
import { ConfigValueInvalid } from '../errors.ts'
import type { MiddlewareEntry } from '@modelwire/loopback-express'

type ErrorOptions = NonNullable<RestOptions['errors']>

const names: readonly string[] = ['debug', 'log', 'safeFields', 'rootProperty', 'negotiateContentType', 'defaultType']

/**
 * The parameters of `strong-error-handler`.
 * @throws {ConfigValueInvalid} one of them has the wrong type
 */
export function errorOptions(
  { params, file, key }: Pick<MiddlewareEntry, 'params' | 'file' | 'key'>,
  add: AddNote
): ErrorOptions {
  const given = Object.entries(isPlainObject(params) ? params : {})
  for (const [name] of given.filter(([each]) => !names.includes(each)))
    add('ignored', { file, key: `${key}.params.${name}` }, 'nothing here knows this parameter', {
      effect: 'differs',
      advice: 'remove it'
    })
  const options = Object.fromEntries(given.filter(([name, value]) => names.includes(name) && value !== null))
  const problem = Value.Errors(ErrorOptionsSchema, options).First()
  if (problem === undefined) return options
  throw new ConfigValueInvalid(problem.message.toLowerCase(), {
    file,
    key: `${key}.params${problem.path.replaceAll('/', '.')}`
  })
}

/** The parameters of version 2's `loopback#errorHandler`. */
export function errorOptions2({ params }: MiddlewareEntry): ErrorOptions {
  const { includeStack, log } = isPlainObject(params) ? params : {}
  return {
    ...(typeof log === 'boolean' ? { log } : {}),
    ...(includeStack === false ? { disableStackTrace: true } : {})
  }
}
