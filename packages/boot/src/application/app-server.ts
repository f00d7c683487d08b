import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { WantedAddress } from './listen-arguments.ts'

/** The functions of the server for the application object that it is built into. */
export interface AppServer {
  /** Takes what is logged before there is a server. */
  readonly log: FastifyBaseLogger
  /** `app.listen(…)` as Node's servers take it; without a port that of the settings. */
  readonly listen: (args: readonly unknown[]) => Server
  /** The address of `app.listen`. */
  readonly wantedAddress: () => WantedAddress | undefined
  /** `app(req, res)`: answers a request of a server that the application created. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next: unknown) => void
}
