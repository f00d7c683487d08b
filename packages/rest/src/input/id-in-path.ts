import { isComposite } from '@modelwire/core/connector'
import { identifiedModel, type Operation } from '@modelwire/core/plugin'
import { writtenPath } from '@modelwire/server'
import type { FastifyRequest } from 'fastify'

/**
 * Makes the function that reads an id from the path; the text null is none. That of several properties is read as it was
 * written, since a comma within a part is only told from one between parts before it is decoded.
 */
export function idReader(operation: Operation, name: string): (request: FastifyRequest) => string | undefined {
  const model = identifiedModel(operation, name)
  if (model !== undefined && isComposite(model)) return (request) => writtenId(request, name)
  return (request) => {
    const id = decodedId(request, name)
    // LB3: the text null is not an id, pinned by crud/instance
    return id === 'null' ? undefined : id
  }
}

function decodedId({ params }: FastifyRequest, name: string): string | undefined {
  const id: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  return typeof id === 'string' ? id : undefined
}

/** As the router decodes it where that is something else than is found in the address, so that both are about one record. */
function writtenId(request: FastifyRequest, name: string): string | undefined {
  const decoded = decodedId(request, name)
  const at = request.routeOptions.url?.split('/').indexOf(`:${name}`) ?? -1
  const written = writtenPath(request.raw).split('/')[at]
  return written !== undefined && decode(written) === decoded ? written : decoded
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
