import type { FastifyRequest } from 'fastify'
import type { TokenAccess } from './token-access.ts'

/** Puts the caller into headers of the request, for handlers that only read headers. */
export interface CallerHeaders {
  /** Removes what a client wrote there itself. */
  readonly clear: (request: FastifyRequest) => void
  readonly add: (request: FastifyRequest, access: TokenAccess) => void
}

const defaultPrefix = 'X-OAUTH2-'

function set({ raw: { headers } }: FastifyRequest, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  headers[name] = String(value)
  headers[name.toLowerCase()] = String(value)
}

/**
 * Makes the functions behind `addHttpHeaders`. Headers are there as LoopBack's component wrote them and in lower case, as
 * Node has them.
 * @param option true for `X-OAUTH2-`, a text for another prefix
 */
export function callerHeaders(option: boolean | string | undefined): CallerHeaders | undefined {
  if (option === undefined || option === false || option === '') return undefined
  const prefix = option === true ? defaultPrefix : option
  const names = [`${prefix}CLIENT-ID`, `${prefix}USER-ID`] as const
  const all = [...names, ...names.map((name) => name.toLowerCase())]
  return {
    clear: ({ raw: { headers } }) => {
      for (const name of all) if (name in headers) delete headers[name]
    },
    add: (request, { clientId, userId }) => {
      set(request, names[0], clientId)
      set(request, names[1], userId)
    }
  }
}
