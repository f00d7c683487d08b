import type { FastifyRequest } from 'fastify'

/** What `ops` reads of an operation of a model. */
export interface NamedOperation {
  readonly name: string
  readonly model: { readonly name: string }
  readonly returns?: readonly { readonly type: { readonly kind: string } }[]
}

/** The operation among the settings of a route; undefined for routes that `rest` did not add. */
export const operationIn = (config: unknown): NamedOperation | undefined =>
  // `rest` puts it there.
  (config as { readonly operation?: NamedOperation } | undefined)?.operation

/** The operation that a request is answered with. */
export const operationOf = ({ routeOptions }: FastifyRequest): NamedOperation | undefined =>
  operationIn(routeOptions.config)

/** Its answer goes on for as long as its reader likes. */
export const isStream = ({ returns = [] }: NamedOperation): boolean => returns.some(({ type }) => type.kind === 'stream')
