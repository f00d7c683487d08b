import type { OperationContext } from '@modelwire/core'
import type { Argument } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BodyCoercion } from './coerce-argument.ts'
import type { Coercion, CoercionOptions } from './coercion.ts'
import { noQuery } from './read-query.ts'

/** One request as arguments are read from it. */
export interface Source {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string | undefined>>
  readonly context: OperationContext
}

/** Reads one argument. */
export type ReadArgument = (source: Source) => unknown

/** Fields of a body that is an object. */
function bodyFields(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const { body } = request
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return noQuery
  // Parsed bodies have own keys only.
  return body as Record<string, unknown>
}

/** What the reader of one argument is made of. */
export interface ReaderParts {
  readonly name: string
  readonly coercion: (source: CoercionOptions['source']) => Coercion
  readonly body: () => BodyCoercion
}

const readField = ({ name, coercion }: ReaderParts): ReadArgument => {
  const [json, form] = [coercion('json'), coercion('form')]
  return ({ request }) => {
    const value = bodyFields(request)[name]
    return request.bodyFormat === 'json' ? json(value) : form(value)
  }
}

/** Makers of readers by the source that an argument names. */
export const argumentReaders: Readonly<Record<Argument['source'], (parts: ReaderParts) => ReadArgument>> = {
  path: ({ name, coercion }) => {
    const coerce = coercion('path')
    return ({ params }) => coerce(params[name])
  },
  query: ({ name, coercion }) => {
    const coerce = coercion('query')
    return ({ query }) => coerce(query[name])
  },
  header: ({ name, coercion }) => {
    const coerce = coercion('header')
    const header = name.toLowerCase()
    return ({ request }) => coerce(request.headers[header])
  },
  form: readField,
  formData: readField,
  body: ({ body }) => {
    const coerce = body()
    return ({ request }) => coerce(request.body, request.bodyFormat)
  },
  req: () => (from) => from.context.req,
  res: () => (from) => from.context.res,
  context: () => (from) => from.context,
  options: () => (from) => from.context.options,
  any: (parts) => {
    const { name } = parts
    const [path, field, query, header] = [
      argumentReaders.path,
      readField,
      argumentReaders.query,
      argumentReaders.header
    ].map((make) => make(parts))
    return (from) => {
      if (from.params[name] !== undefined) return path?.(from)
      if (bodyFields(from.request)[name] !== undefined) return field?.(from)
      return from.query[name] === undefined ? header?.(from) : query?.(from)
    }
  }
}
