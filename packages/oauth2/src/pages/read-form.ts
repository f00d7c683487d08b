import { type FastifyInstance } from 'fastify'
import { ParameterNotText } from '../errors.ts'

/** The fields of a form; a name that is there twice has a list. */
function parseForm(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text)
  const field = (name: string): string | string[] => {
    const [first = '', ...others] = params.getAll(name)
    return others.length === 0 ? first : [first, ...others]
  }
  return Object.fromEntries([...new Set(params.keys())].map((name) => [name, field(name)]))
}

/** Reads forms in this scope, whatever the application reads them with. */
export function readForms(scope: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded'
  if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type)
  scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: 32_768 }, (_request, body, done) => {
    done(null, parseForm(String(body)))
  })
}

/**
 * A field of a form or a parameter of a query; undefined where it is not there.
 * @throws {ParameterNotText} it is there twice, or is no text
 */
export function readText(source: unknown, name: string): string | undefined {
  if (typeof source !== 'object' || source === null || !Object.hasOwn(source, name)) return undefined
  const value: unknown = Reflect.get(source, name)
  if (typeof value === 'string') return value
  throw new ParameterNotText(`${name} must be there once, as text`)
}
